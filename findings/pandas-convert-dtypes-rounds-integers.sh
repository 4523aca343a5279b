#!/usr/bin/env bash
# pandas 3.1.1 with NumPy 2.4.6 (2026-11-29).
# Guess: convert_dtypes turns a column of Python ints and None into Int64 exactly, as the constructor does. It ran
# beside combine_first, under one guess: nothing rounds without a float in its result.
# Seen: it returns Int64, and 2^53 + 1 has become 2^53; with no None beside it, the integer stays exact. Strings
# through to_numeric(dtype_backend="numpy_nullable") are exact too.
# A user meets it after rows of dicts or a database, where a missing value made the column one of objects.
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
big = 2**53 + 1
mixed = pd.Series([big, None], dtype=object)
for name, column in (
    ("convert_dtypes, with None", mixed.convert_dtypes()),
    ("convert_dtypes, without", mixed[:1].convert_dtypes()),
    ("astype", mixed.astype("Int64")),
    ("to_numeric of strings", pd.to_numeric(pd.Series([str(big), None]), dtype_backend="numpy_nullable")),
):
    print(f"{name}: {column.dtype} {column[0] - 2**53} above 2^53")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
convert_dtypes, with None: Int64 0 above 2^53
convert_dtypes, without: Int64 1 above 2^53
astype: Int64 1 above 2^53
to_numeric of strings: Int64 1 above 2^53
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
