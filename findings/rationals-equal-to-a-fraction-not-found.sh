#!/usr/bin/env bash
# SymPy 1.14.0, gmpy2 2.3.2 and python-flint 0.9.0 with fractions.Fraction of Python 3.11 or later (2026-11-29).
# Guess: a rational of such a library equals the Fraction of its value, and finds it as a key of a dict. It was
# written down for python-flint; gmpy2 and SymPy ran in the same first look.
# Seen: gmpy2's does both. SymPy's 1/2 equals Fraction(1, 2) but has another hash, so a dict has both and finds
# neither by the other. python-flint's has the same hash and is unequal, though it equals an int.
# A user meets it on looking up a probability or a width: the table of Fractions seems to lack it.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    gmpy2==2.3.2 python-flint==0.9.0 sympy==1.14.0

cat >"$tmp/look.py" <<'PYTHON'
from fractions import Fraction

import flint
import gmpy2
import sympy

half = Fraction(1, 2)
for name, make in (("gmpy2", gmpy2.mpq), ("SymPy", sympy.Rational), ("python-flint", flint.fmpq)):
    one = make(1, 2)
    print(f"{name}: equal {one == half}, same hash {hash(one) == hash(half)}, found {one in {half: 0.5}}, 3 found {make(3) in {3: 1}}")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
gmpy2: equal True, same hash True, found True, 3 found True
SymPy: equal True, same hash False, found False, 3 found True
python-flint: equal False, same hash True, found False, 3 found True
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
