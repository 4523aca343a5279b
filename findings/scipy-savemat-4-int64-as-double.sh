#!/usr/bin/env bash
# SciPy 1.17.1 with NumPy 2.4.6 (2026-11-29).
# Guess: savemat with format="4", whose files have no 64-bit integers, refuses an int64 array.
# Seen: it writes doubles, with no warning: 2^60 + 1 comes back as the float 2^60. int8 becomes double as well,
# uint8 stays. The default format keeps all of them.
# A user meets it when an older toolbox wants version 4: seeds and thresholds change in their low bits.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6 scipy==1.17.1

cat >"$tmp/look.py" <<'PYTHON'
import io
import warnings

import numpy as np
from scipy.io import loadmat, savemat

warnings.simplefilter("error")
for value in (np.array([2**60 + 1]), np.array([-5], dtype=np.int8), np.array([200], dtype=np.uint8)):
    for version in ("4", "5"):
        file = io.BytesIO()
        savemat(file, {"x": value}, format=version)
        file.seek(0)
        back = loadmat(file)["x"]
        print(value.dtype, "version", version, back.dtype.name, int(back[0, 0]) == int(value[0]))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
int64 version 4 float64 False
int64 version 5 int64 True
int8 version 4 float64 True
int8 version 5 int8 True
uint8 version 4 uint8 True
uint8 version 5 uint8 True
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
