"""What a listing is made of."""

import re
from dataclasses import dataclass, field
from html import escape

# A sentence ends before white space, but not within `e.g.` and the like, nor where a small letter goes on.
SENTENCE = re.compile(r"(.+?[.!?])(?=\s+[^a-zà-ÿ\s]|\s*$)", re.DOTALL)
CODE = re.compile(r"(``?)(?P<text>.+?)\1")
LINKED = re.compile(r"\{@link (\w[\w.]*)\}")
REFERENCE = re.compile(r"\\?\[([A-Z]\w+)\\?\](?!\()")


class Missing(Exception):
    """A public name that is not found, or that nothing is said of."""


@dataclass
class Item:
    """A public name, the text that declares it, and the first sentence about it, in HTML. `link`: where more is said."""

    name: str
    signature: str
    about: str
    members: list["Item"] = field(default_factory=list)
    link: str | None = None


@dataclass
class Group:
    """Items of one module, header or command, and what is said of it."""

    title: str
    about: str
    items: list[Item]


def first_paragraph(text):
    """The first paragraph of a comment, on one line."""
    return " ".join(text.strip().split("\n\n")[0].split())


def first_sentence(text):
    """The first sentence of a comment."""
    paragraph = first_paragraph(text)
    found = SENTENCE.match(paragraph)
    return found[1] if found else paragraph


def prose(text):
    """A sentence of a comment, in HTML: code, links to names and the papers' keys."""
    text = escape(LINKED.sub(r"`\1`", text), quote=False)
    pieces, at = [], 0
    for match in CODE.finditer(text):
        pieces += [REFERENCE.sub(paper, text[at : match.start()]), f"<code>{match['text']}</code>"]
        at = match.end()
    return "".join([*pieces, REFERENCE.sub(paper, text[at:])])


def paper(match):
    return f'<a href="../docs/papers.html#{match[1]}">[{match[1]}]</a>'


def names(groups):
    """Every name of a listing, with its item."""
    found = {}
    for group in groups:
        for item in group.items:
            found.setdefault(item.name, item)
            for member in item.members:
                found.setdefault(member.name, member)
    return found
