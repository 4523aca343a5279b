#!/usr/bin/env bash
# netcdfjs 4.0.0 with a file of SciPy 1.17.1 (2026-11-30).
# Guess: the variable of three signed bytes is read as those three numbers.
# Seen: netcdfjs returns four bytes, unsigned: 255 for -1, and the padding of the format as a fourth sample. Three 16-bit
# integers get a fourth one too. 32-bit integers and doubles, which need no padding, are right; SciPy reads all back.
# A user meets it on showing small noise from a netCDF file in a page: means and extremes are of other numbers.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    scipy==1.17.1 numpy==2.4.6
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" netcdfjs@4.0.0

cat >"$tmp/write.py" <<'PYTHON'
import numpy as np
from scipy.io import netcdf_file

with netcdf_file("look.nc", "w") as file:
    file.createDimension("x", 3)
    for name, dtype in (("byte", "i1"), ("short", "i2"), ("int", "i4"), ("double", "f8")):
        file.createVariable(name, dtype, ("x",))[:] = np.array([-1, 0, 100], dtype)
with netcdf_file("look.nc", mmap=False) as file:
    print("scipy", *(f"{name} {file.variables[name][:].tolist()}" for name in file.variables))
PYTHON

cat >"$tmp/look.mjs" <<'JAVASCRIPT'
import fs from "node:fs";
import { NetCDFReader } from "netcdfjs";

const file = new NetCDFReader(fs.readFileSync("look.nc"));
for (const { name } of file.variables) {
  console.log("netcdfjs", name, ...file.getDataVariable(name).flat());
}
JAVASCRIPT

cat >"$tmp/expected" <<'EXPECTED'
scipy byte [-1, 0, 100] short [-1, 0, 100] int [-1, 0, 100] double [-1.0, 0.0, 100.0]
netcdfjs byte 255 0 100 129
netcdfjs short -1 0 100 -32767
netcdfjs int -1 0 100
netcdfjs double -1 0 100
EXPECTED

cd "$tmp"
{
    venv/bin/python write.py
    node look.mjs
} | tee seen
diff expected seen
