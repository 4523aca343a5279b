#!/usr/bin/env bash
# fastavro 1.13.1 (2026-11-29).
# Guess: in the union [double, long] a Python int is written as long, and a float as double.
# Seen: an int takes the first kind that accepts it, and double does: 2^53 + 1 is read back as the float 2^53. The
# union [long, double] keeps both. A float looks past float to double, so there the order does not matter.
# A user meets it with a schema of others whose sums are double or long: the exact integers are lost on writing.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    fastavro==1.13.1

cat >"$tmp/look.py" <<'PYTHON'
import io

import fastavro


def through(kinds, value):
    file = io.BytesIO()
    fastavro.schemaless_writer(file, kinds, value)
    file.seek(0)
    return fastavro.schemaless_reader(file, kinds)


for kinds in (["double", "long"], ["long", "double"], ["null", "double", "long"]):
    print(kinds, repr(through(kinds, 2**53 + 1)), repr(through(kinds, 0.5)))
print(["float", "double"], repr(through(["float", "double"], 0.1)))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
['double', 'long'] 9007199254740992.0 0.5
['long', 'double'] 9007199254740993 0.5
['null', 'double', 'long'] 9007199254740992.0 0.5
['float', 'double'] 0.1
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
