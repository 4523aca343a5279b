#!/usr/bin/env bash
# SciPy 1.17.1 with NumPy 2.4.6 (2026-11-29).
# Guess: netcdf_file takes a uint8 variable and gives it back as numbers, or refuses it as it does uint16.
# Seen: it is taken and comes back as characters (type S1): 200 is the byte string with that byte, and 0 is empty.
# NetCDF 3 has one signed byte, and SciPy writes the unsigned one as its character type.
# A user meets it on storing bytes of noise or residues: sums over the variable fail only on reading.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6 scipy==1.17.1

cat >"$tmp/look.py" <<'PYTHON'
import numpy as np
from scipy.io import netcdf_file

name = "x.nc"
for kind in ("i1", "u1", "u2"):
    values = np.array([100, 0], dtype=kind)
    try:
        with netcdf_file(name, "w") as file:
            file.createDimension("n", 2)
            file.createVariable("x", values.dtype, ("n",))[:] = values
        with netcdf_file(name, mmap=False) as file:
            back = file.variables["x"][:]
        print(kind, back.dtype, back.tolist())
    except ValueError as error:
        print(kind, error)
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
i1 int8 [100, 0]
u1 |S1 [b'd', b'']
u2 NetCDF 3 does not support type uint16
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
