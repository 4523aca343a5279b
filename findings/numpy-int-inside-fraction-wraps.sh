#!/usr/bin/env bash
# NumPy 2.4.6 with fractions.Fraction of Python 3.11 or later (2026-11-29).
# Guess: Fraction is exact, so Fraction(np.int64(2**40), 3) squared is 2^80/9.
# Seen: its numerator is 0. Fraction accepts NumPy integers as rationals and keeps them, so its products and
# sums are int64 products and wrap; a sum of two small positive fractions even has a negative denominator.
# A user meets it on passing a width or a budget from an array to an exact sampler that works in Fraction.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import warnings
from fractions import Fraction

import numpy as np

warnings.simplefilter("ignore")
square = Fraction(np.int64(2**40), 3) ** 2
print("square:", int(square.numerator), "over", int(square.denominator))
one = Fraction(np.int64(1), np.int64(2**40)) + Fraction(np.int64(1), np.int64(2**40 - 1))
print("sum of two positive ones, denominator:", int(one.denominator))
print("int8 100 + 100:", int(Fraction(np.int8(100)) + Fraction(np.int8(100))))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
square: 0 over 9
sum of two positive ones, denominator: -1099511627776
int8 100 + 100: -56
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
