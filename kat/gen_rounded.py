#!/usr/bin/env python3
"""Correctly rounded values of the law D_{Z,sigma,c}, by mpmath.

    python3 kat/gen_rounded.py

writes law-rounded.csv next to itself. Nothing here is shared with the Rust code: below
sigma = 2000 every term of a sum is an exponential of its own, above sums are erfc with the
midpoint form of Euler and Maclaurin, checked here against plain sums where both are open.
"""

from fractions import Fraction
from pathlib import Path

from mpmath import bernoulli, erfc, exp, factorial, floor, fsum, log, mp, mpf, pi, sqrt

from gen_law import rational, two_variances

HERE = Path(__file__).resolve().parent
mp.prec = 2400
ORDER = 40


def double(x):
    """The nearest double, ties to even: the quotient of two Python integers is."""
    sign, man, e, _ = mpf(x)._mpf_
    f = Fraction(man) * Fraction(2) ** e
    return -(f.numerator / f.denominator) if sign else f.numerator / f.denominator


class Law:
    def __init__(self, form, q, center):
        self.v, self.c = two_variances(form, q), rational(center)
        self.sigma = sqrt(self.v / 2)
        self.mode = int(floor(self.c + mpf(1) / 2))

    def rho(self, x):
        """Over that of the mode."""
        return exp(((self.mode - self.c) ** 2 - (x - self.c) ** 2) / self.v)


class Narrow(Law):
    def __init__(self, *law):
        super().__init__(*law)
        # Beyond, terms are below 2^-2400 of the last one that rounds to more than 0.
        n = int(70 * self.sigma) + 90
        self.first = self.mode - n
        self.w = [self.rho(x) for x in range(self.mode - n, self.mode + n + 1)]
        self.total = fsum(self.w)
        self.left, self.right = [mpf(0)], [mpf(0)]
        for w in self.w:
            self.left.append(self.left[-1] + w)
        for w in reversed(self.w):
            self.right.append(self.right[-1] + w)

    def pmf(self, x):
        i = x - self.first
        return self.w[i] / self.total if 0 <= i < len(self.w) else mpf(0)

    def cdf(self, x):
        return self.left[min(max(x - self.first + 1, 0), len(self.w))] / self.total

    def sf(self, x):
        return self.right[min(max(len(self.w) - 1 - (x - self.first), 0), len(self.w))] / self.total

    def mean(self):
        return self.mode + fsum((self.first + i - self.mode) * w for i, w in enumerate(self.w)) / self.total

    def var(self):
        mean = self.mean()
        return fsum((self.first + i - mean) ** 2 * w for i, w in enumerate(self.w)) / self.total

    def entropy(self):
        # -log p = log Z - log w, and log w is a polynomial.
        gap = lambda x: ((x - self.c) ** 2 - (self.mode - self.c) ** 2) / self.v
        others = self.total - 1
        mean = fsum(gap(self.first + i) * w for i, w in enumerate(self.w)) / self.total
        return (mp.log1p(others) + mean) / log(2)


class Wide(Law):
    """The normaliser is sigma sqrt(2 pi) to 2^-700 and better, by Poisson's sum."""

    def pmf(self, x):
        return exp(-((x - self.c) ** 2) / self.v) / sqrt(pi * self.v)

    def sf(self, x):
        """Sum over k > x: with y = x + 1/2 - c, the integral from y on plus
        sum_j (1 - 2^(1-2j)) B_2j/(2j)! f^(2j-1)(y), f' and so on by Hermite polynomials."""
        y = x + mpf(1) / 2 - self.c
        u = y / self.sigma
        density = exp(-u * u / 2) / sqrt(pi * self.v)
        total, before, hermite = erfc(y / sqrt(self.v)) / 2, mpf(1), u
        for j in range(1, ORDER):
            # f^(n) = (-1)^n He_n(u) f/sigma^n, n odd
            derivative = -hermite * density / self.sigma ** (2 * j - 1)
            total += (1 - mpf(2) ** (1 - 2 * j)) * bernoulli(2 * j) / factorial(2 * j) * derivative
            for n in (2 * j - 1, 2 * j):
                before, hermite = hermite, u * hermite - n * before
        return total

    def cdf(self, x):
        mirrored = Wide.__new__(Wide)
        mirrored.v, mirrored.c, mirrored.sigma = self.v, -self.c, self.sigma
        return mirrored.sf(-x - 1)

    def mean(self):
        return self.c

    def var(self):
        return self.v / 2

    def entropy(self):
        return log(sqrt(pi * self.v)) / log(2) + 1 / (2 * log(2))


