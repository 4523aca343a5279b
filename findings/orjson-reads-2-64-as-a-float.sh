#!/usr/bin/env bash
# orjson 3.13.0, msgspec 0.23.0, ujson 6.1.0, python-rapidjson 1.25 and pysimdjson 7.0.2 (2026-11-30).
# Guess: a JSON integer of 2^64 is an exact int, or an error.
# Seen: orjson alone rounds it to a float, without a warning, up to 30 digits and more; it refuses to write it. msgspec,
# ujson, rapidjson and json read it exactly, and simdjson refuses it.
# A user meets it on seeds of 128 bits, exact sums and numerators in JSON: a float goes on into the computation.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    orjson==3.13.0 msgspec==0.23.0 ujson==6.1.0 python-rapidjson==1.25 pysimdjson==7.0.2

cat >"$tmp/look.py" <<'PYTHON'
import json

import msgspec
import orjson
import rapidjson
import simdjson
import ujson

readers = (
    ("json", json.loads),
    ("orjson", orjson.loads),
    ("msgspec", msgspec.json.decode),
    ("ujson", ujson.loads),
    ("rapidjson", rapidjson.loads),
    ("simdjson", lambda text: simdjson.Parser().parse(text)),
)
for text in (str(2**64 - 1), str(2**64 + 1), str(-(2**63) - 1), str(10**29 + 1)):
    for name, read in readers:
        try:
            print(text, name, repr(read(text)))
        except (ValueError, RuntimeError) as error:
            print(text, name, type(error).__name__)
try:
    orjson.dumps(2**64)
except TypeError as error:
    print("orjson.dumps:", error)
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
18446744073709551615 json 18446744073709551615
18446744073709551615 orjson 18446744073709551615
18446744073709551615 msgspec 18446744073709551615
18446744073709551615 ujson 18446744073709551615
18446744073709551615 rapidjson 18446744073709551615
18446744073709551615 simdjson 18446744073709551615
18446744073709551617 json 18446744073709551617
18446744073709551617 orjson 1.8446744073709552e+19
18446744073709551617 msgspec 18446744073709551617
18446744073709551617 ujson 18446744073709551617
18446744073709551617 rapidjson 18446744073709551617
18446744073709551617 simdjson ValueError
-9223372036854775809 json -9223372036854775809
-9223372036854775809 orjson -9.223372036854776e+18
-9223372036854775809 msgspec -9223372036854775809
-9223372036854775809 ujson -9223372036854775809
-9223372036854775809 rapidjson -9223372036854775809
-9223372036854775809 simdjson RuntimeError
100000000000000000000000000001 json 100000000000000000000000000001
100000000000000000000000000001 orjson 1e+29
100000000000000000000000000001 msgspec 100000000000000000000000000001
100000000000000000000000000001 ujson 100000000000000000000000000001
100000000000000000000000000001 rapidjson 100000000000000000000000000001
100000000000000000000000000001 simdjson RuntimeError
orjson.dumps: Integer exceeds 64-bit range
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
