#!/usr/bin/env bash
# NumPy 2.4.6 (2026-11-29).
# Guess: searchsorted of a Python int or an int64 in a uint64 table is exact, as the comparison >= of them is.
# Seen: table and number are both turned to float64 first, so 2^62 + 1 is put before 2^62, and intersect1d of
# such arrays has equal floats, several times. With the number as np.uint64 it is exact.
# A user meets it on inversion by a cumulative table of 64 bits: the index is wrong near each threshold.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import numpy as np

base = 2**62
table = np.array([base, base + 1, base + 2], dtype=np.uint64)
number = np.array([base + 1], dtype=np.int64)
print("searchsorted of a Python int:", int(np.searchsorted(table, base + 1)))
print("searchsorted of int64:", np.searchsorted(table, number).tolist())
print("searchsorted of uint64:", np.searchsorted(table, number.astype(np.uint64)).tolist())
print("first place where the table is >= the int64:", int(np.argmax(table >= number)))
both = np.intersect1d(table, number)
print("intersect1d:", both.dtype, len(both), "numbers,", len(set(both.tolist())), "of them different")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
searchsorted of a Python int: 0
searchsorted of int64: [0]
searchsorted of uint64: [1]
first place where the table is >= the int64: 1
intersect1d: float64 3 numbers, 1 of them different
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
