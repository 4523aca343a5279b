"""Every link of the built site leads somewhere in it, nothing is loaded from elsewhere, no formula stands raw, no two pages have one
description, and search finds a word with accents without them. What rustdoc wrote, in rust/, is linked to, and not looked at itself; nor is the playground, where it is not there. `check.py FOLDER` prints what is wrong, and exits with 1 if anything is."""

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


# Where text is not for reading, or is code.
NOT_PROSE = ("pre", "code", "script", "style", "title")
RAW = re.compile(r"\S*[_^]\{\S*")


class Page(HTMLParser):
    """The anchors of a page, its links, what it loads, and the formulas that stand raw in it."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loaded, self.raw = set(), [], [], []
        self.within, self.description = [], None
        self.feed(text)

    def handle_endtag(self, tag):
        if tag in NOT_PROSE and self.within:
            self.within.pop()

    def handle_data(self, data):
        if not self.within:
            self.raw += RAW.findall(data)

    def handle_starttag(self, tag, attrs):
        if tag in NOT_PROSE:
            self.within.append(tag)
        attrs = dict(attrs)
        self.anchors.update(attrs[name] for name in ("id", "name") if attrs.get(name))
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        if tag == "meta" and attrs.get("name") == "description":
            self.description = attrs["content"]
        loaded = attrs.get("href" if tag == "link" else "src")
        if loaded and attrs.get("rel") not in ("canonical", "next", "prev"):
            self.loaded.append(loaded)


def check(folder):
    """What is wrong, a line each."""
    rustdoc = (folder / "rust").resolve()
    found = [path.resolve() for path in sorted(folder.rglob("*.html"))]
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in found if not path.is_relative_to(rustdoc)}
    if not pages:
        yield f"{folder}: no pages"
    playground = (folder / "playground").resolve()
    described = {}
    for path, page in pages.items():
        at = path.relative_to(folder.resolve())
        if at.name == "404.html":
            continue  # its links are absolute: nobody knows from where it is shown
        if page.description is not None and described.setdefault(page.description, at) != at:
            yield f"{at}: its description is that of {described[page.description]}"
        for formula in page.raw:
            yield f"{at}: {formula} is not rendered"
        for link in page.links + page.loaded:
            url = urlsplit(link)
            if url.netloc or url.scheme in ("mailto", "data"):
                if link in page.loaded and url.scheme != "data":
                    yield f"{at}: loads {link}"
                continue
            target = (path.parent / unquote(url.path)).resolve() if url.path else path
            if target.is_relative_to(playground) and not playground.is_dir():
                continue  # a site without it: make docs has it
            if not target.is_file():
                yield f"{at}: {link} leads nowhere"
            elif url.fragment and target in pages and unquote(url.fragment) not in pages[target].anchors:
                yield f"{at}: {link}: no such anchor"


def search(folder):
    """What is wrong in the search's index."""
    index = json.loads((folder / "search/search_index.json").read_text(encoding="utf-8"))
    texts = [f"{entry['title']} {entry['text']}".lower() for entry in index["docs"]]
    if not any("rényi" in text for text in texts):
        yield "search: no page has Rényi"
    if any("rényi" in text and "renyi" not in text for text in texts):
        yield "search: renyi does not find Rényi"
    # Every item of the reference is an entry of its own.
    places = {entry.get("location") for entry in index["docs"]}
    for page in sorted((folder / "reference").glob("*.html")):
        for item in re.findall(r'<h3 id="([^"]+)"', page.read_text(encoding="utf-8")):
            if f"reference/{page.name}#{item}" not in places:
                yield f"search: does not find {item} of reference/{page.name}"


if __name__ == "__main__":
    findings = sorted({*check(Path(sys.argv[1])), *search(Path(sys.argv[1]))})
    print("\n".join(findings) or f"{sys.argv[1]}: every link leads somewhere")
    sys.exit(bool(findings))
