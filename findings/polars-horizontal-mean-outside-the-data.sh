#!/usr/bin/env bash
# Polars 2.1.0 (2026-11-30).
# Guess: mean_horizontal of int8 columns is their mean as a double, and sum_horizontal widens as sum does, which
# returns Int64 for Int8.
# Seen: both wrap in Int8: the mean of 100 and 100 is -28. The sum of a column, of a list, and a rolling sum are 200.
# The same sum of an Int32 column wraps, as only 8 and 16 bits are widened.
# A user meets it on averaging several noise columns of one byte row by row.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    polars==2.1.0

cat >"$tmp/look.py" <<'PYTHON'
import polars as pl

frame = pl.DataFrame({"a": [100, -100], "b": [100, -100]}, schema={"a": pl.Int8, "b": pl.Int8})
print(frame.select(sum=pl.sum_horizontal("a", "b"), mean=pl.mean_horizontal("a", "b")).rows())
pairs = pl.concat_list("a", "b").list
print("of lists:", frame.select(sum=pairs.sum(), mean=pairs.mean()).rows())
column = pl.Series([100, 100], dtype=pl.Int8)
print("of a column:", column.sum(), column.mean(), "rolling:", column.rolling_sum(2)[1])
for kind in (pl.Int8, pl.Int16, pl.Int32, pl.Int64):
    most = pl.select(pl.lit(0, kind).upper_bound()).item()
    total = pl.Series([most, most], dtype=kind).sum()
    print(f"{kind}: {most} + {most} is", total)
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
[(-56, -28.0), (56, 28.0)]
of lists: [(200, 100.0), (-200, -100.0)]
of a column: 200 100.0 rolling: 200
Int8: 127 + 127 is 254
Int16: 32767 + 32767 is 65534
Int32: 2147483647 + 2147483647 is -2
Int64: 9223372036854775807 + 9223372036854775807 is -2
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
