#!/usr/bin/env bash
# Polars 2.1.0 (2026-11-30).
# Guess: dot of int8 columns is wide, as sum, cum_sum and product are: 100 * 100 three times is 30000.
# Seen: its type is Int64, but each product is wrapped to Int8 before the sum: 48.
# A user meets it on second moments and correlations of small noise in narrow columns: the wide type hides it.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    polars==2.1.0

cat >"$tmp/look.py" <<'PYTHON'
import polars as pl

frame = pl.DataFrame({"x": [100, 100, 100]}, schema={"x": pl.Int8})
x = pl.col("x")
for name, value in (
    ("dot", x.dot(x)),
    ("sum of squares", (x**2).sum()),
    ("sum of squares after a cast", (x.cast(pl.Int64) ** 2).sum()),
    ("sum", x.sum()),
    ("product", x.product()),
):
    column = frame.select(value.alias("y"))["y"]
    print(name, column.dtype, column.item())
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
dot Int64 48
sum of squares Int64 48
sum of squares after a cast Int64 30000
sum Int64 300
product Int64 1000000
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
