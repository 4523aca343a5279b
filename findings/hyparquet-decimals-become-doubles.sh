#!/usr/bin/env bash
# hyparquet 1.33.0 with a file of PyArrow 26.0.1 (2026-11-30).
# Guess: an exact decimal is read as a bigint or a text, since int64 is read as a bigint.
# Seen: each decimal is a double. 2^53 + 1 in decimal(18, 0) is 9007199254740992, beside 9007199254740993n of the same number
# in int64, and 10^37 + 1 is 1e+37. The statistics of the column are rounded as well.
# A user meets it on exact sums and wide integers, which engines store as decimals in Parquet.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    pyarrow==26.0.1
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" hyparquet@1.33.0

cat >"$tmp/write.py" <<'PYTHON'
from decimal import Decimal

import pyarrow as pa
from pyarrow import parquet

columns = {"int64": (2**53 + 1, pa.int64()), "decimal18": (Decimal(2**53 + 1), pa.decimal128(18, 0))}
columns["decimal38"] = (Decimal(10**37 + 1), pa.decimal128(38, 0))
table = pa.table({name: pa.array([value], kind) for name, (value, kind) in columns.items()})
parquet.write_table(table, "look.parquet", compression="none")
print("pyarrow", *(f"{name} {parquet.read_table('look.parquet')[name][0]}" for name in columns))
PYTHON

cat >"$tmp/look.mjs" <<'JAVASCRIPT'
import fs from "node:fs";
import { parquetReadObjects } from "hyparquet";

const { buffer, byteOffset, length } = fs.readFileSync("look.parquet");
const [row] = await parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + length) });
console.log("hyparquet", ...Object.entries(row).map(([name, value]) => `${name} ${value} (${typeof value})`));
JAVASCRIPT

cat >"$tmp/expected" <<'EXPECTED'
pyarrow int64 9007199254740993 decimal18 9007199254740993 decimal38 10000000000000000000000000000000000001
hyparquet int64 9007199254740993 (bigint) decimal18 9007199254740992 (number) decimal38 1e+37 (number)
EXPECTED

cd "$tmp"
{
    venv/bin/python write.py
    node look.mjs
} | tee seen
diff expected seen
