#!/usr/bin/env bash
# Daft 0.7.26 (2026-11-30).
# Guess: // and % of a Daft column have Python's meaning, as those of pandas and Polars: -7 // 2 is -4, and -7 % 3 is 2.
# Seen: they are -3 and -1. Integers beyond 2^53 are exact.
# A user meets it on grouping signed samples in bins of width 2: the bin of zero holds three integers, and others two.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    daft==0.7.26 polars==2.1.0

cat >"$tmp/look.py" <<'PYTHON'
import daft
import polars as pl

x = [-4, -3, -2, -1, 0, 1, 2, 3, 2**62 + 3]
frame = daft.from_pydict({"x": x}).select((daft.col("x") // 2).alias("q"), (daft.col("x") % 3).alias("r")).to_pydict()
other = pl.DataFrame({"x": x}).select(q=pl.col("x") // 2, r=pl.col("x") % 3)
print("Python", [k // 2 for k in x], [k % 3 for k in x])
print("Polars", other["q"].to_list(), other["r"].to_list())
print("Daft  ", frame["q"], frame["r"])
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
Python [-2, -2, -1, -1, 0, 0, 1, 1, 2305843009213693953] [2, 0, 1, 2, 0, 1, 2, 0, 1]
Polars [-2, -2, -1, -1, 0, 0, 1, 1, 2305843009213693953] [2, 0, 1, 2, 0, 1, 2, 0, 1]
Daft   [-2, -1, -1, 0, 0, 0, 1, 1, 2305843009213693953] [-1, 0, -2, -1, 0, 1, 2, 0, 1]
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
