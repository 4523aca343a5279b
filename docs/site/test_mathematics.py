"""What documents type is rendered, and code is not touched."""

import unittest

from mathematics import blocks, formulas

MINUS = '<mo stretchy="false">−</mo>'


class Formulas(unittest.TestCase):
    def test_indices_and_exponents(self):
        self.assertEqual(
            formulas("<p>P of D_{Z,σ,c}.</p>"),
            "<p>P of <math><msub><mi>D</mi><mrow><mi>Z</mi>,<mi>σ</mi>,<mi>c</mi></mrow></msub></math>.</p>".replace(",", MINUS.replace("−", ",")),
        )
        for text, parts in [
            ("e^{−k²/2}", [f"<msup><mi>e</mi><mrow>{MINUS}<mi>k</mi><mn>²</mn>"]),
            ("2^{−i−1}", ["<msup><mn>2</mn>", "<mi>i</mi>"]),
            ("2^-64", ["<msup><mn>2</mn><mrow>" + MINUS.replace("−", "-") + "<mn>64</mn></mrow></msup>"]),
            ("S_{n−1}", ["<msub><mi>S</mi>"]),
            ("D_Z", ["<msub><mi>D</mi><mrow><mi>Z</mi></mrow></msub>"]),
            ("x_{i}^{2}", ["<msubsup>"]),
            ("e^{−x_{i}}", ["<msub><mi>x</mi>"]),
            ("Σ_{i&lt;n} i", [MINUS.replace("−", "&lt;")]),
            ("Σ (−γ)^i/i!", ["<msup>" + MINUS.replace("−", ")") + "<mrow><mi>i</mi></mrow></msup></math>/i!"]),
            ("(e^{−½})^{i²+4i}", ["<msup>" + MINUS.replace("−", ")")]),
        ]:
            html = formulas(f"<p>{text}</p>")
            self.assertNotRegex(html, r"[_^]\{", text)
            for part in parts:
                self.assertIn(part, html, text)

    def test_what_is_no_formula_stays(self):
        for html in [
            "<p>a &lt; b &amp; c</p>",
            "<code>D_{Z}</code>",
            "<pre>x^{2}</pre>",
            '<a href="x_{1}">log2_sd, a_b_c, 100_000, k_sigma2</a>',
            "<p>_{ and ^ alone, x^</p>",
            "<p>an open x_{brace</p>",
        ]:
            self.assertEqual(formulas(html), html)

    def test_blocks(self):
        block = '<div class="highlight"><pre><span></span><code>{}</code></pre></div>'
        html = blocks(block.format("P(z) = e^{−1}\n  ≤ 1\n"))
        self.assertTrue(html.startswith('<div class="formula">P(z) = <math>') and html.endswith("\n  ≤ 1</div>"), html)
        self.assertEqual(blocks(block.format("make test\n")), block.format("make test\n"))


if __name__ == "__main__":
    unittest.main()
