#!/usr/bin/env python3
"""What the law D_{Z,sigma,c} has as a distribution besides its probabilities, by mpmath: their logarithms to the far tails,
quantiles from above, raw moments, skewness, excess kurtosis and entropy in several bases, each as the double nearest to it.

    python3 kat/gen_distribution.py

writes law-distribution.csv next to itself. Nothing here is shared with the Rust code: narrow laws are sums of exponentials in 800-bit
floats; of wide ones the normaliser is sigma sqrt(2 pi), moments are the normal law's, and tails are sums where they have few terms and
else erfc with the midpoint form of Euler and Maclaurin.
"""

from fractions import Fraction
from math import inf
from pathlib import Path

from mpmath import bernoulli, binomial, erfc, exp, fac2, factorial, floor, fsum, log, mp, mpf, pi, sqrt

from gen_law import rational, two_variances

HERE = Path(__file__).resolve().parent
mp.prec = 800
ORDER = 24
BITS = 700  # terms this far below the sum are left out


def double(x):
    """The nearest double, ties to even: the quotient of two Python integers is. Infinite beyond."""
    sign, man, e, _ = mpf(x)._mpf_
    if man and e + man.bit_length() < -1200:
        return 0.0
    f = Fraction(man) * Fraction(2) ** e if e < 3000 else None
    try:
        size = inf if f is None else f.numerator / f.denominator
    except OverflowError:
        size = inf
    return -size if sign and size else size


