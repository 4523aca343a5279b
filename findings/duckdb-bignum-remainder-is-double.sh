#!/usr/bin/env bash
# DuckDB 2.0.1 (2026-11-29).
# Guess: the arithmetic of BIGNUM, the integer type without a bound, is exact or refused: +, -, *, //, %, abs, sum.
# Seen: +, -, sum, max and comparisons are exact. *, //, % and abs answer in DOUBLE, with no word: the last digit of
# 2^53 + 1 by % 10 is 2.0, and // gives a fraction.
# A user meets it on reducing large integers modulo q, which is what one takes such a type for.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    duckdb==2.0.1

cat >"$tmp/look.py" <<'PYTHON'
import duckdb

for text in ("x + 1", "x - 1", "x * 1", "x // 10", "x % 10", "abs(x)", "sum(x)", "x > 9007199254740992"):
    found = duckdb.sql(f"select {text}, typeof({text}) from (select 9007199254740993::BIGNUM x)").fetchall()[0]
    print(text, *found)
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
x + 1 9007199254740994 BIGNUM
x - 1 9007199254740992 BIGNUM
x * 1 9007199254740992.0 DOUBLE
x // 10 900719925474099.2 DOUBLE
x % 10 2.0 DOUBLE
abs(x) 9007199254740992.0 DOUBLE
sum(x) 9007199254740993 BIGNUM
x > 9007199254740992 True BOOLEAN
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
