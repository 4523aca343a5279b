#!/usr/bin/env bash
# jq 1.13.0 of PyPI (2026-11-29).
# Guess: unique of (2^53, 2^53 + 1) gives these two integers, since jq keeps the digits that it read.
# Seen: it gives 2^53 twice. Within jq the two are different (==, group_by and tostring know the digits), but each is
# rounded to a double on the way to Python, and in a difference: 2^53 + 1 - 2^53 is 0.
# A user meets it on counting or joining 64-bit seeds or sums out of JSON; tostring keeps them.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    jq==1.13.0

cat >"$tmp/look.py" <<'PYTHON'
import jq

text = "[9007199254740993, 9007199254740992]"
for program in ("unique", ".[0] == .[1]", ".[0] - .[1]", "group_by(.) | length", "map(tostring)"):
    print(program, "->", jq.compile(program).input_text(text).first())
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
unique -> [9007199254740992, 9007199254740992]
.[0] == .[1] -> False
.[0] - .[1] -> 0
group_by(.) | length -> 2
map(tostring) -> ['9007199254740993', '9007199254740992']
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
