#!/usr/bin/env bash
# chDB 4.4.0, the embedded ClickHouse 26.9 (2026-11-29).
# Guess: avg of two equal Int64 numbers is that number, and so is avgWeighted of one number, since both return Float64.
# Seen: avg of 2^62 twice is -2^62, and avgWeighted of 5e9 with weight 5e9 is 1.3e9: these are the results of a
# sum and a product modulo 2^64. After toFloat64 the average is right, and the weighted one still wrong.
# A user meets it with 64-bit random integers or hashes (avg), and with counts of bytes as weights (avgWeighted).
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    chdb==4.4.0

cat >"$tmp/look.py" <<'PYTHON'
import chdb

for query in (
    "select avg(x) from (select arrayJoin([toInt64(4611686018427387904), 4611686018427387904]) x)",
    "select avg(toFloat64(x)) from (select arrayJoin([toInt64(4611686018427387904), 4611686018427387904]) x)",
    "select avgWeighted(x, x) from (select toInt64(5000000000) x)",
    "select avgWeighted(toFloat64(x), x) from (select toInt64(5000000000) x)",
):
    print(query, "->", str(chdb.query(query, "CSV")).strip())
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
select avg(x) from (select arrayJoin([toInt64(4611686018427387904), 4611686018427387904]) x) -> -4611686018427388000
select avg(toFloat64(x)) from (select arrayJoin([toInt64(4611686018427387904), 4611686018427387904]) x) -> 4611686018427388000
select avgWeighted(x, x) from (select toInt64(5000000000) x) -> 1310651185.2580898
select avgWeighted(toFloat64(x), x) from (select toInt64(5000000000) x) -> 1310651185.2580898
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
