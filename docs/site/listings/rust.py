"""The crate `samplez`, from the pages that rustdoc makes of it: every item of `all.html`, with its declaration, and what it has of its own."""

import re
from html import unescape

from .item import Group, Item, Missing, REFERENCE, SENTENCE, paper

LISTED = re.compile(r'<li><a href="([^"#]+\.html)">([\w:]+)</a></li>')
DECLARATION = re.compile(r'<pre class="rust item-decl"><code>(.*?)</code></pre>', re.DOTALL)
TOP = re.compile(r'<details class="toggle top-doc" open>.*?<div class="docblock">(.*?)</div>', re.DOTALL)
# A method, a constant, a variant or a field, its declaration, and what stands right behind it.
MEMBER = re.compile(
    r'<section id="(?:ty)?(?P<kind>method|associatedconstant|associatedtype|variant)\.(?P<name>\w+)"[^>]*>(?:(?!</section>).)*?'
    r'<h[34] class="code-header">(?P<text>.*?)</h[34]></section>(?:</summary>)?(?P<doc><div class="docblock">(?:(?!</div>).)*)?'
    r'|<span id="structfield\.(?P<field>\w+)"[^>]*>.*?<code>(?P<type>.*?)</code></span>(?P<said><div class="docblock">(?:(?!</div>).)*)?',
    re.DOTALL,
)
# Where what an item has of its own ends: traits that it implements, or types that implement it.
OTHERS = re.compile(r'<h2 id="(?:trait-implementations|synthetic-implementations|foreign-impls|implementors|deref-methods)[^"]*"')
SECTION = re.compile(r"<p>(.*?)</p>", re.DOTALL)
KEPT = re.compile(r"<(?!/?code>)[^>]*>")


def text(html):
    """Without tags; what begins a line of its own, as a bound does, is set off by a space."""
    spaced = re.sub(r"<(?:div|br)\b|</div>", r" \g<0>", html)
    return " ".join(unescape(re.sub(r"<[^>]+>", "", spaced)).split())


def sentence(docblock):
    """The first sentence, with its code and without its links."""
    found = SECTION.search(docblock or "")
    if not found:
        return ""
    # A name in brackets is one of a crate that is not documented here.
    plain = re.sub(r"\[(<code>.*?</code>)\]", r"\1", " ".join(KEPT.sub("", found[1]).split()))
    short = SENTENCE.match(plain)
    said = short[1] if short else plain
    said += "</code>" * (said.count("<code>") - said.count("</code>"))
    return REFERENCE.sub(paper, said)


def declaration(html):
    """A declaration with its fields and bodies folded."""
    folded = text(html)
    return re.sub(r"\{.*\}$", "{ … }", folded) if "{" in folded else folded


def members(page, name):
    found = {}
    for match in MEMBER.finditer(OTHERS.split(page)[0]):
        last = match["name"] or match["field"]
        said = sentence(match["doc"] or match["said"])
        found.setdefault(last, Item(f"{name}::{last}", text(match["text"] or match["type"]), said))
    return list(found.values())


def listing(folder):
    """The groups of the crate whose pages lie in `folder`."""
    listed = LISTED.findall((folder / "all.html").read_text(encoding="utf-8"))
    if not listed:
        raise Missing(f"{folder}/all.html lists nothing")
    groups = {}
    for target, path in sorted(listed, key=lambda entry: (entry[1].count("::"), entry[1].lower())):
        page = (folder / target).read_text(encoding="utf-8")
        declared, top = DECLARATION.search(page), TOP.search(page)
        about = sentence(top[1]) if top else ""
        if not about:
            raise Missing(f"{path}: nothing is said of it")
        module = path.rpartition("::")[0]
        where = f"samplez::{module}" if module else "samplez"
        item = Item(path, declaration(declared[1]), about, members(page, path), f"../rust/samplez/{target}")
        groups.setdefault(where, Group(where, "", [])).items.append(item)
    return list(groups.values())
