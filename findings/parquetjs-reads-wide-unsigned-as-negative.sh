#!/usr/bin/env bash
# @dsnp/parquetjs 1.8.8 with a file of PyArrow 26.0.1 (2026-11-30).
# Guess: unsigned columns are read as they were written, since uint8 and uint16 are.
# Seen: of uint32, 2^32 - 1 is -1, and of uint64, 2^64 - 1 is -1n: the two wide types are read as signed, although the file
# marks them as unsigned. Exact decimals are raw bytes.
# A user meets it on seeds, hashes and uniform words in a Parquet file: half of them are negative.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    pyarrow==26.0.1
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" @dsnp/parquetjs@1.8.8

cat >"$tmp/write.py" <<'PYTHON'
import pyarrow as pa
from pyarrow import parquet

types = {"uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64}
parquet.write_table(pa.table({name: pa.array([1, 2**bits - 1], name) for name, bits in types.items()}), "look.parquet")
read = parquet.read_table("look.parquet")
print("pyarrow", *(f"{name} {read[name].to_pylist()}" for name in types))
PYTHON

cat >"$tmp/look.mjs" <<'JAVASCRIPT'
import parquet from "@dsnp/parquetjs";

const reader = await parquet.ParquetReader.openFile("look.parquet");
const cursor = reader.getCursor();
for (let row = await cursor.next(); row; row = await cursor.next()) {
  console.log("parquetjs", ...Object.entries(row).map(([name, value]) => `${name} ${value}`));
}
await reader.close();
JAVASCRIPT

cat >"$tmp/expected" <<'EXPECTED'
pyarrow uint8 [1, 255] uint16 [1, 65535] uint32 [1, 4294967295] uint64 [1, 18446744073709551615]
parquetjs uint8 1 uint16 1 uint32 1 uint64 1
parquetjs uint8 255 uint16 65535 uint32 -1 uint64 -1
EXPECTED

cd "$tmp"
{
    venv/bin/python write.py
    node look.mjs
} | tee seen
diff expected seen
