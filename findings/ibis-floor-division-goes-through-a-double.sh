#!/usr/bin/env bash
# ibis-framework 12.0.0 with DuckDB 2.0.1 and Polars 2.1.0 (2026-11-30).
# Guess: x // 2 of int64 is exact on each backend.
# Seen: for DuckDB, SQLite and PostgreSQL ibis writes FLOOR of a real quotient, so (2^62 + 3) // 2 is 2^61;
# the Polars backend is exact. And for DuckDB x // 3 rounds down while x % 3 takes the sign of x: -7 gives -3 and -1.
# A user meets it on splitting wide integers, such as hashes, seeds or fixed-point sums, in a portable expression.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    ibis-framework==12.0.0 duckdb==2.0.1 polars==2.1.0 pyarrow==26.0.1 \
    pandas==3.1.1 sqlglot==30.30.0 packaging==26.4 pyarrow-hotfix==0.7 rich==15.0.0

cat >"$tmp/look.py" <<'PYTHON'
import duckdb
import ibis
import polars as pl

wide = 2**62 + 3
table = ibis.table({"x": "int64"}, name="t")
query = table.select(half=table.x // 2, third=table.x // 3, rest=table.x % 3)
for dialect in ("duckdb", "sqlite", "postgres"):
    print(dialect, " ".join(str(ibis.to_sql(table.select(q=table.x // 2), dialect=dialect)).split()))
duck = duckdb.connect()
duck.execute(f"CREATE TABLE t AS SELECT unnest([{wide}, -7])::BIGINT AS x")
print("Python", [(x // 2, x // 3, x % 3) for x in (wide, -7)])
print("DuckDB", duck.execute(str(ibis.to_sql(query, dialect="duckdb"))).fetchall())
polars = ibis.polars.connect({"t": pl.DataFrame({"x": [wide, -7]})})
print("Polars", [tuple(row.values()) for row in polars.to_pyarrow(query).to_pylist()])
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
duckdb SELECT CAST(FLOOR(( "t0"."x" ) / ( 2 )) AS BIGINT) AS "q" FROM "t" AS "t0"
sqlite SELECT CAST(FLOOR(CAST(( "t0"."x" ) AS REAL) / ( 2 )) AS INTEGER) AS "q" FROM "t" AS "t0"
postgres SELECT CAST(FLOOR(CAST(( "t0"."x" ) AS DOUBLE PRECISION) / ( 2 )) AS BIGINT) AS "q" FROM "t" AS "t0"
Python [(2305843009213693953, 1537228672809129302, 1), (-4, -3, 2)]
DuckDB [(2305843009213693952, 1537228672809129216, 1), (-4, -3, -1)]
Polars [(2305843009213693953, 1537228672809129302, 1), (-4, -3, 2)]
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
