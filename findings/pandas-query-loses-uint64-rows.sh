#!/usr/bin/env bash
# pandas 3.1.1 with NumExpr 2.14.2 (2026-11-30).
# Guess: a query on a uint64 column compares its numbers, or refuses them, as NumExpr has no unsigned 64-bit type.
# Seen: NumExpr reads them as int64 without a word, so a number from 2^63 on is negative: `u > 5` does not find it,
# and NumExpr's sum of 2^64 - 1 twice is -2. With the engine "python", pandas finds the row.
# A user meets it on selecting seeds, hashes or uniform 64-bit numbers: half of the rows are lost.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    pandas==3.1.1 numexpr==2.14.2 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import numexpr
import numpy as np
import pandas as pd

u = np.array([2**63, 7, 2**64 - 1], dtype="uint64")
table = pd.DataFrame({"u": u})
for text in ("u > 5", "u < 5"):
    print(text, *(f"{engine} {table.query(text, engine=engine).u.tolist()}" for engine in ("numexpr", "python")))
print("NumExpr", numexpr.evaluate("u + 0"), numexpr.evaluate("u / 2"))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
u > 5 numexpr [7] python [9223372036854775808, 7, 18446744073709551615]
u < 5 numexpr [9223372036854775808, 18446744073709551615] python []
NumExpr [-9223372036854775808                    7                   -1] [-4.61168602e+18  3.50000000e+00 -5.00000000e-01]
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
