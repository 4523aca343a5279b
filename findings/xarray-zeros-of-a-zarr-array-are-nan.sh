#!/usr/bin/env bash
# xarray 2026.9.0 with zarr 3.1.6 (2026-11-30).
# Guess: xarray reads the int8 array that zarr wrote as int8, with the same integers.
# Seen: of an array of Zarr's format 2, every 0 becomes NaN and the rest float32, because zarr's fill value 0 counts as a
# mark for missing values. So the mean of -1, 0, 1, 0, 2 is 2/3. Format 3, and arrays that xarray wrote, return as they were.
# A user meets it on noise or counts in Zarr's older format: no error, and means and deviations without the zeros.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    xarray==2026.9.0 zarr==3.1.6 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import xarray
import zarr

for version in (2, 3):
    group = zarr.open_group(f"look{version}", mode="w", zarr_format=version)
    names = {"dimension_names": ["x"]} if version == 3 else {}
    array = group.create_array("noise", shape=(5,), dtype="i1", **names)
    array[:] = [-1, 0, 1, 0, 2]
    if version == 2:
        array.attrs["_ARRAY_DIMENSIONS"] = ["x"]
    noise = xarray.open_zarr(f"look{version}", consolidated=False)["noise"]
    print("format", version, array[:].dtype, array[:].tolist(), "fill", array.fill_value)
    print("  xarray", noise.dtype, noise.values.tolist(), f"mean {noise.mean().item():.2f}")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
format 2 int8 [-1, 0, 1, 0, 2] fill 0
  xarray float32 [-1.0, nan, 1.0, nan, 2.0] mean 0.67
format 3 int8 [-1, 0, 1, 0, 2] fill 0
  xarray int8 [-1, 0, 1, 0, 2] mean 0.40
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
