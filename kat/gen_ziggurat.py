#!/usr/bin/env python3
"""kat/ziggurat-tables.csv: the bounds of Ziggurat tables from their words alone; and
kat/ziggurat-partitions.csv: partitions of the least area.

Usage: python3 kat/gen_ziggurat.py

Reads the columns sigma, rectangles, precision, omega and words of the file, and writes the others:
the law of the words by rational arithmetic, its distance from D_{Z,sigma} by mpmath with 400
digits.
The density of a column is floor(2^n rho(x)), by mpmath, not the word for log2(e)/(2 sigma^2), which
is checked.

A partition is that of the least area S for which y_0 reaches 1, by bisection with 60 digits from 0.
"""

import sys
from fractions import Fraction
from pathlib import Path

from mpmath import exp, floor, ldexp, log, mp, mpf, nstr, power, sqrt, workdps

mp.dps = 400
PATH = Path(__file__).parent / "ziggurat-tables.csv"
PARTITIONS = PATH.with_name("ziggurat-partitions.csv")
HEAD = "sigma,rectangles,precision,omega,y0-1,sd,r2,r256,r513,rinf,tail,trials,words"


def integers(words, m, n):
    """X_i + 1, 2^n y_i and the fixed-point constant of the layout."""
    digits = -(-n // 32)
    edges, rest = words[: m + 1], words[m + 1 :]
    join = lambda part: sum(w << 32 * (len(part) - 1 - j) for j, w in enumerate(part))
    heights = [join(rest[i * digits : (i + 1) * digits]) >> 32 * digits - n for i in range(m)]
    heights[0] += 1 << n
    constant = rest[m * digits :]
    return edges, heights + [0], mpf(join(constant)) / mpf(2) ** (32 * (len(constant) - 1))


def law(edges, heights, rho, omega):
    """Weights of |x|, m times the probability of a trial, zero's halved; and their sum."""
    weights, above = {}, Fraction(0)
    for i in reversed(range(len(edges) - 1)):
        for x in range(edges[i], edges[i + 1]):
            h, d = heights[i] - heights[i + 1], rho(x) - heights[i + 1]
            count = min(max(-(-(d << omega) // h), 0), 1 << omega)
            weights[x] = above + Fraction(count, edges[i + 1] << omega)
        above += Fraction(1, edges[i + 1])
    weights[0] /= 2
    return weights, sum(weights.values())


def row(sigma, m, n, omega, words):
    s = Fraction(sigma)
    sigma_mp = mpf(s.numerator) / s.denominator
    ideal = lambda x: exp(-mpf(x) ** 2 / (2 * sigma_mp**2))
    edges, heights, constant = integers([int(w, 16) for w in words.split()], m, n)
    kappa = 1 / (2 * sigma_mp**2 * log(mpf(2)))
    assert 0 <= kappa - constant < mpf(2) ** -(n + 103), "the constant is log2(e)/(2 sigma^2), rounded down"
    weights, total = law(edges, heights, lambda x: int(floor(ldexp(ideal(x), n))), omega)
    norm = 1 + 2 * sum(ideal(x) for x in range(1, int(60 * sigma_mp) + 60))
    p = {x: ideal(x) / norm * (1 if x == 0 else 2) for x in weights}
    q = {x: mpf(w.numerator) / w.denominator * total.denominator / total.numerator for x, w in weights.items()}
    tail = 1 - sum(p[x] for x in q if q[x] > 0)
    excess = sum(max(q[x] - p[x], 0) for x in q)
    renyi = lambda a: power(sum(power(q[x], a) * power(p[x], 1 - a) for x in q), mpf(1) / (a - 1)) - 1
    rinf = max(q[x] / p[x] for x in q) - 1
    log2 = lambda v: nstr(log(v, 2), 14)
    bounds = [log2(v) for v in (excess, renyi(2), renyi(256), renyi(513), rinf, tail)]
    y0 = nstr(mpf(heights[0] - (1 << n)) / mpf(2) ** n, 6)
    trials = nstr(mpf(m * total.denominator) / total.numerator, 14)
    return ",".join([sigma, str(m), str(n), str(omega), y0, *bounds, trials, words])


def partition(sigma, tail, m):
    """The edges X_i + 1 and y_0 at the least area, bracketed to 2^-200 of the last rectangle's."""
    with workdps(60):
        width = mpf(Fraction(sigma).numerator) / Fraction(sigma).denominator
        last = int(floor(Fraction(tail) * Fraction(sigma)))

        def at(area):
            edges, y = [last + 1], mpf(0)
            for i in range(m, 0, -1):
                y += area / edges[0]
                if i > 1:
                    if y > 1:
                        return None, None
                    edges.insert(0, min(last, int(floor(width * sqrt(-2 * log(y))))) + 1)
            return [0] + edges, y

        low, high = mpf(0), mpf(last + 1)
        for _ in range(200):
            middle = (low + high) / 2
            y0 = at(middle)[1]
            low, high = (middle, high) if y0 is not None and y0 < 1 else (low, middle)
        edges, y0 = at(high)
        return f"{sigma},{tail},{m},{nstr(y0, 17)}," + " ".join(map(str, edges))


CASES = [
    ("100", "2", 256), ("100", "1", 256), ("100", "1/2", 16), ("100", "5/2", 64), ("100", "251/100", 64), ("1000", "1/100", 40),
    ("10", "1/10", 2), ("3.3311", "2", 63), ("1/2", "2", 8), ("10000", "1", 100), ("10000000", "1/1000", 60), ("10", "13", 63),
]  # fmt: skip


def main():
    lines = [line.split(",") for line in PATH.read_text().splitlines()[1:]]
    rows = [row(f[0], int(f[1]), int(f[2]), int(f[3]), f[-1]) for f in lines]
    partitions = ["sigma,tail,rectangles,y0,edges", *(partition(*case) for case in CASES)]
    for path, lines in ((PATH, [HEAD, *rows]), (PARTITIONS, partitions)):
        text = "\n".join(lines) + "\n"
        if "--check" in sys.argv and path.read_text() != text:
            sys.exit(f"kat/{path.name} differs")
        if "--check" not in sys.argv:
            path.write_text(text)


if __name__ == "__main__":
    main()
