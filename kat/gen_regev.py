"""Letter errors of multi-bit Regev, by the convolution itself: python3 kat/gen_regev.py [--check].

The law of a*e modulo q, for a uniform in {-r, ..., r} and e of D_Z, is written down entry by entry; its m-fold convolution comes by
numpy's FFT; every residue is decoded by rounding in rational arithmetic. Shares nothing with the Rust code. Prints, or compares with,
kat/regev-letter-error.csv: n, l, m, q, r, t, form of the width, its value, and the probability that a letter below 2^floor(lg t)
is read wrongly.
"""

import math
import pathlib
import sys
from fractions import Fraction

import numpy

SETS = [
    (136, 136, 2008, 2003, 1, 2, "s", Fraction("0.0065") * 2003),
    (166, 166, 1319, 4093, 4, 2, "s", Fraction("0.0024") * 4093),
    (192, 192, 1500, 8191, 5, 4, "s", Fraction("0.0009959") * 8191),
    (214, 214, 1333, 16381, 12, 4, "s", Fraction("0.00045") * 16381),
    (233, 233, 1042, 32749, 59, 2, "s", Fraction("0.000217") * 32749),
    (233, 233, 4536, 32749, 1, 40, "s", Fraction("0.000217") * 32749),
    (256, 256, 4972, 32749, 1, 2, "sigma", Fraction("55.5649")),
    (256, 64, 2868, 12289, 1, 2, "sigma", Fraction("17.5")),
    (64, 64, 760, 4093, 2, 7, "sigma", Fraction("6.5")),
    (128, 128, 1600, 12289, 3, 3, "sigma_squared", Fraction("130.3")),
]


def letter_error(m, q, r, t, form, value):
    sigma = {"s": float(value) / math.sqrt(2 * math.pi), "sigma": float(value), "sigma_squared": math.sqrt(value)}[form]
    reach = int(12 * sigma) + 1
    weights = {e: math.exp(-e * e / (2 * sigma * sigma)) for e in range(-reach, reach + 1)}
    total = math.fsum(weights.values())
    one = numpy.zeros(q)
    for a in range(-r, r + 1):
        for e, weight in weights.items():
            one[a * e % q] += weight / total / (2 * r + 1)
    error = numpy.fft.irfft(numpy.fft.rfft(one) ** m, q)
    letters = 2 ** int(math.log2(t))
    half = Fraction(1, 2)
    wrong = []
    for x in range(letters):
        place = math.floor(Fraction(x * q, t) + half)
        for v in range(q):
            if (2 * v * t + q) // (2 * q) % t != x:
                wrong.append(error[(v - place) % q])
    return math.fsum(wrong) / letters


def main():
    lines = ["n,l,m,q,r,t,form,value,letter_error"]
    for n, l, m, q, r, t, form, value in SETS:
        lines.append(f"{n},{l},{m},{q},{r},{t},{form},{value},{letter_error(m, q, r, t, form, value):.9e}")
    text = "\n".join(lines) + "\n"
    path = pathlib.Path(__file__).with_name("regev-letter-error.csv")
    if sys.argv[1:] == ["--check"]:
        if path.read_text() != text:
            sys.exit(f"{path.name} is not what this program makes")
    else:
        path.write_text(text)


main()
