#!/usr/bin/env bash
# pandas 3.1.1 with NumPy 2.4.6 (2026-11-29).
# Guess: combine_first and update leave integers beyond 2^53 as they are, or return floats.
# Seen: combine_first of a DataFrame rounds every integer to a double, also those that nothing replaces, and update of
# a Series each value that it writes. Both return int64, with no warning. combine_first of a Series and update of a
# DataFrame are exact.
# A user meets it on filling a column of 64-bit keys, seeds or sums from a second table.
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
B = 2**53


def show(name, column):
    print(name, column.dtype, [value - B for value in column.tolist()], "above 2^53")


first, more = pd.DataFrame({"x": [B + 1, B + 5]}), pd.DataFrame({"x": [B + 3]}, index=[2])
show("combine_first of a DataFrame:", first.combine_first(more).x)
show("combine_first of a Series:", first.x.combine_first(more.x))

old, new = pd.DataFrame({"x": [B + 1, B + 5]}), pd.DataFrame({"x": [B + 3]}, index=[0])
column = old.x.copy()
column.update(new.x)
show("update of a Series:", column)
old.update(new)
show("update of a DataFrame:", old.x)
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
combine_first of a DataFrame: int64 [0, 4, 4] above 2^53
combine_first of a Series: int64 [1, 5, 3] above 2^53
update of a Series: int64 [4, 5] above 2^53
update of a DataFrame: int64 [3, 5] above 2^53
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
