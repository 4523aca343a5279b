#!/usr/bin/env bash
# pywasm 2.2.3 beside wasmtime 50.0.1 (2026-11-30).
# Guess: an interpreter in Python is slow, and its integers and IEEE floats are those of each WebAssembly engine.
# Seen: f32.convert_i64_s rounds to a double first, so 2^62 + 2^38 + 1 becomes 2^62 instead of 2^62 + 2^39. i64.div_u
# raises OverflowError for quotients from 2^63 on. floor(-0.0), ceil(-0.5) and max(-0.0, 0.0) have another sign of zero.
# A user meets it on checking repeatable numbers or hashes of a module in a second engine: 64-bit words divide and round.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    pywasm==2.2.3 wasmtime==50.0.1

cat >"$tmp/look.py" <<'PYTHON'
import pywasm
import wasmtime

OPERATIONS = {
    "f32.convert_i64_s": ("i64", "f32", [(2**62 + 2**38 + 1,), (2**62 + 2**38,), (2**24 + 1,)]),
    "i64.div_u": ("i64 i64", "i64", [(2**63 - 1, 1), (-2, 1), (-2, 2)]),
    "i64.rem_u": ("i64 i64", "i64", [(-2, 7)]),
    "f64.floor": ("f64", "f64", [(-0.0,), (-0.5,)]),
    "f64.ceil": ("f64", "f64", [(-0.5,), (-1.5,)]),
    "f64.max": ("f64 f64", "f64", [(-0.0, 0.0), (0.0, -0.0)]),
}
text = ""
for name, (takes, gives, _) in OPERATIONS.items():
    gets = " ".join(f"(local.get {index})" for index in range(len(takes.split())))
    text += f'(func (export "{name}") (param {takes}) (result {gives}) ({name} {gets}))\n'
code = wasmtime.wat2wasm(f"(module {text})")
with open("look.wasm", "wb") as file:
    file.write(code)
store = wasmtime.Store()
compiled = wasmtime.Instance(store, wasmtime.Module(store.engine, code), []).exports(store)


def interpreted(name, arguments):
    runtime = pywasm.Runtime()
    try:
        return runtime.invocate(runtime.instance_from_file("look.wasm"), name, list(arguments))[0]
    except OverflowError as error:
        return type(error).__name__


for name, (_, _, cases) in OPERATIONS.items():
    for arguments in cases:
        print(name, *arguments, "wasmtime:", compiled[name](store, *arguments), "pywasm:", interpreted(name, arguments))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
f32.convert_i64_s 4611686293305294849 wasmtime: 4.611686568183202e+18 pywasm: 4.611686018427388e+18
f32.convert_i64_s 4611686293305294848 wasmtime: 4.611686018427388e+18 pywasm: 4.611686018427388e+18
f32.convert_i64_s 16777217 wasmtime: 16777216.0 pywasm: 16777216.0
i64.div_u 9223372036854775807 1 wasmtime: 9223372036854775807 pywasm: 9223372036854775807
i64.div_u -2 1 wasmtime: -2 pywasm: OverflowError
i64.div_u -2 2 wasmtime: 9223372036854775807 pywasm: 9223372036854775807
i64.rem_u -2 7 wasmtime: 0 pywasm: 0
f64.floor -0.0 wasmtime: -0.0 pywasm: 0.0
f64.floor -0.5 wasmtime: -1.0 pywasm: -1.0
f64.ceil -0.5 wasmtime: -0.0 pywasm: 0.0
f64.ceil -1.5 wasmtime: -1.0 pywasm: -1.0
f64.max -0.0 0.0 wasmtime: 0.0 pywasm: -0.0
f64.max 0.0 -0.0 wasmtime: 0.0 pywasm: 0.0
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
