#!/usr/bin/env bash
# DuckDB 2.0.1 (2026-11-29).
# Guess: comparing a HUGEINT with a UHUGEINT is exact, as BIGINT with UBIGINT is.
# Seen: both are turned to DOUBLE, so 2^53 + 1 = 2^53 is true, a join over the two finds pairs that differ, and a
# list of the two types is one of doubles. BIGINT with UBIGINT meets in HUGEINT and is exact.
# A user meets it where an unsigned 128-bit key (a hash, a uniform number) meets a signed sum.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    duckdb==2.0.1

cat >"$tmp/look.py" <<'PYTHON'
import duckdb

for one, two in (("BIGINT", "UBIGINT"), ("HUGEINT", "UHUGEINT")):
    query = f"""
        select a = b, (select count(*) from (select a x) s join (select b y) t on x = y), typeof([a, b])
        from (select 9007199254740993::{one} a, 9007199254740992::{two} b)"""
    print(one, two, *duckdb.sql(query).fetchall()[0])
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
BIGINT UBIGINT False 0 HUGEINT[]
HUGEINT UHUGEINT True 1 DOUBLE[]
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
