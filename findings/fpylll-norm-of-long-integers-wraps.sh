#!/usr/bin/env bash
# fpylll 0.6.4 (2026-11-30).
# Guess: a matrix of int_type "long" refuses entries beyond 64 bits, and a norm, which is a float, is right.
# Seen: the norm of (2^40, 1) is 1, and the exact Gram matrix of a GSO has 2^80 + 1 as 1: both sum squares in 64 bits.
# A product of two such matrices is exact, and so are the norm and the Gram matrix of the GSO in floats.
# A user meets it on choosing long entries for speed: vectors from 2^32 on seem short.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    cysignals==1.12.5 fpylll==0.6.4

cat >"$tmp/look.py" <<'PYTHON'
from fpylll import GSO, IntegerMatrix

for kind in ("mpz", "long"):
    basis = IntegerMatrix.from_matrix([[2**40, 1], [0, 2**40]], int_type=kind)
    exact, floats = GSO.Mat(basis, flags=GSO.INT_GRAM), GSO.Mat(basis)
    for gso in (exact, floats):
        gso.update_gso()
    print(f"{kind}: norm {basis[0].norm():.6g}, exact Gram {exact.get_int_gram(0, 0)}, Gram in floats {floats.get_gram(0, 0):.6g},",
          f"product {(basis * basis)[0, 0]}")
try:
    IntegerMatrix.from_matrix([[2**63]], int_type="long")
except OverflowError as error:
    print("2^63:", error)
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
mpz: norm 1.09951e+12, exact Gram 1208925819614629174706177, Gram in floats 1.20893e+24, product 1208925819614629174706176
long: norm 1, exact Gram 1, Gram in floats 1.20893e+24, product 1208925819614629174706176
2^63: Python int too large to convert to C long
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
