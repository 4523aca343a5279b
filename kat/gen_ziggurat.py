#!/usr/bin/env python3
"""kat/ziggurat-tables.csv: the bounds of Ziggurat tables from their words alone.

Usage: python3 kat/gen_ziggurat.py

Reads the columns sigma, rectangles, precision, omega and words of the file, and writes the others:
the law of the words by rational arithmetic, its distance from D_{Z,sigma} by mpmath with 400
digits.
The density of a column is floor(2^n rho(x)), by mpmath, not the word for log2(e)/(2 sigma^2), which
is checked.
"""

import sys
from fractions import Fraction
from pathlib import Path

from mpmath import exp, floor, ldexp, log, mp, mpf, nstr, power

mp.dps = 400
PATH = Path(__file__).parent / "ziggurat-tables.csv"
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


def main():
    lines = [line.split(",") for line in PATH.read_text().splitlines()[1:]]
    rows = [row(f[0], int(f[1]), int(f[2]), int(f[3]), f[-1]) for f in lines]
    text = "\n".join([HEAD, *rows]) + "\n"
    if "--check" in sys.argv:
        sys.exit(0 if PATH.read_text() == text else "kat/ziggurat-tables.csv differs")
    PATH.write_text(text)


if __name__ == "__main__":
    main()
