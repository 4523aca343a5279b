#!/usr/bin/env bash
# SciPy 1.17.1 (2026-11-30).
# Guess: cityblock of uint8 1 and 2 is 1, as cdist of the same two has it.
# Seen: the difference wraps first: it is 255, and of uint64 counts 2^64 - 1. euclidean, minkowski, chebyshev wrap as
# well; sqeuclidean, canberra and braycurtis are right, and so is cdist with each of these names.
# A user meets it on the total variation of two histograms whose counts are unsigned.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    scipy==1.17.1 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import numpy as np
from scipy.spatial import distance

for kind in (np.uint8, np.uint64):
    x, y = np.array([1, 9], kind), np.array([2, 9], kind)
    for name in ("cityblock", "euclidean", "chebyshev", "sqeuclidean", "canberra", "braycurtis"):
        one, two = getattr(distance, name)(x, y), distance.cdist(x[None], y[None], name)[0, 0]
        print(kind.__name__, name, f"{float(one):.4g}", "cdist", f"{two:.4g}")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
uint8 cityblock 255 cdist 1
uint8 euclidean 255 cdist 1
uint8 chebyshev 255 cdist 1
uint8 sqeuclidean 1 cdist 1
uint8 canberra 0.3333 cdist 0.3333
uint8 braycurtis 0.04762 cdist 0.04762
uint64 cityblock 1.845e+19 cdist 1
uint64 euclidean 1.845e+19 cdist 1
uint64 chebyshev 1.845e+19 cdist 1
uint64 sqeuclidean 1 cdist 1
uint64 canberra 0.3333 cdist 0.3333
uint64 braycurtis 0.04762 cdist 0.04762
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
