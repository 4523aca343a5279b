#!/usr/bin/env bash
# datasketches 5.2.0 for Python (2026-11-30).
# Guess: a sketch of 32-bit integers refuses larger ones in an array as it refuses a single one.
# Seen: update(2**31) is a TypeError, and so is update(2.7). An array of int64 keeps its lowest 32 bits, so that 2^32 + 5 is
# counted as 5, and an array of floats is cut towards 0, so that -1.9 is -1.
# A user meets it on quantiles of wide integers, which are those of other numbers, or of unrounded noise.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    datasketches==5.2.0 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import numpy as np
from datasketches import kll_ints_sketch

for x in (2**31, 2.7, np.array([2**32 + 5, 3]), np.array([2**31, 3]), np.array([-1.9, 2.7])):
    sketch = kll_ints_sketch(200)
    try:
        sketch.update(x)
        print(x, "least", sketch.get_min_value(), "greatest", sketch.get_max_value())
    except TypeError:
        print(x, "TypeError")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
2147483648 TypeError
2.7 TypeError
[4294967301          3] least 3 greatest 5
[2147483648          3] least -2147483648 greatest 3
[-1.9  2.7] least -1 greatest 2
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
