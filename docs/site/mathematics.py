"""Formulas as MathML. The documents write them as one types them, `D_{Z,σ,c}` and `e^{−k²/2}`: here each part with an index or an
exponent becomes an element of its own, and the text between them stays text, so that long lines break."""

import re
from html import escape, unescape

SKIPPED = ("pre", "code", "script", "style", "title", "math", "svg", "textarea")
TAG = re.compile(r"(<!--.*?-->|<[^>]+>)", re.DOTALL)
# What stands before an index or an exponent: a letter or a number, or what brackets close.
BASE = r"(?:\w+|[)\]⌉⌋|Σ∏√])"
# A bare index is a number or a few letters after one letter: `k_sigma2` and `100_000` are none.
INDEX = r"(?:\d+|[^\W\d_]{1,3})(?!\w)"
SCRIPTED = re.compile(rf"{BASE}(?=[_^]\{{)|[)](?=\^[-−]?\w)|(?<![\w_^])(?:(?:\d+|[^\W\d_])(?=\^[-−]?\w)|[^\W\d_](?=_{INDEX}))")
# Raised digits and fractions are of Unicode's letters to `re`.
RAISED = "²³¹⁰⁴⁵⁶⁷⁸⁹½¼¾"
LETTER, SPACE = re.compile(rf"[^\W\d_{RAISED}]+"), re.compile(r"\s+")
NUMBER = re.compile(rf"\d+(?:\.\d+)?|[{RAISED}]+")
# An indented block of a proof: it has no language.
BLOCK = re.compile(r'<div class="highlight"><pre><span></span><code>(.*?)</code></pre></div>', re.DOTALL)
FORMULA = re.compile(r"[_^]\{|[≤≥Σρ√∏]|\w\^|\w_\w")


def group(text, at):
    """The end of the group that a brace opens at `at`; None if nothing closes it."""
    depth = 0
    for i in range(at, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return i
    return None


def scripts(text, at):
    """The index and the exponent that begin at `at`, and where they end."""
    found = {}
    while at < len(text) and text[at] in "_^" and text[at] not in found:
        kind, at = text[at], at + 1
        if text[at : at + 1] == "{":
            end = group(text, at)
            if end is None:
                return found, at - 1
            found[kind], at = text[at + 1 : end], end + 1
            continue
        bare = re.compile(r"[-−]?(?:\d+(?:\.\d+)?|\w)" if kind == "^" else INDEX).match(text, at)
        if bare is None:
            return found, at - 1
        found[kind], at = bare[0], bare.end()
    return found, at


def atom(base, found):
    tag = {"_": "msub", "^": "msup", "^_": "msubsup"}["".join(sorted(found))]
    parts = [found[kind] for kind in "_^" if kind in found]
    return f"<{tag}>{row(base)}{''.join(f'<mrow>{row(part)}</mrow>' for part in parts)}</{tag}>"


def row(text):
    """What stands inside of an index, an exponent or before them."""
    out, at = [], 0
    while at < len(text):
        word = LETTER.match(text, at) or NUMBER.match(text, at)
        space = SPACE.match(text, at)
        if space:
            out.append('<mspace width="0.3em"></mspace>')
            at = space.end()
            continue
        base = word[0] if word else text[at]
        at += len(base)
        found, end = scripts(text, at) if text[at : at + 1] in ("_", "^") else ({}, at)
        if found:
            out.append(atom(base, found))
            at = end
        else:
            tag = "mi" if LETTER.match(base) else "mn" if word else 'mo stretchy="false"'
            out.append(f"<{tag}>{escape(base)}</{tag[:2]}>")
    return "".join(out) or "<mi></mi>"


def inline(text):
    """A text of a page, in HTML, with its formulas as elements."""
    text = unescape(text)
    out, at = [], 0
    while (match := SCRIPTED.search(text, at)) is not None:
        found, end = scripts(text, match.end())
        if not found:
            out.append(escape(text[at : match.end()], quote=False))
            at = match.end()
            continue
        out.append(escape(text[at : match.start()], quote=False))
        out.append(f"<math>{atom(match[0], found)}</math>")
        at = end
    return "".join([*out, escape(text[at:], quote=False)])


def formulas(html):
    """A page, or a part of one, with its formulas rendered."""
    open_tags, out = [], []
    for part in TAG.split(html):
        if part.startswith("<"):
            name = re.match(r"</?([\w-]*)", part)[1].lower()
            if name in SKIPPED and not part.endswith("/>"):
                if part.startswith("</"):
                    open_tags[-1:] = []
                else:
                    open_tags.append(name)
            out.append(part)
        else:
            out.append(part if open_tags else inline(part))
    return "".join(out)


def blocks(html):
    """Indented formulas as lines that break, in place of code that is cut."""

    def rendered(match):
        text = re.sub(r"<[^>]+>", "", match[1])
        return f'<div class="formula">{inline(text.rstrip())}</div>' if FORMULA.search(text) else match[0]

    return BLOCK.sub(rendered, html)
