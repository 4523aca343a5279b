#!/usr/bin/env bash
# DuckDB 2.0.1 (2026-11-30).
# Guess: the operator //, for integer division, rounds -7.0 as it rounds -7.
# Seen: -7 // 2 is -3, and -7.0 // 2 is -3.5, by DOUBLE and by DECIMAL: there it is the ordinary quotient. fdiv rounds
# down to -4, and its partner fmod is 1, where % is -1.
# A user meets it where a column of integers became DOUBLE, as by avg or a file: the bins of // turn into fractions.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    duckdb==2.0.1

cat >"$tmp/look.py" <<'PYTHON'
import duckdb

for kind in ("BIGINT", "HUGEINT", "DOUBLE", "DECIMAL(9, 2)"):
    query = f"SELECT x // 2, typeof(x // 2), x % 2, fdiv(x, 2), fmod(x, 2) FROM (SELECT (-7)::{kind} AS x)"
    quotient, name, rest, floor, partner = duckdb.sql(query).fetchall()[0]
    print(kind, "//", quotient, name, "%", rest, "fdiv", floor, "fmod", partner)
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
BIGINT // -3 BIGINT % -1 fdiv -4.0 fmod 1.0
HUGEINT // -3 HUGEINT % -1 fdiv -4.0 fmod 1.0
DOUBLE // -3.5 DOUBLE % -1.0 fdiv -4.0 fmod 1.0
DECIMAL(9, 2) // -3.5 DOUBLE % -1.00 fdiv -4.0 fmod 1.0
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
