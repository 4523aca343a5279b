#!/usr/bin/env python3
"""Vectors for the law D_{Z,sigma,c} and its CDT tables, by mpmath.

    python3 kat/gen_law.py

writes law-values.csv, law-tables.csv and law-thresholds.csv next to itself. Nothing here is
shared with the Rust code: probabilities are sums of exponentials in 1500-bit floats, tables
follow the rules in words, and a bound is the definition of its quantity.
"""

from fractions import Fraction
from pathlib import Path

from mpmath import erfc, exp, floor, fsum, log, mp, mpf, pi, sqrt

HERE = Path(__file__).resolve().parent
mp.prec = 1500


def rational(text):
    f = Fraction(text)
    return mpf(f.numerator) / f.denominator


def two_variances(form, q):
    """2 sigma^2."""
    q = rational(q)
    return {"sigma": 2 * q * q, "sigma-squared": 2 * q, "k-sigma2": q * q / log(2), "s": q * q / pi}[form]


class Law:
    def __init__(self, form, q, center, reach=47):
        """Weights of every x within reach sigma: enough for 1500 bits."""
        self.v, self.c = two_variances(form, q), rational(center)
        self.sigma = sqrt(self.v / 2)
        self.mode = int(floor(self.c + mpf(1) / 2))
        n = int(reach * self.sigma) + 3
        self.xs = range(self.mode - n, self.mode + n + 1)
        least = (self.mode - self.c) ** 2
        weights = [exp((least - (x - self.c) ** 2) / self.v) for x in self.xs]
        total = fsum(weights)
        self.p = {x: w / total for x, w in zip(self.xs, weights)}

    def mass(self, a, b):
        return fsum(p for x, p in self.p.items() if a <= x <= b)


class WideLaw:
    """sigma > 2^20: sums are integrals with the midpoint corrections of Euler and Maclaurin."""

    def __init__(self, form, q, center):
        self.v, self.c = two_variances(form, q), rational(center)
        self.sigma = sqrt(self.v / 2)

    def pmf(self, x):
        return exp(-((x - self.c) ** 2) / self.v) / sqrt(pi * self.v)

    def mass(self, a, b):
        def below(y):  # of the sum over x > y, y half-integral
            f, u = exp(-(y * y) / self.v) / sqrt(pi * self.v), y / self.sigma
            first = -u / self.sigma * f
            third = -(u**3 - 3 * u) / self.sigma**3 * f
            return erfc(y / sqrt(self.v)) / 2 + first / 24 - 7 * third / 5760
        return below(a - self.c - mpf(1) / 2) - below(b - self.c + mpf(1) / 2)


def text(x, digits=25):
    return mp.nstr(x, digits, min_fixed=0, max_fixed=0)


LAWS = [
    (form, q, center)
    for form, q in [("sigma", "16/5"), ("sigma", "1/2"), ("sigma", "3/4"), ("sigma", "1"), ("sigma", "215"),
                    ("sigma-squared", "10"), ("sigma-squared", "1/3"), ("k-sigma2", "1"), ("k-sigma2", "254"),
                    ("s", "167/20"), ("s", "1/2"), ("sigma", "499/100"), ("sigma", "5")]
    for center in ["0", "1/3", "1/2", "-22/7"]
] + [("sigma", "1/20", "1/3"), ("sigma", "1/20", "0"), ("sigma", "1/8", "-1/2"), ("sigma", "511", "1/7"),
     ("sigma", "512", "1/7"), ("sigma-squared", "9000000", "1000000000001/2")]


def first_heavy(xs, p, limit):
    """The first x at which the sum of the p so far reaches the limit."""
    total = mpf(0)
    for x in xs:
        total += p[x]
        if total >= limit:
            return x


