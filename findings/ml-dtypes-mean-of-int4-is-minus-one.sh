#!/usr/bin/env bash
# ml_dtypes 0.6.0 with NumPy 2.4.6 (2026-11-30).
# Guess: numpy.mean of int4 is a double and numpy.sum a wide integer, as of int8: four times 7 has the mean 7 and the
# sum 28.
# Seen: both are int4: the mean is -1, the sum -4 and the variance 0. Of uint4 the mean is 3.
# A user meets it on weights or noise of four bits: summaries are silent and inside the range.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    ml_dtypes==0.6.0 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import ml_dtypes
import numpy as np

for kind in (np.int8, ml_dtypes.int4, ml_dtypes.uint4):
    x = np.array([7, 7, 7, 7], kind)
    print(np.dtype(kind).name)
    for function in (np.sum, np.mean, np.var):
        value = function(x)
        print("   ", function.__name__, value, value.dtype)
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
int8
    sum 28 int64
    mean 7.0 float64
    var 0.0 float64
int4
    sum -4 int4
    mean -1 int4
    var 0 int4
uint4
    sum 12 uint4
    mean 3 uint4
    var 0 uint4
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
