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
from html import unescape
from pathlib import Path

from mkdocs.structure.files import File, Files

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import reference  # noqa: E402
from mathematics import blocks, formulas  # noqa: E402

ROOT = HERE.parents[1]
# Files that every page loads.
LOADED = ["web/page/icon.svg", "web/page/identity.css", "docs/site/site.css", "docs/site/run.js"]
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s#]+)")
RUST = re.compile(r"(\]\([^)\s#:]+\.rs)(?=[)#])")
ENTRY = re.compile(r"^- \*\*\[(\w+)\]\*\*", re.MULTILINE)
# What CommonMark takes for a list and Python-Markdown does not: an item right below a line of a paragraph.
NO_LIST = re.compile(r"^(?![-*|#\s]|\d+\. ).*\n(- .*)", re.MULTILINE)
NAMED = re.compile(r"\[([^\]\n]+)\]\(([^)\s#:]+)\)")
PAPERS = "docs/papers.md"
# The claims that a visitor's browser can measure, and the page for it.
REPORT = "docs/papers-reproduced.md"
MEASURED = [item for file in ("measured.json", "here.json") for item in json.loads((ROOT / "web/bench" / file).read_text(encoding="utf-8"))]
MEASURE = "playground/measure.html"
CLAIM = re.compile(r"<td>(J\d+)\b([^<]*)</td>")
FIGURE = re.compile(r'<p><img [^>]*J17-browsers\.svg[^>]*></p>')
CHAPTER = re.compile(r'<h2 id="claims-of-[^"]*jsdgs17[^"]*">.*?</h2>', re.DOTALL)
# By page or folder what search multiplies a page by, so that guides come before records, and words for what a page calls otherwise.
SEARCH = [line.split("\t") for line in (HERE / "search.tsv").read_text(encoding="utf-8").splitlines()[1:]]
# Where a word stands in a title, it weighs so much more than in a text; by the theme a thousand times.
TITLE = 10
# The theme lets every word of a question be the beginning of one: "for" finds "format". Words that the index leaves out are left out of questions too.
ANY_END = "`${r}*`"
NO_STOP_WORD = f"lunr.stopWordFilter(r)===void 0?r:{ANY_END}"
# Marks of the search's own language: within a word, such as 2^-128, they part it.
MARKS = '.replace(/"|(?:^|\\s+)[*+\\-:^~]+(?=\\s+|$)/g,"")'
MARKS_PART = MARKS + '.replace(/(?<=\\w)[:^~]+-?/g," ")'
# The theme's minified script: the call that loads the index, the name of RxJS's `fromEvent`, and the names of its `take` and `switchMap`.
INDEX = re.compile(r'[\w$]+\(new URL\("search/search_index\.json",[\w$]+\.base\)\)')
EVENT = re.compile(r'([\w$]+)\(e\.form,"reset"\)')
FIRST = re.compile(r'\("content\.lazy"\)\?[\w$]+\(e\)\.pipe\([\w$]+\(n=>n\),([\w$]+)\(1\),([\w$]+)\(\(\)=>o\)\)')
# The record of every measurement, whose tables are opened by whoever wants them.
RECORD = "benches/RESULTS.md"
ROWS = re.compile(r"<table>.*?</table>", re.DOTALL)
# A short name, which a table does not break at its hyphens.
NAME = re.compile(r"<code>(?=[\w-]{1,20}</code>)")
# A corner of a table that heads nothing.
NO_HEAD = re.compile(r"<th(?: [^>]*)?></th>")
# A picture, and the size that it has by itself.
IMAGE = re.compile(r'<img [^>]*?src="([^":]+\.svg)"')
SIZE = re.compile(r'<svg [^>]*?\bwidth="(\d+)" height="(\d+)"')
# Paragraphs that describe no page: links from a guide to its reference, and the status lines of decision records.
REFERRED = re.compile(r"Every name, with its declaration|Status:|Date:")
# Characters of a page's description.
SHORTEST, LONGEST = 40, 160
# Characters of a page that a small screen shows at first.
TOP = 2000
log = logging.getLogger("mkdocs.hooks.pages")


def links(uri):
    """The files of the repository that a document links to."""
    prose = FENCED.sub("", (ROOT / uri).read_text(encoding="utf-8"))
    for target in LINK.findall(prose):
        if "://" not in target and not target.startswith("mailto:"):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(uri), target))
            if (ROOT / path).is_file():
                yield path


def titles(nav, title=""):
    """The paths at the ends of the navigation, each with its title there."""
    if isinstance(nav, str):
        yield nav, title
    else:
        for name, item in nav.items() if isinstance(nav, dict) else (("", item) for item in nav):
            yield from titles(item, name)


def leaves(nav):
    """The paths at the ends of the navigation."""
    return (uri for uri, _ in titles(nav))


def on_files(files, config):
    found = Files([file for file in files if not file.is_documentation_page()])
    queue, seen = [*leaves(config.nav), *LOADED], set()
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


