"""What a language offers is read from its sources, and a name that it has not is found."""

import tempfile
import unittest
from pathlib import Path
from unittest import mock

import api
import pages
import reference
from listings import c, command, python, rust, typescript
from listings.item import Missing, first_sentence, names, prose


class Sentences(unittest.TestCase):
    def test_first(self):
        self.assertEqual(first_sentence("One, e.g. this\none. Two."), "One, e.g. this one.")
        self.assertEqual(first_sentence("No end\n\nAnother."), "No end")

    def test_prose(self):
        self.assertEqual(prose("a < ``b<c>`` {@link d} [Kar16]"), 'a &lt; <code>b&lt;c&gt;</code> <code>d</code> <a href="../docs/papers.html#Kar16">[Kar16]</a>')


class Listings(unittest.TestCase):
    def found(self, groups):
        return {name: (item.signature, item.about) for name, item in names(groups).items()}

    def test_c(self):
        text = "/* About. */\n#define SAMPLEZ_VERSION \"1\"\n/*\n Draws. Well.\n */\nint samplez_draw(int a,\n                 int b);\n"
        self.assertEqual(self.found(c.listing(text))["samplez_draw"], ("int samplez_draw(int a, int b);", "Draws."))
        with self.assertRaises(Missing):
            c.listing(text + "int samplez_bare(void);\n")

    def test_python(self):
        with tempfile.TemporaryDirectory() as folder:
            package = Path(folder) / "p"
            package.mkdir()
            (package / "__init__.py").write_text('"""A package."""\nfrom p._a import A, f\n__all__ = ["A", "f"]\n')
            (package / "_a.py").write_text(
                'class B:\n    def g(self, x: int) -> int:\n        """From B."""\n\n\n'
                'class A(B):\n    """An A. More."""\n\n    y: int\n    """A field."""\n\n    def _h(self): ...\n\n\n'
                'def f(a, *, b=1):\n    """Does it."""\n'
            )
            with mock.patch.object(python, "MODULES", ["p"]):
                found = self.found(python.listing(Path(folder)))
                self.assertEqual(found["p.A"], ("class p.A(B)", "An A."))
                self.assertEqual(found["p.A.g"], ("g(x: int) -> int", "From B."))
                self.assertEqual(found["p.A.y"], ("y: int", "A field."))
                self.assertEqual(found["p.f"], ("def p.f(a, *, b=1)", "Does it."))
                self.assertNotIn("p.A._h", found)
                (package / "_a.py").write_text("class A: ...\ndef f(): ...\n")
                with self.assertRaises(Missing):
                    python.listing(Path(folder))

    def test_typescript(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "index.ts").write_text('export { A, type T } from "./a.js";\n')
            (Path(folder) / "a.ts").write_text(
                "/** A type. */\nexport type T = { a: number } | string;\n\n/** A class. */\nexport class A {\n  #hidden = 1;\n\n"
                "  /** Gives {@link T}. */\n  async give({ n }: { n: number } = { n: 1 }): Promise<{ t: T }> {\n    if (n) return { t: \"}\" };\n  }\n\n"
                "  private secret(): void {}\n\n  /** Any. */\n  any<U extends T = T>(u: U): U {}\n\n  /** Last. */\n  get last(): T {\n    return 1;\n  }\n}\n"
            )
            with mock.patch.object(typescript, "ENTRIES", {"samplez": "index.ts"}):
                found = self.found(typescript.listing(Path(folder)))
                self.assertEqual(found["T"], ("type T = { a: number } | string", "A type."))
                self.assertEqual(found["A.give"], ("async give({ n }: { n: number } = { n: 1 }): Promise<{ t: T }>", "Gives <code>T</code>."))
                self.assertEqual(found["A.any"], ("any<U extends T = T>(u: U): U", "Any."))
                self.assertEqual(sorted(found), ["A", "A.any", "A.give", "A.last", "T"])
                (Path(folder) / "a.ts").write_text("export class A {}\n")
                with self.assertRaises(Missing):
                    typescript.listing(Path(folder))

    def test_command(self):
        page = (
            ".TH x 1\n.SH NAME\nsamplez\\-draw \\- Draw a sample\n.SH SYNOPSIS\n\\fBsamplez draw\\fR [\\fB\\-\\-sigma\\fR] \n"
            ".SH OPTIONS\n.TP\n\\fB\\-\\-sigma\\fR \\fI<Q>\\fR\nThe width. More\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nPrint help\n"
        )
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "samplez-draw.1").write_text(page)
            found = self.found(command.listing(Path(folder)))
        self.assertEqual(found, {"samplez draw": ("samplez draw [--sigma]", "Draw a sample"), "samplez draw --sigma": ("--sigma <Q>", "The width.")})

    def test_rust(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "all.html").write_text('<li><a href="m/struct.A.html">m::A</a></li>')
            (Path(folder) / "m").mkdir()
            page = (
                '<pre class="rust item-decl"><code>pub struct A { <span>x</span> }</code></pre><details class="toggle top-doc" open>'
                '<div class="docblock"><p>An <a href="B.html"><code>A</code></a>. More.</p></div></details>'
                '<section id="method.f" class="method"><h4 class="code-header">pub fn <a>f</a>(&amp;self)</h4></section></summary><div class="docblock"><p>Does it.</p></div>'
                '<h2 id="trait-implementations"></h2><section id="method.clone" class="method"><h4 class="code-header">fn clone()</h4></section>'
            )
            (Path(folder) / "m/struct.A.html").write_text(page)
            found = self.found(rust.listing(Path(folder)))
            self.assertEqual(found, {"m::A": ("pub struct A { … }", "An <code>A</code>."), "m::A::f": ("pub fn f(&self)", "Does it.")})


