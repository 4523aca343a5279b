"""Collects the site's pages: the documents in the navigation, where they lie in the repository, and every
file they link to. A Rust file becomes a page with its text; what is no document is copied. Formulas are rendered, and
search finds words without their accents too. Pages below `reference/` are made by reference.py."""

import json
import logging
import posixpath
import re
import shutil
import sys
import unicodedata
from pathlib import Path

from mkdocs.structure.files import File, Files

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import reference  # noqa: E402
from mathematics import blocks, formulas  # noqa: E402

ROOT = HERE.parents[1]
STYLE = "docs/site/site.css"
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s#]+)")
RUST = re.compile(r"(\]\([^)\s#:]+\.rs)(?=[)#])")
ENTRY = re.compile(r"^- \*\*\[(\w+)\]\*\*", re.MULTILINE)
# What CommonMark takes for a list and Python-Markdown does not: an item right below a line of a paragraph.
NO_LIST = re.compile(r"^(?![-*|#\s]|\d+\. ).*\n(- .*)", re.MULTILINE)
NAMED = re.compile(r"\[([^\]\n]+)\]\(([^)\s#:]+)\)")
PAPERS = "docs/papers.md"
# The record of every measurement, whose tables are opened by whoever wants them.
RECORD = "benches/RESULTS.md"
ROWS = re.compile(r"<table>.*?</table>", re.DOTALL)
# A short name, which a table does not break at its hyphens.
NAME = re.compile(r"<code>(?=[\w-]{1,20}</code>)")
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
    queue, seen = [*leaves(config.nav), STYLE], set()
    while queue:
        uri = queue.pop()
        if uri in seen:
            continue
        seen.add(uri)
        if uri.startswith("reference/"):
            found.append(File.generated(config, uri, content=reference.text(Path(uri).stem)))
        elif uri.endswith(".rs"):
            code = (ROOT / uri).read_text(encoding="utf-8")
            page = f"---\ntitle: {uri}\nsearch: {{exclude: true}}\n---\n\n# {uri}\n\n`````rust\n{code}`````\n"
            found.append(File.generated(config, f"{uri}.md", content=page))
        else:
            found.append(File.generated(config, uri, abs_src_path=str(ROOT / uri)))
            if uri.endswith(".md"):
                queue.extend(links(uri))
    return found


def without_folders(markdown, uri):
    """Links to folders, which the site has not, are their texts."""
    here = (ROOT / uri).parent
    return NAMED.sub(lambda match: match[1] if (here / match[2]).is_dir() else match[0], markdown)


def on_page_markdown(markdown, page, config, files):
    uri = page.file.src_uri
    if uri.endswith(".rs.md") or uri.startswith("reference/"):
        return markdown
    if uri == reference.TABLE:
        markdown = reference.linked(markdown)
        page.meta["hide"] = ["toc"]
    markdown = without_folders(markdown, uri)
    pointer = reference.pointer(uri)
    if pointer:
        heading, rest = markdown.split("\n", 1)
        markdown = f"{heading}\n\n{pointer}\n{rest}"
    for item in NO_LIST.findall(FENCED.sub("", markdown)):
        log.warning("%s: a list needs an empty line above it: %s", uri, item)
    papers = (ROOT / PAPERS).read_text(encoding="utf-8")
    if uri == PAPERS:
        return ENTRY.sub(r'- <a id="\1"></a>**[\1]**', markdown)
    # [Kar16] leads to its entry among the papers.
    to_papers = posixpath.relpath(PAPERS, posixpath.dirname(uri) or ".")
    references = "\n".join(f"[{key}]: {to_papers}#{key}" for key in ENTRY.findall(papers))
    return RUST.sub(r"\1.md", markdown) + f"\n\n{references}\n"


def fold(html):
    """Tables of more than a few rows, folded."""

    def folded(match):
        rows = match[0].count("<tr>") - 1
        return match[0] if rows < 5 else f"<details><summary>The table: {rows} rows</summary>{match[0]}</details>"

    return ROWS.sub(folded, html)


def on_page_content(html, page, config, files):
    if page.file.src_uri.endswith(".rs.md"):
        return html
    if page.file.src_uri == RECORD:
        html = fold(html)
    html = ROWS.sub(lambda table: NAME.sub('<code class="name">', table[0]), html)
    # Only proofs have formulas that stand by themselves, as indented blocks; elsewhere a block is code.
    return formulas(blocks(html) if page.file.src_uri.startswith("docs/proofs/") else html)


def on_post_page(output, page, config):
    # What is around the content has formulas in its titles.
    return output if page.file.src_uri.endswith(".rs.md") else formulas(output)


def plain(word):
    """A word without its accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))


def on_post_build(config):
    """rustdoc's pages are beside ours. Words with accents stand in the search's index without them besides: «renyi» finds «Rényi»."""
    rustdoc = Path(config.site_dir) / "rust"
    shutil.rmtree(rustdoc, ignore_errors=True)
    shutil.copytree(reference.BUILT / "doc", rustdoc)
    path = Path(config.site_dir) / "search/search_index.json"
    index = json.loads(path.read_text(encoding="utf-8"))
    for entry in index["docs"]:
        words = sorted(set(re.findall(r"[^\W\d_]+", entry["title"] + " " + entry["text"])))
        also = [plain(word) for word in words if word.isalpha() and plain(word).isascii() and not word.isascii()]
        if also:
            entry["text"] += " " + " ".join(also)
    path.write_text(json.dumps(index, ensure_ascii=False), encoding="utf-8")
