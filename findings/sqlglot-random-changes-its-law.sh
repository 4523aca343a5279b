#!/usr/bin/env bash
# sqlglot 30.30.0 with DuckDB 2.0.1 (2026-11-30).
# Guess: sqlglot rewrites RANDOM() of SQLite, an integer of 64 bits, for DuckDB, where it is a number in [0, 1). It
# rewrites that of Snowflake, which is such an integer too.
# Seen: RANDOM() stays RANDOM(), without a warning. So a draw from 0 to 3 becomes one of 0 and 1, and back, an event of
# probability 4/5 in DuckDB becomes one of 1/2 in SQLite. For SQLite, Snowflake's gets two arguments, which fail there.
# A user meets it on moving a query that draws noise or a sample: it runs, with another law.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    sqlglot==30.30.0 duckdb==2.0.1

cat >"$tmp/look.py" <<'PYTHON'
import sqlite3

import duckdb
import sqlglot

lite = sqlite3.connect(":memory:")
lite.execute("CREATE TABLE n (i)")
lite.executemany("INSERT INTO n VALUES (?)", [(i,) for i in range(9999)])
duck = duckdb.connect()
duck.execute("CREATE TABLE n AS SELECT * FROM range(9999)")

draw = "SELECT CAST(ABS(RANDOM()) % 4 AS INT) FROM n"
other = sqlglot.transpile(draw, read="sqlite", write="duckdb")[0]
print(other)
print("by SQLite:", *sorted(set(lite.execute(draw))), "by DuckDB:", *sorted(set(duck.execute(other).fetchall())))
coin = "SELECT AVG(CASE WHEN RANDOM() < 0.8 THEN 1.0 ELSE 0.0 END) FROM n"
back = sqlglot.transpile(coin, read="duckdb", write="sqlite")[0]
print(back)
print(f"share by DuckDB: {duck.execute(coin).fetchone()[0]:.1f} by SQLite: {lite.execute(back).fetchone()[0]:.1f}")
print("Snowflake to SQLite:", sqlglot.transpile("SELECT RANDOM()", read="snowflake", write="sqlite")[0])
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
SELECT CAST(ABS(RANDOM()) % 4 AS INT) FROM n
by SQLite: (0,) (1,) (2,) (3,) by DuckDB: (0,) (1,)
SELECT AVG(CASE WHEN RANDOM() < 0.8 THEN 1.0 ELSE 0.0 END) FROM n
share by DuckDB: 0.8 by SQLite: 0.5
Snowflake to SQLite: SELECT RANDOM(-9.223372036854776E+18, 9.223372036854776e+18)
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
