#!/usr/bin/env bash
# Polars 2.1.0, pyarrow 26.0.1 and DuckDB 2.0.1 (2026-11-30).
# Guess: a column of Int128 in a Parquet file is decimal(38, 0) or HUGEINT to other readers.
# Seen: it is 16 plain bytes, so DuckDB has a BLOB, without a warning, and pyarrow refuses the file, even where only the
# int64 column beside it is asked for. Polars itself reads integers.
# A user meets it on exact sums: Polars makes Int128 of Python integers beyond 64 bits.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    polars==2.1.0 pyarrow==26.0.1 duckdb==2.0.1

cat >"$tmp/look.py" <<'PYTHON'
import duckdb
import polars as pl
import pyarrow
import pyarrow.parquet as pq

frame = pl.DataFrame({"narrow": [1, 2], "wide": [2**64 + 1, -5]})
print(dict(frame.schema))
frame.write_parquet("look.parquet")
print("Polars", pl.read_parquet("look.parquet")["wide"].to_list())
print("DuckDB", duckdb.sql("SELECT typeof(wide), hex(wide) FROM 'look.parquet'").fetchall())
for columns in (["narrow", "wide"], ["narrow"]):
    try:
        print("pyarrow", columns, pq.read_table("look.parquet", columns=columns).to_pydict())
    except pyarrow.ArrowNotImplementedError as error:
        print("pyarrow", columns, type(error).__name__, error)
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
{'narrow': Int64, 'wide': Int128}
Polars [18446744073709551617, -5]
DuckDB [('BLOB', '01000000000000000100000000000000'), ('BLOB', 'FBFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF')]
pyarrow ['narrow', 'wide'] ArrowNotImplementedError Integers with more than 64 bits not implemented
pyarrow ['narrow'] ArrowNotImplementedError Integers with more than 64 bits not implemented
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
