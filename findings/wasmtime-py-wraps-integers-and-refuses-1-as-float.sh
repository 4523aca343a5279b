#!/usr/bin/env bash
# wasmtime 50.0.1 for Python (2026-11-30).
# Guess: an integer outside an i32 raises an error, as with struct or NumPy, and 1 is fine for an f64.
# Seen: integers wrap: 2^40 + 5 for an i32 is 5, and 2^64 + 5 for an i64 is 5. An int for an f64 is a TypeError, also 1.
# NumPy's integers are a TypeError too, while NumPy's float64 is accepted.
# A user meets it on passing a count, a length or a seed to a module: a wrong one is cut without a word.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    wasmtime==50.0.1 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import numpy as np
from wasmtime import Instance, Module, Store

store = Store()
module = Module(store.engine, '''(module
    (func (export "i32") (param i32) (result i32) local.get 0)
    (func (export "i64") (param i64) (result i64) local.get 0)
    (func (export "f64") (param f64) (result f64) local.get 0))''')
exports = Instance(store, module, []).exports(store)
for name, x in (
    ("i32", 2**31), ("i32", 2**40 + 5), ("i32", -(2**31) - 1), ("i64", 2**64 + 5), ("i64", np.int64(5)), ("f64", 1), ("f64", np.float64(1))
):
    try:
        print(name, repr(x), "is", exports[name](store, x))
    except TypeError:
        print(name, repr(x), "is a TypeError")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
i32 2147483648 is -2147483648
i32 1099511627781 is 5
i32 -2147483649 is 2147483647
i64 18446744073709551621 is 5
i64 np.int64(5) is a TypeError
f64 1 is a TypeError
f64 np.float64(1.0) is 1.0
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
