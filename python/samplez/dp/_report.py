"""A ledger as one HTML file."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate

from samplez._html import Markup, grid, table
from samplez._numbers import shown
from samplez.dp._ledger import Book, Charge

_STYLE = "body{font-family:sans-serif;margin:2em;color:#222}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.2em .6em}caption{text-align:left;padding:.5em 0}"
# Rows and bars, at most; the size of the picture.
_ROWS, _BARS = 1000, 200
_WIDTH, _HEIGHT, _LEFT, _TOP = 640, 240, 90, 20


def _number(x: Fraction | float) -> str:
    return f"{float(x):.6g}"


def _mechanism(charge: Charge) -> tuple[str, str]:
    """The kind of a release, and its noise and sensitivity."""
    if charge.sigma_squared is not None:
        more = "".join(f", {name} {value}" for name, value in (("dimension", charge.dimension), ("clients", charge.clients)) if value != 1)
        return "discrete Gaussian", f"σ² = {_number(charge.sigma_squared)}, Δ² = {shown(charge.sensitivity_squared)}{more}"
    return ("ε-DP", f"ε = {shown(charge.epsilon)}") if charge.epsilon is not None else ("other", "")


def _picture(totals: list[Fraction], limit: Fraction | None, unit: str) -> Markup:
    """A bar for the total after each release, or after equal parts of many, and a line at the limit."""
    step = -(-len(totals) // _BARS)
    bars = [totals[min(i + step, len(totals)) - 1] for i in range(0, len(totals), step)]
    most = max([*bars, limit or Fraction(0)])
    wide = Fraction(_WIDTH, max(len(bars), 1))
    marks = [
        f'<rect x="{float(_LEFT + i * wide):.2f}" y="{float(_TOP + _HEIGHT * (1 - total / most)):.2f}" width="{float(wide * Fraction(9, 10)):.2f}" '
        f'height="{float(_HEIGHT * total / most):.2f}" fill="#56b4e9"/>'
        for i, total in enumerate(bars)
    ]
    ticks = {Fraction(0): "0"} | ({} if limit is None else {limit: _number(limit)})
    if all(abs(totals[-1] - value) > most / 16 for value in ticks):
        ticks[totals[-1]] = _number(totals[-1])
    for value, text in ticks.items():
        y = float(_TOP + _HEIGHT * (1 - value / most))
        colour = "#d55e00" if value == limit else "#222222"
        marks.append(f'<line x1="{_LEFT}" y1="{y:.2f}" x2="{_LEFT + _WIDTH}" y2="{y:.2f}" stroke="{colour}"/><text x="{_LEFT - 8}" y="{y + 4:.2f}" text-anchor="end" fill="{colour}">{text}</text>')
    caption = f"{unit} spent after each release" if step == 1 else f"{unit} spent after every {step} releases"
    marks.append(f'<text x="{_LEFT}" y="{_TOP + _HEIGHT + 22}" fill="#222222">{caption}{"" if limit is None else "; orange: the limit"}</text>')
    return Markup(f'<svg xmlns="http://www.w3.org/2000/svg" width="{_LEFT + _WIDTH + 10}" height="{_TOP + _HEIGHT + 30}" font-size="13">{"".join(marks)}</svg>')


def report(book: Book, label: str, left: Fraction, facts: dict[str, str]) -> str:
    """The whole file. `left` is in the unit that adds up, and `facts` are rows below those of the ledger."""
    unit = "ε" if book.accounting == "pure" else "ρ"
    totals = list(accumulate((charge.epsilon or Fraction(0)) if unit == "ε" else charge.rho for charge in book.charges))
    limit = None if book.accounting == "exact" or not totals else totals[-1] + left
    said = ", ".join(f"{name} = {shown(value)}" for name, value in zip("ρεδ", book.limit, strict=True) if value is not None)
    rows: dict[str, object] = {"ledger": label, "limit": said, "accounting": book.accounting, "releases": len(book.charges), f"{unit} spent": shown(totals[-1] if totals else Fraction(0))}
    rows |= {"statistical distance": shown(book.distance), "left": f"{unit} = {shown(left)}", **facts, "head of the chain": book.last}
    first = max(len(totals) - _ROWS, 0)
    cells = ((i + 1, *_mechanism(charge), shown(charge.rho), shown(charge.distance), _number(totals[i])) for i, charge in enumerate(book.charges) if i >= first)
    caption = "Releases" if not first else f"The last {_ROWS} of {len(totals)} releases"
    body = grid(("release", "mechanism", "noise", "ρ", "distance", f"{unit} in total"), cells, caption)
    picture = _picture(totals, limit, unit) if totals else ""
    return f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Privacy ledger</title><style>{_STYLE}</style></head><body><h1>Privacy ledger</h1>{table(rows)}{picture}{body}</body></html>\n'