def found_by(uri):
    """A page's boost and its further words: the longest entry of search.tsv that names it or a folder above."""
    names = [(name, float(boost), words) for name, boost, words in SEARCH if uri == name or (name.endswith("/") and uri.startswith(name))]
    return max(names, key=lambda entry: len(entry[0]), default=("", 1.0, ""))[1:]


def on_page_markdown(markdown, page, config, files):
    uri = page.file.src_uri
    page.meta.setdefault("search", {}).setdefault("boost", found_by(uri)[0])
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


def measurable(html, uri):
    """The claims about JavaScript, each with its place and a link to the page that measures it in the reader's browser."""
    to = posixpath.relpath(MEASURE, posixpath.dirname(uri) or ".")
    placed = set()

    def link(item):
        return f'<a class="measure-here" href="{to}#{item}" aria-label="measure here: {item}">measure here</a>'

    def cell(match):
        item, rest = match.groups()
        place = "" if item in placed else f' id="{item}"'
        placed.add(item)
        return f"<td{place}>{item}{rest}{' ' + link(item) if place and item in MEASURED else ''}</td>"

    html = CLAIM.sub(cell, html)
    if "J17" not in placed and FIGURE.search(html):
        placed.add("J17")
        html = FIGURE.sub(lambda figure: f'<div id="J17">{figure[0]}<p>{link("J17")}</p></div>', html)
    # Those of which the table has no row of their own: speeds, which belong to the machines of the time.
    others = [item for item in MEASURED if item not in placed]
    links = ", ".join(f'<span id="{item}">{item} {link(item)}</span>' for item in others)
    text = f'<p><a href="{to}">Measure these claims in your browser</a>{f". Without a row of their own: {links}" if others else ""}.</p>'
    html, found = CHAPTER.subn(lambda heading: heading[0] + text, html)
    if found != 1:
        log.warning("%s: the chapter of [JSDGS17] is not found", uri)
    return html


def sized(html, url):
    """Gives pictures their size, so that the text below them does not move. One at the top of a page comes first, others when a reader comes near."""

    def size(image):
        file = ROOT / posixpath.normpath(posixpath.join(posixpath.dirname(url), image[1]))
        found = SIZE.search(file.read_text(encoding="utf-8")) if file.is_file() else None
        size = f' width="{found[1]}" height="{found[2]}"' if found else ""
        when = 'fetchpriority="high"' if image.start() < TOP else 'loading="lazy"'
        return f"{image[0]}{size} {when}"

    return IMAGE.sub(size, html)


def summary(html):
    """The description of a page: the first sentences of its first paragraph of text, up to LONGEST characters. A longer first sentence is cut."""
    for paragraph in re.findall(r"<p>(.*?)</p>", html, re.DOTALL):
        text = unescape(" ".join(re.sub(r"<[^>]+>", "", paragraph).split()))
        if len(text) >= SHORTEST and not REFERRED.match(text):
            end = max((m.end() for m in re.finditer(r"[.:](?= |$)", text[:LONGEST])), default=0)
            return text[:end] if end >= SHORTEST else text[:LONGEST].rsplit(" ", 1)[0] + " …"
    return None


def on_page_content(html, page, config, files):
    if page.file.src_uri.endswith(".rs.md"):
        page.meta["description"] = f"{config.site_description}: the source of {page.file.src_uri[:-3]}"
        return html
    page.meta.setdefault("description", summary(html) or f"{page.title}: {config.site_description}")
    if page.file.src_uri == REPORT:
        html = measurable(html, REPORT)
    if page.file.src_uri == RECORD:
        html = fold(html)
    html = sized(NO_HEAD.sub("<td></td>", html), page.url)
    html = ROWS.sub(lambda table: NAME.sub('<code class="name">', table[0]), html)
    # Only proofs have formulas that stand by themselves, as indented blocks; elsewhere a block is code.
    return formulas(blocks(html) if page.file.src_uri.startswith("docs/proofs/") else html)


# Mends the theme: names the dialogue, removes an attribute that a navigation may not have, and gives the logo its size.
THEME = [
    (re.compile(r'(data-md-component="search" role="dialog")'), r'\1 aria-label="Search"'),
    (re.compile(r'(<nav class="md-nav"[^>]*?) aria-expanded="\w+"'), r"\1"),
    (re.compile(r'alt="logo"'), 'alt="samplez" width="24" height="24"'),
]


def on_post_page(output, page, config):
    for found, instead in THEME:
        output = found.sub(instead, output)
    # What is around the content has formulas in its titles.
    return output if page.file.src_uri.endswith(".rs.md") else formulas(output)


# A section of the playground: its place, its title, its text.
SECTION = re.compile(r'<h2[^>]* id="([^"]+)"[^>]*>(.*?)</h2>(.*?)(?=<h2|</main>)', re.DOTALL)
TAG = re.compile(r"<(?:svg|select|dl|table|math).*?</(?:svg|select|dl|table|math)>|<[^>]+>", re.DOTALL)


