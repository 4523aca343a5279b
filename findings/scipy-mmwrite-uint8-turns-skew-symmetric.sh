#!/usr/bin/env bash
# SciPy 1.17.1 with NumPy 2.4.6 (2026-11-29).
# Guess: mmwrite then mmread (Matrix Market) returns the numbers of an unsigned 8-bit matrix.
# Seen: ((0, 255), (1, 0)) comes back with -1 for 255. The writer looks for symmetry, and in uint8
# 255 = -1, so it writes half of a skew-symmetric matrix; the int64 matrix of the same numbers comes back whole.
# A user meets it with residues modulo 256, such as a small public matrix; symmetry="general" avoids it.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6 scipy==1.17.1

cat >"$tmp/look.py" <<'PYTHON'
import io

import numpy as np
from scipy.io import mmread, mmwrite

for kind in (np.uint8, np.int64):
    file = io.BytesIO()
    mmwrite(file, np.array([[0, 255], [1, 0]], dtype=kind))
    print(kind.__name__, file.getvalue().split(b"\n")[0].decode())
    file.seek(0)
    print(kind.__name__, mmread(file).tolist())
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
uint8 %%MatrixMarket matrix array integer skew-symmetric
uint8 [[0, -1], [1, 0]]
int64 %%MatrixMarket matrix array integer general
int64 [[0, 255], [1, 0]]
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
