#!/usr/bin/env bash
# gmpy2 2.3.2 (2026-11-29).
# Guess: int(mpfr("2.7")) is 2, since int() of a number cuts towards zero in Python.
# Seen: it is 3, and mpz(mpfr("2.7")) too: both round to the nearest (the context's rounding), while
# mpz(2.7) and mpz(mpq(27, 10)) are 2 and math.trunc(mpfr("2.7")) is 2.
# A user meets it in a sampler whose int(u * n) picks an index: index n turns up, and 0 half as often.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    gmpy2==2.3.2

cat >"$tmp/look.py" <<'PYTHON'
import math

import gmpy2
from gmpy2 import mpfr, mpq, mpz

print("int:", int(mpfr("2.7")), int(2.7))
print("mpz:", mpz(mpfr("2.7")), mpz(2.7), mpz(mpq(27, 10)))
print("math.trunc:", math.trunc(mpfr("2.7")))
print("int of -2.7:", int(mpfr("-2.7")))
with gmpy2.context(round=gmpy2.RoundToZero):
    print("int where the context rounds to zero:", int(mpfr("2.7")))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
int: 3 2
mpz: 3 2 2
math.trunc: 2
int of -2.7: -3
int where the context rounds to zero: 2
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
