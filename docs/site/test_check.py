"""What is wrong in a site is found, and nothing else."""

import tempfile
import unittest
from pathlib import Path

from check import check


class Check(unittest.TestCase):
    def findings(self, body):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "sub").mkdir()
            (root / "sub" / "page.html").write_text('<h1 id="x">Title</h1><a href="../index.html#top">up</a>')
            (root / "index.html").write_text(f'<body id="top">{body}</body>')
            return list(check(root))

    def test_right(self):
        for body in ['<a href="sub/page.html#x">', '<a href="#top">', '<a href="https://example.org">', '<img src="data:,">']:
            self.assertEqual(self.findings(body), [], body)

    def test_wrong(self):
        for body, what in [
            ('<a href="sub/page.html#y">', "no such anchor"),
            ('<a href="#bottom">', "no such anchor"),
            ('<a href="nowhere.html">', "leads nowhere"),
            ('<a href="sub">', "leads nowhere"),
            ('<img src="sub/none.png">', "leads nowhere"),
            ('<script src="https://example.org/x.js"></script>', "loads https://example.org/x.js"),
            ('<link rel="stylesheet" href="//example.org/x.css">', "loads //example.org/x.css"),
        ]:
            findings = self.findings(body)
            self.assertEqual(len(findings), 1, body)
            self.assertIn(what, findings[0])

    def test_empty(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(len(list(check(Path(folder)))), 1)


if __name__ == "__main__":
    unittest.main()
