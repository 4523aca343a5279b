"""The command, from its manual: a page for each command, as `samplez man --out` writes them."""

import re

from .item import Group, Item, Missing, first_sentence, prose

ESCAPES = {r"\-": "-", r"\*(Aq": "'", r"\(bu": "•", r"\e": "\\", r"\.": "."}
FONT = re.compile(r"\\f[A-Z]")
# Sections that are no options.
WORDS = ("NAME", "SYNOPSIS", "DESCRIPTION", "VERSION", "AUTHORS", "SUBCOMMANDS", "EXTRA")


def plain(line):
    line = FONT.sub("", line)
    for escape, text in ESCAPES.items():
        line = line.replace(escape, text)
    return line.strip()


def sections(page):
    """The sections of a page, by their titles: lists of lines."""
    found, title = {}, None
    for line in page.splitlines():
        if line.startswith(".SH "):
            title = line[4:].strip().strip('"')
            found[title] = []
        elif title:
            found[title].append(line)
    return found


def options(lines):
    """(what is typed, what is said) for each `.TP`."""
    i = 0
    while i < len(lines):
        if lines[i] == ".TP":
            typed, said = plain(lines[i + 1]), []
            i += 2
            while i < len(lines) and lines[i] != ".TP":
                if lines[i].startswith((".RS", ".br", ".PP")):
                    break
                said.append(plain(lines[i]))
                i += 1
            yield typed, " ".join(said)
        else:
            i += 1


def item(page):
    found = sections(page)
    name, _, about = plain(found["NAME"][0]).partition(" - ")
    synopsis = plain(" ".join(found["SYNOPSIS"]))
    spaced = synopsis.split(" [")[0].split(" <")[0]
    made = Item(spaced, synopsis, prose(about))
    if not about:
        raise Missing(f"{name} says nothing of itself")
    for title, lines in found.items():
        if title in WORDS:
            continue
        for typed, said in options(lines):
            flag = re.search(r"--[\w-]+", typed)
            if typed.startswith("-") and flag and flag[0] not in ("--help", "--version"):
                # A default stands behind what is said, and is kept.
                default = re.search(r"\[default: [^\]]*\]", said)
                about = first_sentence(said)
                text = about if default is None or default[0] in about else f"{about} {default[0]}"
                made.members.append(Item(f"{spaced} {flag[0]}", typed, prose(text)))
            elif not typed.startswith("-"):
                made.members.append(Item(f"{spaced} {typed}", typed, prose(first_sentence(said))))
    return made


def listing(folder):
    """One group for the command itself, one for each of its commands with those below."""
    pages = [item(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.1"))]
    if not pages:
        raise Missing(f"no pages in {folder}")
    groups = {}
    for page in sorted(pages, key=lambda page: page.name):
        groups.setdefault(" ".join(page.name.split()[:2]), []).append(page)
    return [Group(title, "", items) for title, items in groups.items()]
