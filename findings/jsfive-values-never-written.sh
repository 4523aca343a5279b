#!/usr/bin/env bash
# jsfive 0.4.2 with a file of h5py 3.16.0 (2026-11-30).
# Guess: a value never written in an HDF5 dataset is its fill value, -7 here, as HDF5 reads it.
# Seen: jsfive has -7 only within a chunk that exists. It has undefined in each missing chunk, and for a dataset that was
# never written; int64 values are rounded to doubles too.
# A user meets it on reading a histogram or a table that was filled in part.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    h5py==3.16.0 numpy==2.4.6
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" jsfive@0.4.2

cat >"$tmp/write.py" <<'PYTHON'
import h5py

with h5py.File("look.h5", "w") as file:
    file.create_dataset("never", shape=(3,), dtype="i2", fillvalue=-7)
    file.create_dataset("chunks", shape=(6,), dtype="i2", fillvalue=-7, chunks=(3,))[0] = 1
    file.create_dataset("wide", data=[2**53 + 1])
    print("h5py", *(f"{name} {file[name][:].tolist()}" for name in file))
PYTHON

cat >"$tmp/look.mjs" <<'JAVASCRIPT'
import fs from "node:fs";
import { File } from "jsfive";

const { buffer, byteOffset, length } = fs.readFileSync("look.h5");
const file = new File(buffer.slice(byteOffset, byteOffset + length), "look.h5");
for (const name of file.keys) {
  console.log("jsfive", name, Array.from(file.get(name).value, String).join(" "));
}
JAVASCRIPT

cat >"$tmp/expected" <<'EXPECTED'
h5py chunks [1, -7, -7, -7, -7, -7] never [-7, -7, -7] wide [9007199254740993]
jsfive chunks 1 -7 -7 undefined undefined undefined
jsfive never undefined undefined undefined
jsfive wide 9007199254740992
EXPECTED

cd "$tmp"
{
    venv/bin/python write.py
    node look.mjs
} | tee seen
diff expected seen
