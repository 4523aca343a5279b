#!/usr/bin/env bash
# chDB 4.4.0, the embedded ClickHouse 26.9 (2026-11-29).
# Guess: map(toInt8(-1), 5)[255] is 0, the answer for a key that is missing, as has and IN compare by value.
# Seen: it is 5, as if the key wrapped to the type of the keys: 255 finds -1, 257 finds 1 and -1 finds an unsigned
# 255. mapContains of the same map and key is 0.
# A user meets it with a histogram of noise in a map with narrow keys: a value never drawn has the count of another.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    chdb==4.4.0

cat >"$tmp/look.py" <<'PYTHON'
import chdb

for query in (
    "select map(toInt8(-1), 5)[255], mapContains(map(toInt8(-1), 5), 255)",
    "select map(toInt8(1), 5)[257], mapContains(map(toInt8(1), 5), 257)",
    "select map(toUInt8(255), 5)[-1], mapContains(map(toUInt8(255), 5), -1)",
    "select has([toInt8(-1)], 255), toInt8(-1) in (255)",
):
    print(query, "->", str(chdb.query(query, "CSV")).strip())
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
select map(toInt8(-1), 5)[255], mapContains(map(toInt8(-1), 5), 255) -> 5,0
select map(toInt8(1), 5)[257], mapContains(map(toInt8(1), 5), 257) -> 5,0
select map(toUInt8(255), 5)[-1], mapContains(map(toUInt8(255), 5), -1) -> 5,0
select has([toInt8(-1)], 255), toInt8(-1) in (255) -> 0,0
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
