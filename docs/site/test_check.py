"""What is wrong in a site is found, and nothing else."""

import json
import tempfile
import unittest
from pathlib import Path

from check import check, search


class Check(unittest.TestCase):
    def findings(self, body):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "sub").mkdir()
            (root / "sub" / "page.html").write_text('<h1 id="x">Title</h1><a href="../index.html#top">up</a>')
            (root / "index.html").write_text(f'<body id="top">{body}</body>')
            return list(check(root))

    def test_right(self):
        for body in ['<a href="sub/page.html#x">', '<a href="#top">', '<a href="https://example.org">', '<img src="data:,">', "<pre>e^{x}</pre>"]:
            self.assertEqual(self.findings(body), [], body)

    def test_wrong(self):
        for body, what in [
            ('<a href="sub/page.html#y">', "no such anchor"),
            ('<a href="#bottom">', "no such anchor"),
            ('<a href="nowhere.html">', "leads nowhere"),
            ('<a href="sub">', "leads nowhere"),
            ('<img src="sub/none.png">', "leads nowhere"),
            ('<script src="https://example.org/x.js"></script>', "loads https://example.org/x.js"),
            ("<p>a D_{Z,σ} b</p>", "D_{Z,σ} is not rendered"),
            ("<code>x</code><li>e^{−x}", "e^{−x} is not rendered"),
            ('<link rel="stylesheet" href="//example.org/x.css">', "loads //example.org/x.css"),
        ]:
            findings = self.findings(body)
            self.assertEqual(len(findings), 1, body)
            self.assertIn(what, findings[0])

    def test_descriptions(self):
        with tempfile.TemporaryDirectory() as folder:
            for page, text in [("a", "one"), ("b", "two"), ("c", "one")]:
                (Path(folder) / f"{page}.html").write_text(f'<meta name="description" content="{text}">')
            self.assertEqual(list(check(Path(folder))), ["c.html: its description is that of a.html"])

    def test_search(self):
        for text, count in [("Rényi's renyi", 0), ("Rényi's", 1), ("others", 1)]:
            with tempfile.TemporaryDirectory() as folder:
                (Path(folder) / "search").mkdir()
                index = json.dumps({"docs": [{"title": "", "text": text}]})
                (Path(folder) / "search/search_index.json").write_text(index)
                self.assertEqual(len(list(search(Path(folder)))), count, text)

    def test_search_finds_the_reference(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "search").mkdir()
            (root / "reference").mkdir()
            (root / "reference" / "c.html").write_text('<h3 id="draw">draw</h3><h3 id="stop">stop</h3>')
            entry = {"title": "draw", "text": "Rényi renyi", "location": "reference/c.html#draw"}
            (root / "search/search_index.json").write_text(json.dumps({"docs": [entry]}))
            self.assertEqual(list(search(root)), ["search: does not find stop of reference/c.html"])

    def test_rustdoc_is_not_looked_at(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "rust").mkdir()
            (root / "rust" / "x.html").write_text('<a href="gone.html">')
            (root / "index.html").write_text('<a href="rust/x.html">')
            self.assertEqual(list(check(root)), [])
            (root / "index.html").write_text('<a href="rust/y.html">')
            self.assertEqual(len(list(check(root))), 1)

    def test_links_to_the_playground(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "index.html").write_text('<a href="playground/index.html#x"><a href="playgrounds/index.html">')
            self.assertEqual(len(list(check(root))), 1)
            (root / "playground").mkdir()
            self.assertEqual(len(list(check(root))), 2)
            (root / "playground/index.html").write_text('<p id="y">')
            self.assertIn("no such anchor", "".join(check(root)))

    def test_empty(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(len(list(check(Path(folder)))), 1)


if __name__ == "__main__":
    unittest.main()
