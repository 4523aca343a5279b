#!/usr/bin/env bash
# Numba 0.68.1 with NumPy 2.4.6 (2026-11-30).
# Guess: 1 added to an element of a uint64 array is uint64 in compiled code, as in NumPy 2, or float64, as Numba did in
# earlier years.
# Seen: it is int64: 2^63 + 1 is -9223372036854775807, and x * 1 is negative too. An element of uint64 and one of int64
# add to an int64 as well, which NumPy makes a double. A constant np.uint64(1) helps.
# A user meets it on compiling a lookup in a table of 64-bit thresholds, where the result decides a comparison.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numba==0.68.1 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import numba
import numpy as np

table = np.array([2**63], np.uint64)
CASES = {
    "x + 1": lambda x, y: x[0] + 1,
    "x * 1": lambda x, y: x[0] * 1,
    "x + 1 > x": lambda x, y: x[0] + 1 > x[0],
    "x + int64": lambda x, y: x[0] + y[0],
    "x + np.uint64(1)": lambda x, y: x[0] + np.uint64(1),
}
for name, function in CASES.items():
    plain, compiled = function(table, np.array([1])), numba.njit(function)(table, np.array([1]))
    print(f"{name}: NumPy {plain}, Numba {compiled}")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
x + 1: NumPy 9223372036854775809, Numba -9223372036854775807
x * 1: NumPy 9223372036854775808, Numba -9223372036854775808
x + 1 > x: NumPy True, Numba False
x + int64: NumPy 9.223372036854776e+18, Numba -9223372036854775807
x + np.uint64(1): NumPy 9223372036854775809, Numba 9223372036854775809
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
