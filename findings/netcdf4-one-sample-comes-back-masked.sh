#!/usr/bin/env bash
# netCDF4 1.7.5.1.post1 with NumPy 2.4.6 (2026-11-29).
# Guess: a variable of signed integers with no fill value set comes back as written, over the whole of its type.
# Seen: one value of each type is masked on reading: -127 as int8, -32767 as int16, 255 as uint8. It is the
# default fill of the type, which reading masks even where it was written as data. A masked mean or count skips it.
# A user meets it with noise or residues that use all of a small type; set_auto_mask(False) gives them all.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    netCDF4==1.7.5.1.post1 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import netCDF4
import numpy as np

for kind in ("i1", "u1", "i2", "u2"):
    every = np.arange(np.iinfo(kind).min, np.iinfo(kind).max + 1, dtype=kind)
    with netCDF4.Dataset("x.nc", "w") as file:
        file.createDimension("n", every.size)
        file.createVariable("x", kind, ("n",))[:] = every
    with netCDF4.Dataset("x.nc") as file:
        back = file["x"][:]
        file.set_auto_mask(False)
        plain = file["x"][:]
    print(kind, "masked:", every[np.ma.getmaskarray(back)].tolist(), "not masked, equal:", np.array_equal(plain, every))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
i1 masked: [-127] not masked, equal: True
u1 masked: [255] not masked, equal: True
i2 masked: [-32767] not masked, equal: True
u2 masked: [65535] not masked, equal: True
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
