#!/usr/bin/env bash
# pyarrow 26.0.1 (2026-11-29).
# Guess: a column of integers up to 2^64 - 1 read from CSV or JSON is uint64, as pandas and Polars keep it whole.
# Seen: one value from 2^63 on turns the column to double, and its other values lose their low bits as well:
# 2^53 + 1 in the same column arrives as 2^53. Both readers infer no type between int64 and double.
# A user meets it on exchanging uint64 thresholds, seeds or hashes by CSV; a schema given by hand keeps them.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    pyarrow==26.0.1

cat >"$tmp/look.py" <<'PYTHON'
import io

import pyarrow as pa
from pyarrow import csv, json

rows = [9007199254740993, 2**63 + 1]
text = "x\n" + "".join(f"{v}\n" for v in rows)
table = csv.read_csv(io.BytesIO(text.encode()))
print("CSV:", table.schema.field("x").type, [int(v) for v in table["x"].to_pylist()])
lines = "".join(f'{{"x": {v}}}\n' for v in rows)
table = json.read_json(io.BytesIO(lines.encode()))
print("JSON:", table.schema.field("x").type, [int(v) for v in table["x"].to_pylist()])
kept = csv.read_csv(io.BytesIO(text.encode()), convert_options=csv.ConvertOptions(column_types={"x": pa.uint64()}))
print("CSV with a type:", kept["x"].to_pylist() == rows)
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
CSV: double [9007199254740992, 9223372036854775808]
JSON: double [9007199254740992, 9223372036854775808]
CSV with a type: True
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
