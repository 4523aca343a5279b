#!/usr/bin/env bash
# msgpackr 2.1.4 and cbor-x 1.6.9, read by msgpack 1.2.4 and cbor2 6.3.0 of Python (2026-11-29).
# Guess: the number 2^40 of JavaScript is written as an integer, as 5 is, and read by Python as an int.
# Seen: integers from 2^32 on are written as doubles, so Python reads the float 1099511627776.0. The way back differs
# too: 2^40 written by Python is a bigint in JavaScript, so a plain number does not come back as one.
# A user meets it with seeds and sums: a function that needs an int refuses the float, and the text of it has ".0".
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --omit=optional --prefix "$tmp" msgpackr@2.1.4 cbor-x@1.6.9
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    cbor2==6.3.0 msgpack==1.2.4

cat >"$tmp/write.mjs" <<'JAVASCRIPT'
import { writeFileSync } from "node:fs";
import { encode } from "cbor-x";
import { pack } from "msgpackr";

const numbers = [5, 2 ** 32 - 1, 2 ** 32, 2 ** 40, -(2 ** 40)];
writeFileSync("js.msgpack", pack(numbers));
writeFileSync("js.cbor", encode(numbers));
JAVASCRIPT

cat >"$tmp/look.py" <<'PYTHON'
import cbor2
import msgpack

for name, read, write in (("msgpack", msgpack.unpackb, msgpack.packb), ("cbor", cbor2.loads, cbor2.dumps)):
    print(name, "to Python:", read(open("js." + name, "rb").read()))
    with open("python." + name, "wb") as file:
        file.write(write(2**40))
PYTHON

cat >"$tmp/read.mjs" <<'JAVASCRIPT'
import { readFileSync } from "node:fs";
import { decode } from "cbor-x";
import { unpack } from "msgpackr";

console.log("msgpack to JavaScript:", typeof unpack(readFileSync("python.msgpack")));
console.log("cbor to JavaScript:", typeof decode(readFileSync("python.cbor")));
JAVASCRIPT

cat >"$tmp/expected" <<'EXPECTED'
msgpack to Python: [5, 4294967295, 4294967296.0, 1099511627776.0, -1099511627776.0]
cbor to Python: [5, 4294967295, 4294967296.0, 1099511627776.0, -1099511627776.0]
msgpack to JavaScript: bigint
cbor to JavaScript: bigint
EXPECTED

cd "$tmp"
node write.mjs
{ venv/bin/python look.py && node read.mjs; } | tee seen
diff expected seen
