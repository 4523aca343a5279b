"""Every link of the built site leads somewhere in it, and nothing is loaded from elsewhere:
`check.py FOLDER` prints what is wrong, and exits with 1 if anything is."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The anchors of a page, its links, and what it loads."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loaded = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.anchors.update(attrs[name] for name in ("id", "name") if attrs.get(name))
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        loaded = attrs.get("href" if tag == "link" else "src")
        if loaded and attrs.get("rel") not in ("canonical", "next", "prev"):
            self.loaded.append(loaded)


def check(folder):
    """What is wrong, a line each."""
    pages = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    if not pages:
        yield f"{folder}: no pages"
    for path, page in pages.items():
        at = path.relative_to(folder.resolve())
        if at.name == "404.html":
            continue  # its links are absolute: nobody knows from where it is shown
        for link in page.links + page.loaded:
            url = urlsplit(link)
            if url.netloc or url.scheme in ("mailto", "data"):
                if link in page.loaded and url.scheme != "data":
                    yield f"{at}: loads {link}"
                continue
            target = (path.parent / unquote(url.path)).resolve() if url.path else path
            if not target.is_file():
                yield f"{at}: {link} leads nowhere"
            elif url.fragment and target in pages and unquote(url.fragment) not in pages[target].anchors:
                yield f"{at}: {link}: no such anchor"


if __name__ == "__main__":
    findings = sorted(set(check(Path(sys.argv[1]))))
    print("\n".join(findings) or f"{sys.argv[1]}: every link leads somewhere")
    sys.exit(bool(findings))
