"""The reference: a page for each language, made of what its sources declare (listings/), and links to it from the page that says the same
thing in five languages. Nothing in it is written by hand. `SAMPLEZ_REFERENCE` is the folder with what has to be built first: rustdoc's pages
in doc/, the manual in man/ (`make reference`)."""

import logging
import os
import re
from functools import cache
from html import escape
from pathlib import Path

from listings import c, command, python, rust, typescript
from listings.item import names

ROOT = Path(__file__).resolve().parents[2]
BUILT = Path(os.environ.get("SAMPLEZ_REFERENCE", ROOT / "target/reference"))
log = logging.getLogger("mkdocs.hooks.reference")

# Language: its name for people, that of its code, where its names come from, the guide that is read first.
LANGUAGES = {
    "rust": ("Rust", "rust", lambda: rust.listing(BUILT / "doc/samplez"), "docs/book/rust.md"),
    "python": ("Python", "python", lambda: python.listing(ROOT / "python"), "python/README.md"),
    "javascript": ("JavaScript", "typescript", lambda: typescript.listing(ROOT / "web/src"), "web/README.md"),
    "c": ("C", "c", lambda: c.listing((ROOT / "capi/include/samplez.h").read_text(encoding="utf-8")), "capi/README.md"),
    "command": ("Command line", "text", lambda: command.listing(BUILT / "man"), "crates/samplez-cli/README.md"),
}
# The page with the table of the same things, whose columns are the languages in this order.
TABLE = "docs/names.md"
CODE = re.compile(r"`([^`]+)`")


@cache
def groups(language):
    return LANGUAGES[language][2]()


@cache
def index(language):
    """Every name that may stand in the table, with its item: its own, and without the module before it."""
    found = {}
    for name, item in names(groups(language)).items():
        found.setdefault(name, item)
    for name, item in names(groups(language)).items():
        parts = re.split(r"(::|\.)", name)
        for begin in range(2, len(parts), 2):
            found.setdefault("".join(parts[begin:]), item)
    return found


def anchor(name):
    return re.sub(r"[^\w.-]+", "-", name)


def wrapped(signature, width=76):
    """A long signature, an argument a line."""
    if len(signature) <= width or "(" not in signature:
        return signature
    at, depth = signature.index("("), 0
    lines, start = [signature[: at + 1]], at + 1
    for i in range(at, len(signature)):
        depth += (signature[i] in "([{") - (signature[i] in ")]}")
        if depth == 0:
            lines += [f"    {signature[start:i].strip()}", signature[i:]]
            break
        if depth == 1 and signature[i] == ",":
            lines.append(f"    {signature[start : i + 1].strip()}")
            start = i + 1
    return "\n".join(line for line in lines if line.strip() not in ("", ","))


def text(language):
    """The page of a language, in Markdown; what comes from comments is HTML already."""
    title, code, _, guide = LANGUAGES[language]
    listing = groups(language)
    count = sum(1 + len(item.members) for group in listing for item in group.items)
    page = [f"# {title}: reference", f"{count} names, as the sources declare them, each with the first sentence that stands there. To begin with: [the guide](../{guide})."]
    if language == "rust":
        page.append('Whole, with every example: <a href="../rust/samplez/index.html">the pages of rustdoc</a>.')
    for group in listing:
        page.append(f"## {group.title}")
        if group.about:
            page.append(f"<p>{group.about}</p>")
        for item in group.items:
            shown = item.name.removeprefix(f"{group.title}.").removeprefix(f"{group.title.removeprefix('samplez::')}::")
            page.append(f'<a id="{anchor(item.name)}"></a>\n\n### {shown}')
            page.append(f"```{code}\n{wrapped(item.signature)}\n```")
            more = f' <a href="{item.link}">More.</a>' if item.link else ""
            if item.about or more:
                page.append(f"<p>{item.about}{more}</p>")
            if item.members:
                rows = "".join(
                    f'<dt id="{anchor(member.name)}"><code>{escape(member.signature)}</code></dt><dd>{member.about}</dd>' for member in item.members
                )
                page.append(f'<dl class="members">{rows}</dl>')
    return "\n\n".join(page) + "\n"


def linked(markdown):
    """The table with a link for each of its names; a name that no listing has is a warning, which ends a strict build."""
    lines = []
    for line in markdown.splitlines():
        cells = line.split("|")
        if line.startswith("|") and len(cells) == len(LANGUAGES) + 3:
            for i, language in enumerate(LANGUAGES, 2):
                cells[i] = CODE.sub(lambda match, language=language: link(language, match[1]), cells[i])
            line = "|".join(cells)
        lines.append(line)
    return "\n".join(lines)


def link(language, name):
    item = index(language).get(name)
    if item is None:
        log.warning("%s: %s has no `%s`", TABLE, LANGUAGES[language][0], name)
        return f"`{name}`"
    # A narrow column breaks a name between its words.
    shown = re.sub(r"::|[._ ]", r"\g<0><wbr>", escape(name))
    return f'<a href="../reference/{language}.html#{anchor(item.name)}"><code>{shown}</code></a>'


def pointer(uri):
    """What a guide's page says of the reference, or nothing."""
    for language, (_, _, _, guide) in LANGUAGES.items():
        if guide == uri:
            up = "../" * uri.count("/")
            return f"*Every name, with its declaration: [reference]({up}reference/{language}.md). The same in other languages: [names]({up}{TABLE}).*"
    return None
