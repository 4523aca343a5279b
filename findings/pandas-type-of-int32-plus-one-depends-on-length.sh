#!/usr/bin/env bash
# pandas 3.1.1 with NumExpr 2.14.2 (2026-11-30).
# Guess: int32 + 1 has one type, whatever the number of rows.
# Seen: with NumExpr installed, it is int32 up to a million rows, and 2147483647 + 1 wraps; above, it is int64, and right.
# Without NumExpr, and with int8, int16 or uint8, the type is the same at each length.
# A user meets it on trying a program on few rows: the long run has other types, and other numbers.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    pandas==3.1.1 numexpr==2.14.2 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import numpy as np
import pandas as pd

for rows in (3, 1_000_000, 1_000_001):
    narrow = pd.Series(np.full(rows, 2**31 - 1, dtype="int32"))
    small = pd.Series(np.full(rows, 127, dtype="int8"))
    print(rows, "int32 + 1:", (narrow + 1).dtype, (narrow + 1).iloc[0], "int8 + 1:", (small + 1).dtype, (small + 1).iloc[0], end=" ")
    pd.set_option("compute.use_numexpr", False)
    print("without NumExpr:", (narrow + 1).dtype)
    pd.set_option("compute.use_numexpr", True)
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
3 int32 + 1: int32 -2147483648 int8 + 1: int8 -128 without NumExpr: int32
1000000 int32 + 1: int32 -2147483648 int8 + 1: int8 -128 without NumExpr: int32
1000001 int32 + 1: int64 2147483648 int8 + 1: int8 -128 without NumExpr: int32
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
