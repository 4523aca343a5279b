#!/usr/bin/env python3
"""The acceptance probabilities of BLISS, by mpmath.

    python3 kat/gen_bliss_acceptance.py

writes bliss-acceptance.csv next to itself. Nothing here is shared with the Rust code: p is computed as it is defined,
by an exponential and a hyperbolic cosine of 800-bit floats.
"""

import random
from pathlib import Path

from mpmath import cosh, exp, floor, log, mp, mpf

HERE = Path(__file__).resolve().parent
mp.prec = 800
KS = [118, 254, 126, 295, 320]


def probability(k, a, along):
    """floor(2^256 e^(-a/f)/cosh(2 along/f)), f = k^2/ln 2; at most 2^256 - 1."""
    f = mpf(k * k) / log(mpf(2))
    return min(int(floor(mpf(2) ** 256 * exp(-a / f) / cosh(2 * along / f))), 2**256 - 1)


def main():
    rng = random.Random(13)
    lines = ["k,a,along,probability"]
    for k in KS:
        square = k * k
        places = [(1 << i, 0) for i in range(17)] + [(0, 1 << i) for i in range(29)]
        places += [(n * square + d, 0) for n in (1, 2, 64, 127, 128, 255, 256) for d in (-1, 0, 1)]
        places += [(0, n * square // 2 + d) for n in (1, 2, 3, 64) for d in (-1, 0, 1)]
        places += [(0, 0), (square, square), (3 * square - 1, 0), (1 << 30, 1 << 28), (5, (1 << 29) - 1)]
        places += [(rng.randrange(3 * square), rng.randrange(4 * square)) for _ in range(40)]
        places += [(rng.randrange(square), rng.randrange(64 * square)) for _ in range(10)]
        for a, along in places:
            lines.append(f"{k},{a},{along},{probability(k, a, along):064x}")
    (HERE / "bliss-acceptance.csv").write_text("\n".join(lines) + "\n")


main()