def checked():
    narrow, wide = Narrow("sigma", "700", "1/3"), Wide("sigma", "700", "1/3")
    for x in [-26000, -3000, -1, 0, 1, 500, 27000]:
        for name in ("pmf", "cdf", "sf"):
            a, b = getattr(narrow, name)(x), getattr(wide, name)(x)
            assert abs(a / b - 1) < mpf(10) ** -80, (x, name, mp.nstr(a / b - 1, 5))


def quantile(law, q):
    exact = Fraction(q)
    if q == 0.5 and (2 * law.c) % 2 == 1:
        return law.mode - 1  # P(X <= c - 1/2) is exactly 1/2, by symmetry
    q = mpf(exact.numerator) / exact.denominator
    enough = lambda x: law.cdf(x) >= q
    low, high = law.mode - int(45 * law.sigma) - 3, law.mode + int(45 * law.sigma) + 3
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


LAWS = [("sigma", q, c) for q in ("1/10", "3/10", "1", "16/5", "499/100", "5", "41/2", "215", "999")
        for c in ("0", "1/3", "1/2", "-22/7")] + [
    ("sigma", "1/27", "0"), ("sigma", "1/27", "1/1000"), ("sigma", "6004799503160661/1125899906842624", "5/4"),
    ("sigma-squared", "1/7", "2/5"), ("sigma-squared", "1000", "1/3"), ("sigma-squared", "9", "9007199254740993"),
    ("k-sigma2", "1", "0"), ("k-sigma2", "3", "-1/3"), ("k-sigma2", "254", "1/9"), ("s", "1", "1/5"), ("s", "8", "0"),
    ("s", "167/20", "1/3"), ("s", "900", "-1/4")] + [
    ("sigma", q, c) for q in (str(2**20), "1e9", str(2**50), str(2**53 + 1)) for c in ("0", "1/3", "1/2", "-1000000000001/3")] + [
    ("sigma", str(2**62), "0"), ("sigma-squared", str(2**60 + 1), "1/3"), ("k-sigma2", "1e12", "0"), ("s", "1e15", "-5/2")]


def rows():
    for form, q, center in LAWS:
        law = (Narrow if two_variances(form, q) < 2 * 2000**2 else Wide)(form, q, center)
        s, m = max(1, int(law.sigma)), law.mode
        row = lambda kind, value, a="", b="": f"{form},{q},{center},{kind},{a},{b},{value!r}"
        steps = {0, 1, 2, 3, s // 3, s, 2 * s + 1, 5 * s, 6 * s, 13 * s + 2, 26 * s, 37 * s, 38 * s, 38 * s + s // 2, 39 * s}
        xs = sorted(x for k in steps for x in {m + k, m - k} if abs(x) < 2**63)
        for x in xs:
            for kind in ("pmf", "cdf", "sf"):
                yield row(kind, double(getattr(law, kind)(x)), x)
        for a, b in [(-s, s), (-1, 0), (1, 600), (-700, -2), (3 * s, 4 * s), (-9 * s, 2 - 8 * s), (7 * s, 7 * s + 511), (37 * s, 40 * s)]:
            a, b = m + a, m + b
            if a <= b and abs(a) < 2**63 and abs(b) < 2**63:
                both = law.cdf(b) - law.cdf(a - 1) if b < m else law.sf(a - 1) - law.sf(b)
                yield row("mass", double(both), a, b)
        # Where these are ties for sigma >= 5, the term that is left out here decides: see `ties`.
        yield row("mean", double(law.mean()))
        yield row("var", ties(law, law.var()))
        yield row("std", ties(law, sqrt(law.var())))
        yield row("entropy", double(law.entropy()))
        if law.sigma < 2**60:
            for p in (5e-324, 1e-300, 1e-30, 2.0**-40, 0.025, 0.25, 0.5, 0.75, 0.999, 1 - 2.0**-53):
                yield row("ppf", quantile(law, p), p)


def ties(law, x):
    """For a wide law the variance is sigma^2 (1 - 8 pi^2 sigma^2 e^(-2 pi^2 sigma^2) cos(2 pi c) + ...): it is
    sigma^2 but for the direction in which a tie is broken."""
    if isinstance(law, Wide):
        direction = -1 if abs(law.c - law.mode) < mpf(1) / 4 else 1
        x *= 1 + direction * mpf(2) ** -2000
    return double(x)


if __name__ == "__main__":
    checked()
    text = "\n".join(["form,q,center,kind,a,b,value", *rows()]) + "\n"
    (HERE / "law-rounded.csv").write_text(text)