class Interface(unittest.TestCase):
    def test_lines(self):
        text = "/* About. */\n#define SAMPLEZ_VERSION \"1\"\n/* Draws. */\nint samplez_draw(int a);\n/* What. */\ntypedef enum samplez_s {\n  /* B. */\n  B = 1,\n} samplez_s;\n"
        listed = ["B  B = 1\n", "SAMPLEZ_VERSION  #define SAMPLEZ_VERSION\n", "samplez_draw  int samplez_draw(int a);\n", "samplez_s  typedef enum samplez_s { … } samplez_s;\n"]
        self.assertEqual(api.lines(c.listing(text)), listed)

    def test_a_change_is_found(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(api, "API", Path(folder)):
            with mock.patch.object(api, "made", lambda: {"c.txt": ["a  int a(int);\n"]}):
                api.main(check=False)
                api.main(check=True)
            for other in ([], ["a  int a(long);\n"], ["a  int a(int);\n", "b  int b(int);\n"]):
                with mock.patch.object(api, "made", lambda other=other: {"c.txt": other}), self.assertRaisesRegex(SystemExit, "(?s)\\n[-+][ab]  int .*make api"):
                    api.main(check=True)


class Folding(unittest.TestCase):
    def test_long_tables(self):
        table = "<table><tr><th>x</th></tr>" + "<tr><td>1</td></tr>" * 5 + "</table>"
        self.assertEqual(pages.fold(f"<p>{table}</p>"), f"<p><details><summary>The table: 5 rows</summary>{table}</details></p>")
        short = table.replace("<tr><td>1</td></tr>", "", 1)
        self.assertEqual(pages.fold(short), short)


class Search(unittest.TestCase):
    def test_the_longest_name_counts(self):
        with mock.patch.object(pages, "SEARCH", [["a/", "2", ""], ["a/b/", "3", "x y"], ["a/b.md", "4", "z"]]):
            found = [pages.found_by(uri) for uri in ("a/c.md", "a/b/c.md", "a/b.md", "c/a/b.md", "a")]
        self.assertEqual(found, [(2, ""), (3, "x y"), (4, "z"), (1, ""), (1, "")])

    def test_every_name_is_there(self):
        for name, boost, _ in pages.SEARCH:
            self.assertTrue(name in ("reference/", "playground/") or (pages.ROOT / name).exists(), name)
            self.assertGreater(float(boost), 0)

    def test_the_playground_is_found(self):
        for page, some in (("index.html", {"", "#break-title", "#code-title", "#coins-title"}), ("measure.html", {"", "#claims-title"})):
            entries = list(pages.playground(page))
            self.assertLessEqual(some, {entry["location"].removeprefix(f"playground/{page}") for entry in entries})
            for entry in entries:
                self.assertTrue(entry["title"] and entry["text"] and "<" not in entry["title"] + entry["text"], entry)


class Measurable(unittest.TestCase):
    CHAPTER = '<h2 id="claims-of-jsdgs17">J</h2>'

    def test_claims_have_places_and_links(self):
        table = "<table><tr><td>J5 a</td><td>b</td></tr><tr><td>J5 c</td></tr><tr><td>J12 d</td></tr></table>"
        figure = '<p><img alt="J17: x" src="images/report/J17-browsers.svg" /></p>'
        html = pages.measurable(self.CHAPTER + table + figure, "docs/papers-reproduced.md")
        for item in pages.MEASURED:
            self.assertEqual(html.count(f'id="{item}"'), 1, item)
            self.assertEqual(html.count(f'href="../playground/measure.html#{item}"'), 1, item)
        self.assertIn('<td id="J12">J12 d</td>', html)
        self.assertIn('<div id="J17"><p><img', html)

    def test_no_chapter(self):
        with self.assertLogs("mkdocs.hooks.pages", "WARNING"):
            pages.measurable("<p>", "docs/papers-reproduced.md")


class Folders(unittest.TestCase):
    def test_links_to_folders(self):
        self.assertEqual(pages.without_folders("[a](docs) [b](README.md) [c](gone)", "README.md"), "a [b](README.md) [c](gone)")


class Table(unittest.TestCase):
    """Of the sources as they are: `make reference` has built what has to be."""

    def test_every_language_is_there(self):
        for language in reference.LANGUAGES:
            self.assertGreater(len(reference.index(language)), 20, language)

    def test_names(self):
        table = (reference.ROOT / reference.TABLE).read_text(encoding="utf-8")
        with self.assertNoLogs("mkdocs.hooks.reference", "WARNING"):
            self.assertGreater(reference.linked(table).count("../reference/"), 150)

    def test_a_wrong_name_is_found(self):
        row = "| x | `Bulk::drain` | – | – | `samplez_drain` | `samplez sample --sigma` |"
        with self.assertLogs("mkdocs.hooks.reference", "WARNING") as logs:
            reference.linked(row)
        self.assertEqual(len(logs.output), 2)


if __name__ == "__main__":
    unittest.main()
