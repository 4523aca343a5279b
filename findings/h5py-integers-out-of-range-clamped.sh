#!/usr/bin/env bash
# h5py 3.16.0 with NumPy 2.4.6 (2026-11-29).
# Guess: int64 values written to an int8 dataset wrap as NumPy's astype does, or raise.
# Seen: they are clamped: 300 is 127 and -300 is -128; and a signed dataset read by astype("u1") has 0 for every
# negative number, where NumPy's astype wraps. HDF5 does the conversion, and HDF5 clamps.
# A user meets it on storing noise with a type one size too small: the tail becomes a heap at the ends, and a
# dataset of residues read as unsigned loses half its values.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    h5py==3.16.0 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import h5py
import numpy as np

with h5py.File("x.h5", "w") as file:
    wide = np.array([300, -300, 127])
    small = file.create_dataset("small", (3,), dtype="i1")
    small[...] = wide
    print("written:", small[...].tolist(), "NumPy:", wide.astype("i1").tolist())
    signed = file.create_dataset("signed", data=np.array([-1, -128, 5], dtype="i1"))
    print("read:", signed.astype("u1")[...].tolist(), "NumPy:", signed[...].astype("u1").tolist())
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
written: [127, -128, 127] NumPy: [44, -44, 127]
read: [0, 0, 5] NumPy: [255, 128, 5]
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
