#!/usr/bin/env bash
# DuckDB 2.0.1 with NumPy 2.4.6 (2026-11-29).
# Guess: sum() of a BIGINT column is exact, within the engine and wherever its result is written.
# Seen: it is a HUGEINT and exact in fetchall, but fetchnumpy and a Parquet file have no 128-bit integers, so
# both take a DOUBLE with no word: 2^53 + 1 arrives as 2^53. The column itself, a BIGINT, is exact in both.
# A user meets it on storing totals of wide noise or ledgers: cast with sum(x)::BIGINT before either exit.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    duckdb==2.0.1 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import duckdb

file = "sums.parquet"
query = "select sum(x) s, max(x) m from (values (9007199254740993)) t(x)"
print("fetchall:", duckdb.sql(query).fetchall())
found = duckdb.sql(query).fetchnumpy()
print("fetchnumpy:", {k: (str(v.dtype), int(v[0])) for k, v in found.items()})
duckdb.sql(f"copy ({query}) to '{file}' (format parquet)")
print("Parquet:", duckdb.sql(f"select typeof(s), s::BIGINT, typeof(m), m from '{file}'").fetchall())
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
fetchall: [(9007199254740993, 9007199254740993)]
fetchnumpy: {'s': ('float64', 9007199254740992), 'm': ('int64', 9007199254740993)}
Parquet: [('DOUBLE', 9007199254740992, 'BIGINT', 9007199254740993)]
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