def value_rows():
    for form, q, center in LAWS:
        law = Law(form, q, center, reach=40)
        def row(kind, value, a="", b=""):
            return ",".join([form, q, center, kind, str(a), str(b), text(value)])
        sigma, mode = int(law.sigma) + 1, law.mode
        yield row("sigma", law.sigma)
        for k in [0, 1, 2, sigma, 3 * sigma, 9 * sigma, 20 * sigma, 33 * sigma]:
            for x in {mode + k, mode - k}:
                if law.p.get(x, mpf(0)) > mpf(2) ** -1022:
                    yield row("pmf", law.p[x], x)
        ranges = [(-sigma, sigma), (0, 0), (1, 4 * sigma), (-9 * sigma, -3 * sigma), (9 * sigma, 40 * sigma),
                  (-3 * sigma, -3 * sigma + 1), (20 * sigma, 23 * sigma)]
        for a, b in ranges:
            if (mass := law.mass(mode + a, mode + b)) > mpf(2) ** -1022:
                yield row("mass", mass, mode + a, mode + b)
        mean = fsum(x * p for x, p in law.p.items())
        yield row("mean", mean)
        for name, power in [("variance", 2), ("third", 3), ("fourth", 4)]:
            yield row(name, fsum((x - mean) ** power * p for x, p in law.p.items()))
        # The third moment's yardstick.
        yield row("absolute-third", fsum(abs(x - mean) ** 3 * p for x, p in law.p.items()))
        yield row("entropy", -fsum(p * log(p, 2) for p in law.p.values() if p > 0))
        for log2 in [-2, -40, -128, -700]:
            a = first_heavy(law.xs, law.p, mpf(2) ** log2)
            b = first_heavy(reversed(law.xs), law.p, mpf(2) ** log2)
            yield row("tail", mpf(log2), a, b)
    for form, q, center in [("sigma", str(2**40), "0"), ("sigma", str(2**40), "1/3"), ("s", str(10**15), "-5/2"),
                            ("k-sigma2", "1000000007", "0"), ("sigma-squared", str(2**60), "123456789012345678")]:
        law = WideLaw(form, q, center)
        s, m = int(law.sigma), int(floor(law.c))
        for x in [m, m + 1, m - 3 * s, m + 12 * s, m - 38 * s]:
            yield ",".join([form, q, center, "pmf", str(x), "", text(law.pmf(x))])
        for a, b in [(-s, s), (0, 0), (-5, 1000), (s, s + 100000), (12 * s, 100 * s), (-100 * s, -30 * s),
                     (-(10**6), 9 * s), (6 * s, 6 * s + s // 1000), (-100 * s, 100 * s), (-38 * s, -37 * s)]:
            yield ",".join([form, q, center, "mass", str(m + a), str(m + b), text(law.mass(m + a, m + b))])


def nearest(x):
    return floor(x + mpf(1) / 2)


def table(law, precision, rounding):
    """(shape, first, [T_1 ... T_n]) by the rules of docs/proofs/cdt.md."""
    scale, mode = mpf(2) ** precision, law.mode
    if law.c == mode:
        shape, p = "folded", [law.p[mode]] + [2 * law.p[mode + k] for k in range(1, len(law.xs) // 2)]
        first, at_mode = mode, 0
    else:
        shape, p = "full", [law.p[x] for x in law.xs]
        first, at_mode = law.xs[0], mode - law.xs[0]
    tails, tail = [], mpf(0)
    if rounding == "floor":
        weights = [floor(scale * x) for x in p]
        weights[at_mode] = 0
        weights[at_mode] = scale - fsum(weights)
        for w in reversed(weights):
            tail += w
            tails.append(tail)
    else:
        for x in reversed(p):
            tail += x
            tails.append(nearest(scale * tail))
        if shape == "folded":
            tails[:-1] = [min(t, scale - 1) for t in tails[:-1]]
    tails.reverse()
    if shape == "full":
        while tails[1] == scale:  # nothing falls on the first value
            tails, first = tails[1:], first + 1
    tails = [int(t) for t in tails[1:] if t > 0] or [0]
    return shape, first, tails


def bounds(law, shape, first, tails, precision):
    """log2 of SD, R_2 - 1, R_256 - 1, R_513 - 1, R_inf - 1, tail."""
    scale = mpf(2) ** precision
    edges = [2**precision, *tails, 0]
    q = {}
    for j in range(len(edges) - 1):
        w = mpf(edges[j] - edges[j + 1]) / scale
        if shape == "full":
            q[first + j] = w
        elif j == 0:
            q[first] = w
        else:
            q[first + j] = q[first - j] = w / 2
    q = {x: w for x, w in q.items() if w > 0}
    rest = 1 - fsum(law.p[x] for x in q)
    sd = (fsum(abs(w - law.p[x]) for x, w in q.items()) + rest) / 2
    out = [sd]
    for a in (2, 256, 513):
        # sum q (q/p)^(a-1) - 1, as a sum of non-negative terms p((1+d)^a - 1 - ad)
        total = rest * (a - 1)
        for x, w in q.items():
            p = law.p[x]
            d = (w - p) / p
            total += p * ((1 + d) ** a - 1 - a * d)
        out.append((1 + total) ** (mpf(1) / (a - 1)) - 1)
    out.append(max(w / law.p[x] for x, w in q.items()) - 1)
    out.append(rest)
    return [mp.nstr(log(x, 2), 12) for x in out]


TABLES = [(form, q, c, b, "floor") for form, q, c in [
    ("sigma", "18205/10000", "0"), ("sigma", "33311/10000", "0"), ("sigma", "16/5", "0"), ("sigma", "39/2", "0"),
    ("sigma", "215", "0"), ("sigma", "16/5", "1/3"), ("sigma", "16/5", "1/2"), ("sigma-squared", "10", "-7/5"),
    ("k-sigma2", "254", "0"), ("s", "167/20", "0"), ("s", "167/20", "3/8"), ("sigma", "1/2", "1000000000000"),
    ("sigma", "20", "-1000000000001/3")] for b in (16, 64, 72, 80, 128, 192, 256)
] + [("sigma", q, "0", b, "nearest") for q in ("18205/10000", "33311/10000", "39/2", "215") for b in (64, 72)
] + [("sigma", "16/5", "1/3", 64, "nearest"), ("k-sigma2", "17", "1/2", 32, "nearest"),
     ("sigma", "1/2", "1/2", 1, "floor"), ("sigma", "1/2", "0", 1, "floor"), ("sigma", "16/5", "0", 1, "floor"),
     ("sigma", "16/5", "0", 2, "floor"), ("sigma", "16/5", "1/3", 5, "floor"), ("sigma", "1/4", "0", 8, "floor"),
     ("sigma", "1/4", "1/3", 8, "floor"), ("sigma", "16/5", "0", 33, "floor"), ("sigma", "16/5", "1/3", 2, "nearest"),
     ("sigma", "16/5", "0", 1, "nearest")]


def main():
    values = ["form,q,center,kind,a,b,value", *value_rows()]
    (HERE / "law-values.csv").write_text("\n".join(values) + "\n")
    laws = {}
    rows = ["form,q,center,precision,rounding,shape,first,n,sd,r2,r256,r513,rinf,tail"]
    thresholds = ["form,q,center,precision,rounding,j,threshold"]
    for form, q, c, b, rounding in TABLES:
        key = (form, q, c)
        law = laws.setdefault(key, None) or Law(*key)
        laws[key] = law
        shape, first, tails = table(law, b, rounding)
        head = f"{form},{q},{c},{b},{rounding}"
        rows.append(f"{head},{shape},{first},{len(tails)}," + ",".join(bounds(law, shape, first, tails, b)))
        if law.sigma < 5:
            thresholds += [f"{head},{j},{t:x}" for j, t in enumerate(tails, 1)]
    (HERE / "law-tables.csv").write_text("\n".join(rows) + "\n")
    (HERE / "law-thresholds.csv").write_text("\n".join(thresholds) + "\n")


if __name__ == "__main__":
    main()
