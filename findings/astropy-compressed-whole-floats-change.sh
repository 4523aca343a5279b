#!/usr/bin/env bash
# astropy 8.0.2 with NumPy 2.4.6 (2026-11-29).
# Guess: a compressed FITS image gives back whole numbers held in float64 exactly, with gzip at the least.
# Seen: nearly every value changes, by up to 44 at a width of 1000, and is not whole any more, with gzip as
# with Rice: floats are first quantised to a step of the noise over 16. The same numbers as int32 come back.
# A user meets it because sums and rounded normals are float64: noise added to counts is changed by the file.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    astropy==8.0.2 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import io

import numpy as np
from astropy.io import fits

noise = np.rint(np.random.default_rng(1).normal(0, 1000, (64, 64)))
for kind in (np.int32, np.float64):
    for method in ("RICE_1", "GZIP_2"):
        file = io.BytesIO()
        fits.HDUList([fits.PrimaryHDU(), fits.CompImageHDU(noise.astype(kind), compression_type=method)]).writeto(file)
        file.seek(0)
        with fits.open(file) as units:
            off = np.abs(units[1].data - noise)
        print(kind.__name__, method, "unchanged:", bool((off == 0).all()), "off by over 20:", bool(off.max() > 20))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
int32 RICE_1 unchanged: True off by over 20: False
int32 GZIP_2 unchanged: True off by over 20: False
float64 RICE_1 unchanged: False off by over 20: True
float64 GZIP_2 unchanged: False off by over 20: True
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
