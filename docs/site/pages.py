"""Collects the site's pages: the documents in the navigation, where they lie in the repository, and every
file they link to. A Rust file becomes a page with its text; what is no document is copied."""

import logging
import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s#]+)")
RUST = re.compile(r"(\]\([^)\s#:]+\.rs)(?=[)#])")
ENTRY = re.compile(r"^- \*\*\[(\w+)\]\*\*", re.MULTILINE)
# What CommonMark takes for a list and Python-Markdown does not: an item right below a line of a paragraph.
NO_LIST = re.compile(r"^(?![-*|#\s]|\d+\. ).*\n(- .*)", re.MULTILINE)
PAPERS = "docs/papers.md"
log = logging.getLogger("mkdocs.hooks.pages")


def links(uri):
    """The files of the repository that a document links to."""
    prose = FENCED.sub("", (ROOT / uri).read_text(encoding="utf-8"))
    for target in LINK.findall(prose):
        if "://" not in target and not target.startswith("mailto:"):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(uri), target))
            if (ROOT / path).is_file():
                yield path


def leaves(nav):
    """The paths at the ends of the navigation."""
    if isinstance(nav, str):
        yield nav
    else:
        for item in nav.values() if isinstance(nav, dict) else nav:
            yield from leaves(item)


def on_files(files, config):
    found = Files([file for file in files if not file.is_documentation_page()])
    queue, seen = list(leaves(config.nav)), set()
    while queue:
        uri = queue.pop()
        if uri in seen:
            continue
        seen.add(uri)
        if uri.endswith(".rs"):
            code = (ROOT / uri).read_text(encoding="utf-8")
            page = f"---\ntitle: {uri}\nsearch: {{exclude: true}}\n---\n\n# {uri}\n\n`````rust\n{code}`````\n"
            found.append(File.generated(config, f"{uri}.md", content=page))
        else:
            found.append(File.generated(config, uri, abs_src_path=str(ROOT / uri)))
            if uri.endswith(".md"):
                queue.extend(links(uri))
    return found


def on_page_markdown(markdown, page, config, files):
    uri = page.file.src_uri
    if uri.endswith(".rs.md"):
        return markdown
    for item in NO_LIST.findall(FENCED.sub("", markdown)):
        log.warning("%s: a list needs an empty line above it: %s", uri, item)
    papers = (ROOT / PAPERS).read_text(encoding="utf-8")
    if uri == PAPERS:
        return ENTRY.sub(r'- <a id="\1"></a>**[\1]**', markdown)
    # [Kar16] leads to its entry among the papers.
    to_papers = posixpath.relpath(PAPERS, posixpath.dirname(uri) or ".")
    references = "\n".join(f"[{key}]: {to_papers}#{key}" for key in ENTRY.findall(papers))
    return RUST.sub(r"\1.md", markdown) + f"\n\n{references}\n"
