#!/usr/bin/env bash
# astropy 8.0.2 with NumPy 2.4.6 (2026-11-29).
# Guess: of a masked column of integers in a FITS table, exactly the masked cells come back masked.
# Seen: so does each cell with 999999, even if no cell is masked. It is the fill value of masked integers in NumPy. In a
# plain column, and in VOTable, 999999 comes back.
# A user meets it with counts of about a million after a join or a filter has made the column a masked one.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6 astropy==8.0.2

cat >"$tmp/look.py" <<'PYTHON'
import io

from astropy.table import Column, MaskedColumn, Table

values = [999998, 999999, 1000000, 5]
for name, column in (
    ("plain", Column(values, dtype="int64")),
    ("none masked", MaskedColumn(values, dtype="int64")),
    ("last masked", MaskedColumn(values, mask=[False, False, False, True], dtype="int64")),
):
    for kind in ("fits", "votable"):
        file = io.BytesIO()
        Table({"x": column}).write(file, format=kind)
        file.seek(0)
        print(f"{name}, {kind}: {Table.read(file, format=kind)['x'].tolist()}")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
plain, fits: [999998, 999999, 1000000, 5]
plain, votable: [999998, 999999, 1000000, 5]
none masked, fits: [999998, None, 1000000, 5]
none masked, votable: [999998, 999999, 1000000, 5]
last masked, fits: [999998, None, 1000000, None]
last masked, votable: [999998, 999999, 1000000, None]
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
