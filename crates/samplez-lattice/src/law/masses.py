"""Masses of vectors with 40 digits, by mpmath: the constants of tests.rs."""

from fractions import Fraction
from itertools import product

from mpmath import mp, mpf

mp.dps = 60


def masses(rows, sigma, center, vectors, reach):
    square, center = Fraction(sigma) ** 2, [Fraction(c) for c in center]

    def weight(v):
        norm = sum((x - c) ** 2 for x, c in zip(v, center)) / square / 2
        return mp.exp(-mpf(norm.numerator) / norm.denominator)

    total = mpf(0)
    for x in product(range(-reach, reach + 1), repeat=len(rows)):
        total += weight([sum(a * row[k] for a, row in zip(x, rows)) for k in range(len(center))])
    return [weight(v) / total for v in vectors]


three = [[2, 1, 0], [0, 3, 1], [1, 0, 4]]
flat = [[2, 1, 0, 0], [-1, 2, 1, 0], [1, 0, 3, 1]]
cases = [
    ([[2, 1], [0, 3]], "1.3", ["1/3", "-9/5"], [[0, 0], [0, -3], [2, -2], [20, 1]], 40),
    (three, "2.5", ["1/7", "0", "-7.5"], [[0, 0, 0], [-1, 0, -4], [1, -2, -5], [-2, 0, -8]], 34),
    (flat, "0.8", ["3/5", "1/9", "3/2", "1/2"], [[0, 0, 0, 0], [1, 0, 3, 1], [0, 2, 4, 1]], 20),
]
if __name__ == "__main__":
    for n, (rows, sigma, center, vectors, reach) in enumerate(cases):
        for v, mass in zip(vectors, masses(rows, sigma, center, vectors, reach)):
            print(f"    ({n}, &{v}, {mp.nstr(mass, 20)}),")
    # The dual's other terms are below e^-10^5: det/(2πσ²)^(3/2)·exp(-(v - c)²/2σ²).
    for v in ([0, 0, 0], [2, 1, 0], [1000, 1400, 300]):
        norm = (mpf(v[0]) - mpf(1) / 7) ** 2 + mpf(v[1]) ** 2 + (mpf(v[2]) + mpf(15) / 2) ** 2
        print(f"    (3, &{v}, {mp.nstr(25 / (2 * mp.pi * mpf(10)**6) ** mpf(1.5) * mp.exp(-norm / 2 / 10**6), 20)}),")
