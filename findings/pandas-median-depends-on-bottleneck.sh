#!/usr/bin/env bash
# pandas 3.1.1 with Bottleneck 1.6.0 (2026-11-30).
# Guess: the median of two equal integers is that integer, and an optional package changes only the speed.
# Seen: with Bottleneck installed, the median of 2147483647 twice in an int32 column is -1, because Bottleneck adds the
# two in 32 bits; of 2^62 twice in int64 it is -2^62. In int16, or without Bottleneck, it is right.
# A user meets it on wide integers of even number, after another package has brought Bottleneck along.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    pandas==3.1.1 bottleneck==1.6.0 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import numpy as np
import pandas as pd

for dtype, x in (("int16", 2**15 - 1), ("int32", 2**31 - 1), ("int64", 2**62)):
    column = pd.Series([x, x], dtype=dtype)
    found = []
    for used in (True, False):
        pd.set_option("compute.use_bottleneck", used)
        found.append(int(column.median()))
    print(dtype, "numpy", int(np.median(column)), "pandas with Bottleneck", found[0], "without", found[1])
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
int16 numpy 32767 pandas with Bottleneck 32767 without 32767
int32 numpy 2147483647 pandas with Bottleneck -1 without 2147483647
int64 numpy 4611686018427387904 pandas with Bottleneck -4611686018427387904 without 4611686018427387904
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