def playground(page):
    """What search finds of a page of the playground, which is no page of mkdocs: its head, and its sections."""
    html = (ROOT / "web/page" / page).read_text(encoding="utf-8")

    def entry(place, title, text):
        return {"location": f"playground/{page}{place}", "title": title, "text": " ".join(TAG.sub(" ", text).split()), "boost": found_by("playground/")[0]}

    title = {"index.html": "Playground"}.get(page) or re.search(r"<h1>(.*?)</h1>", html)[1]
    yield entry("", title, re.search(r'name="description" content="([^"]+)"', html)[1])
    for place, heading, text in SECTION.findall(html):
        yield entry(f"#{place}", TAG.sub("", heading), text)


def index_on_demand(script):
    """Defers the index in the theme's script. The index is 80 % of a page's bytes. A page loads it when the search field gets the focus, or if the
    address has a question."""
    load, event, first = INDEX.search(script), EVENT.search(script), FIRST.search(script)
    if not (load and event and first):
        log.warning("the theme's script no longer has %s, %s or %s", INDEX.pattern, EVENT.pattern, FIRST.pattern)
        return script
    asked = f'{event[1]}(document.forms.namedItem("search"),"focusin").pipe({first[1]}(1),{first[2]}(()=>{load[0]}))'
    return script.replace(load[0], f"(/[?&]q=/.test(location.search)?{load[0]}:{asked})")


def plain(word):
    """A word without its accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))


# What readers with low vision and screen readers miss on rustdoc's pages: names of links, a description in each list, contrast.
NAMELESS = re.compile(r'\.html">(<span class="label">(\w+)<)')
TERMS = re.compile(r'(?<=<dl class="item-table reexports">).*?(?=</dl>)', re.DOTALL)
CONTRAST = """:root[data-theme="light"],:root:not([data-theme]){--code-highlight-string-color:#4f6200;--code-highlight-number-color:#4f6200;
--code-highlight-comment-color:#656763;--code-highlight-macro-color:#1f7379;--code-highlight-lifetime-color:#8f4d0c;
--code-highlight-question-mark-color:#9a5200;--function-link-color:#855a1f;--right-side-color:#5c5c5c}"""


def accessible(rustdoc):
    """Mends rustdoc's pages."""
    for style in rustdoc.glob("static.files/rustdoc-*.css"):
        style.write_text(style.read_text(encoding="utf-8") + CONTRAST, encoding="utf-8")
    for path in rustdoc.glob("static.files/storage-*.js"):
        script, count = NAMELESS.subn(r'.html" aria-label="\2">\1', path.read_text(encoding="utf-8"))
        if count == 0:
            log.warning("%s: rustdoc no longer has %s", path.name, NAMELESS.pattern)
        path.write_text(script, encoding="utf-8")
    for path in rustdoc.glob("samplez/**/*.html"):
        page = TERMS.sub(lambda terms: terms[0].replace("</dt>", "</dt><dd></dd>"), path.read_text(encoding="utf-8"))
        path.write_text(page.replace(">Read more</a>", ">Full description</a>"), encoding="utf-8")


def on_post_build(config):
    """rustdoc's pages are beside ours. Words with accents stand in the search's index without them besides: «renyi» finds «Rényi»."""
    rustdoc = Path(config.site_dir) / "rust"
    shutil.rmtree(rustdoc, ignore_errors=True)
    shutil.copytree(reference.BUILT / "doc", rustdoc)
    accessible(rustdoc)
    path = Path(config.site_dir) / "search/search_index.json"
    index = json.loads(path.read_text(encoding="utf-8"))
    index["config"]["fields"]["title"]["boost"] = TITLE
    index["docs"] += [entry for page in ("index.html", "measure.html") for entry in playground(page)]
    words_of = {posixpath.splitext(uri)[0].replace("README", "index") + ".html": f"{title} {found_by(uri)[1]}" for uri, title in titles(config.nav)}
    for entry in index["docs"]:
        entry["text"] += f" {words_of.get(entry['location'], '')}".rstrip()
        words = sorted(set(re.findall(r"[^\W\d_]+", entry["title"] + " " + entry["text"])))
        also = [plain(word) for word in words if word.isalpha() and plain(word).isascii() and not word.isascii()]
        if also:
            entry["text"] += " " + " ".join(also)
    path.write_text(json.dumps(index, ensure_ascii=False), encoding="utf-8")
    for worker in (Path(config.site_dir) / "assets/javascripts/workers").glob("search.*.js"):
        script = worker.read_text(encoding="utf-8")
        for old, new in ((ANY_END, NO_STOP_WORD), (MARKS, MARKS_PART)):
            if script.count(old) != 1:
                log.warning("%s: the theme's search no longer has %s", worker.name, old)
            script = script.replace(old, new)
        worker.write_text(script, encoding="utf-8")
    for bundle in (Path(config.site_dir) / "assets/javascripts").glob("bundle.*.js"):
        bundle.write_text(index_on_demand(bundle.read_text(encoding="utf-8")), encoding="utf-8")
