#!/usr/bin/env bash
# TileDB for Python 0.36.1 (2026-11-30).
# Guess: a condition on an int64 attribute compares it with 1.5 as a real number, or refuses 1.5.
# Seen: the number is cut to an integer first. So a == 1.5 finds the 1, a < 1.5 does not, and a >= 2.5 finds
# the 2. Only a > 1.5 is right, by luck.
# A user meets it on asking an array of integer noise for the samples beyond k + 1/2 or a multiple of sigma: one bin of
# the tail is counted too much or too little.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    tiledb==0.36.1 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import numpy as np
import tiledb

samples = np.arange(-3, 4)
axis = tiledb.Domain(tiledb.Dim("i", domain=(0, 6), tile=7, dtype=np.int64))
schema = tiledb.ArraySchema(domain=axis, attrs=[tiledb.Attr("a", dtype=np.int64)], sparse=True)
tiledb.Array.create("array", schema)
with tiledb.open("array", "w") as array:
    array[np.arange(7)] = {"a": samples}
with tiledb.open("array") as array:
    for condition in ("a == 1.5", "a < 1.5", "a >= 2.5", "a > -1.5", "a > 1.5"):
        right = [int(a) for a in samples if eval(condition)]
        print(condition, "finds", array.query(cond=condition)[:]["a"].tolist(), "of", right)
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
a == 1.5 finds [1] of []
a < 1.5 finds [-3, -2, -1, 0] of [-3, -2, -1, 0, 1]
a >= 2.5 finds [2, 3] of [3]
a > -1.5 finds [0, 1, 2, 3] of [-1, 0, 1, 2, 3]
a > 1.5 finds [2, 3] of [2, 3]
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
