#!/usr/bin/env bash
# SciPy 1.17.1 with NumPy 2.4.6 (2026-11-30).
# Guess: stats.tmean without limits is the mean, and other means of int8 samples are those of the same numbers as
# doubles.
# Seen: tmean of 100, 100 and 20 is -12, as the sum wraps in int8, and gmean is computed in half precision, 58.56.
# tvar, hmean and tsem are right.
# A user meets it on trimming a mean of noise of one byte.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6 scipy==1.17.1

cat >"$tmp/look.py" <<'PYTHON'
import numpy as np
from scipy import stats

samples = np.array([100, 100, 20])
for name in ("tmean", "gmean", "hmean", "tvar", "tsem"):
    each = {kind: float(getattr(stats, name)(samples.astype(kind))) for kind in ("int8", "uint8", "int16", "float64")}
    print(name, *(f"{kind} {value:.6g}" for kind, value in each.items()))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
tmean int8 -12 uint8 73.3333 int16 73.3333 float64 73.3333
gmean int8 58.5625 uint8 58.5625 int16 58.4804 float64 58.4804
hmean int8 42.8571 uint8 42.8571 int16 42.8571 float64 42.8571
tvar int8 2133.33 uint8 2133.33 int16 2133.33 float64 2133.33
tsem int8 26.6667 uint8 26.6667 int16 26.6667 float64 26.6667
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