class Law:
    def __init__(self, form, q, center):
        self.v, self.c = two_variances(form, q), rational(center)
        self.sigma = sqrt(self.v / 2)
        self.mode = int(floor(self.c + mpf(1) / 2))
        self.narrow = self.sigma < 20
        if self.narrow:
            reach = int(36 * self.sigma) + 60
            self.values = range(self.mode - reach, self.mode + reach + 1)
            self.weights = [exp(((self.mode - self.c) ** 2 - (x - self.c) ** 2) / self.v) for x in self.values]
            # ln of the sum of all weights over that of the mode, with relative precision; and the mean's distance from the mode
            others = fsum(w for x, w in zip(self.values, self.weights) if x != self.mode)
            self.total, self.log_total = 1 + others, mp.log1p(others)

    def logpmf(self, x):
        gap = ((x - self.c) ** 2 - (self.mode - self.c) ** 2) / self.v
        if self.narrow:
            return -gap - self.log_total
        return -((x - self.c) ** 2) / self.v - log(sqrt(pi * self.v))

    def log_above(self, x):
        """ln P(X > x) for x >= mode, x >= c + 1/2 - 1."""
        y = x + 1
        slope = (2 * (y - self.c) + 1) / self.v  # of -ln P at y
        if self.narrow or BITS / slope < 20000:
            ratio, term, total = exp(-slope), mpf(1), mpf(0)
            step = exp(-2 / self.v)
            while total == 0 or term > total * mpf(2) ** -BITS:
                total, term, ratio = total + term, term * ratio, ratio * step
            return self.logpmf(y) + log(total)
        z = x + mpf(1) / 2 - self.c
        u = z / self.sigma
        density = exp(-u * u / 2) / sqrt(pi * self.v)
        total, before, hermite = erfc(z / sqrt(self.v)) / 2, mpf(1), u
        for j in range(1, ORDER):
            derivative = -hermite * density / self.sigma ** (2 * j - 1)
            total += (1 - mpf(2) ** (1 - 2 * j)) * bernoulli(2 * j) / factorial(2 * j) * derivative
            for n in (2 * j - 1, 2 * j):
                before, hermite = hermite, u * hermite - n * before
        return log(total)

    def mirrored(self):
        other = Law.__new__(Law)
        other.__dict__.update(self.__dict__)
        other.c = -self.c
        other.mode = -self.mode
        if self.narrow:
            # the same weights, over that of the mirrored mode
            other.values, other.weights = range(-self.values[-1], -self.values[0] + 1), self.weights[::-1]
        return other

    def logsf(self, x):
        if x >= self.mode:
            return self.log_above(x)
        return mp.log1p(-exp(self.mirrored().log_above(-x - 1)))

    def logcdf(self, x):
        return self.mirrored().logsf(-x - 1)

    def moment(self, n):
        if self.narrow:
            return fsum(mpf(x) ** n * w for x, w in zip(self.values, self.weights)) / self.total
        return fsum(
            binomial(n, 2 * j) * (fac2(2 * j - 1) if j else 1) * self.c ** (n - 2 * j) * (self.v / 2) ** j for j in range(n // 2 + 1)
        )

    def shape(self):
        """Skewness and excess kurtosis."""
        shift = [(x - self.mode, w) for x, w in zip(self.values, self.weights)]
        lean = fsum(k * w for k, w in shift) / self.total
        m2, m3, m4 = (fsum((k - lean) ** n * w for k, w in shift) / self.total for n in (2, 3, 4))
        return m3 / sqrt(m2) ** 3, m4 / m2**2 - 3

    def nats(self):
        if not self.narrow:
            return log(sqrt(pi * self.v)) + mpf(1) / 2
        gap = lambda x: ((x - self.c) ** 2 - (self.mode - self.c) ** 2) / self.v
        return self.log_total + fsum(gap(x) * w for x, w in zip(self.values, self.weights)) / self.total


LAWS = [("sigma", q, c) for q in ("1e-9", "1/10", "3/10", "1", "2", "16/5", "9/2", "499/100", "5", "215") for c in ("0", "1/3", "-22/7")] + [
    ("sigma", q, "1/2") for q in ("1e-9", "3/10", "16/5", "215")] + [
    ("sigma", "1/27", "1/1000"), ("sigma", "16/5", "1/18446744073709551615"), ("sigma", "1/2", "9223372036854775807"), ("sigma-squared", "1/7", "2/5"),
    ("sigma-squared", "1000", "1/3"), ("sigma-squared", "9", "9007199254740993"), ("k-sigma2", "3", "-1/3"), ("k-sigma2", "254", "1/9"),
    ("s", "8", "0"), ("s", "167/20", "1/3"), ("sigma", "1e9", "-1000000000001/3"), ("sigma", str(2**57), "0"), ("sigma", str(2**57), "1/3"),
    ("sigma", str(2**62), "-7/3"), ("k-sigma2", "1e12", "0"), ("s", "1e15", "-5/2")]


def rows():
    for form, q, center in LAWS:
        law = Law(form, q, center)
        s, m = max(1, int(law.sigma)), law.mode
        row = lambda kind, value, a="": f"{form},{q},{center},{kind},{a},{value!r}"
        steps = {0, 1, 2, s // 3, s, 2 * s + 1, 6 * s, 13 * s + 2, 38 * s, 60 * s, 1000 * s, 10**6 * s + 7, 10**12 * s, 2**61, 2**63 - 1}
        xs = sorted({x for k in steps for x in (m + k, m - k) if abs(x) < 2**63})
        for x in [-(2**63), *xs[:: 1 if law.narrow else 2], 2**63 - 1]:
            for kind in ("logpmf", "logcdf", "logsf"):
                yield row(kind, double(getattr(law, kind)(mpf(x))), x)
        for n in (1, 2, 3, 4, 5, 6, 7, 8, 15, 32):
            yield row("moment", double(law.moment(n)), n)
        if law.narrow:
            # the law with centre halfway or 0 has no skewness, but for what is rounded here
            skew, kurtosis = law.shape()
            symmetric = (2 * law.c) % 1 == 0
            yield row("skew", 0.0 if symmetric else double(skew))
            yield row("kurtosis", double(kurtosis))
        for base in (1.0 + 2.0**-52, 1.5, 2.0, 10.0, 256.0, 1e300):
            yield row("entropy", double(law.nats() / log(mpf(base))), base)
        yield row("nats", double(law.nats()))
        yield row("median", median(law))
        if law.sigma < 2**56:
            for p in (5e-324, 1e-30, 0.025, 0.5, 0.75, 1 - 2.0**-53):
                yield row("isf", isf(law, p), p)


def median(law):
    return law.mode - 1 if (2 * law.c) % 2 == 1 else law.mode


def isf(law, p):
    if p == 0.5:
        return median(law)  # exactly 1/2 is possible, by symmetry
    least = log(mpf(p))
    enough = lambda x: law.logsf(mpf(x)) <= least
    low, high = law.mode - int(40 * law.sigma) - 3, law.mode + int(40 * law.sigma) + 3
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


if __name__ == "__main__":
    text = "\n".join(["form,q,center,kind,a,value", *rows()]) + "\n"
    (HERE / "law-distribution.csv").write_text(text)
