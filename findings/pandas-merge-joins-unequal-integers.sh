#!/usr/bin/env bash
# pandas 3.1.1 with NumPy 2.4.6 (2026-11-29).
# Guess: a merge of int64 with uint64 keys compares integers, as isin does, or is refused.
# Seen: where one table has a -1 and the other a 2^64 - 1, 2^53 + 1 joins 2^53, in an int64 column and with no warning;
# without these it does not. The nullable Int64 and UInt64 join the two already alone. isin keeps them apart.
# A user meets it where one table has unsigned keys (hashes, seeds) and the other read them as signed ones.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6 pandas==3.1.1

cat >"$tmp/look.py" <<'PYTHON'
import warnings

import pandas as pd

warnings.simplefilter("error")
for one, two, more_left, more_right in (
    ("int64", "uint64", [], []),
    ("int64", "uint64", [-1], [2**64 - 1]),
    ("Int64", "UInt64", [], []),
):
    left = pd.DataFrame({"k": pd.Series([2**53 + 1, *more_left], dtype=one)})
    right = pd.DataFrame({"k": pd.Series([2**53, *more_right], dtype=two)})
    joined = left.merge(right, on="k")
    print(f"{one} with {two}, {len(left)} rows: {len(joined)} joined, {joined.k.dtype}; isin: {left.k.isin(right.k).any()}")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
int64 with uint64, 1 rows: 0 joined, int64; isin: False
int64 with uint64, 2 rows: 1 joined, int64; isin: False
Int64 with UInt64, 1 rows: 1 joined, Int64; isin: False
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
