#!/usr/bin/env bash
# blosc2 4.14.1 with NumPy 2.4.6 (2026-11-29).
# Guess: a % 3 and a // 3 of a blosc2 array are NumPy's, so that a = 3 (a // 3) + a % 3.
# Seen: // rounds down as NumPy's does, % takes the sign of a: -7 gives -3 and -1, which add up to -10.
# blosc2.remainder does the same, where NumPy's remainder is 2.
# A user meets it on reducing centred noise modulo q in a compressed array: residues are negative.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    blosc2==4.14.1 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import blosc2
import numpy as np

plain = np.array([-7, 7, -1])
packed = blosc2.asarray(plain)
print("NumPy //, %:", (plain // 3).tolist(), (plain % 3).tolist())
print("blosc2 //, %:", (packed // 3)[:].tolist(), (packed % 3)[:].tolist())
print("blosc2.remainder:", blosc2.remainder(packed, blosc2.full(3, 3))[:].tolist())
print("3 (a // 3) + a % 3:", (3 * (packed // 3)[:] + (packed % 3)[:]).tolist())
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
NumPy //, %: [-3, 2, -1] [2, 1, 2]
blosc2 //, %: [-3, 2, -1] [-1, 1, -1]
blosc2.remainder: [-1, 1, -1]
3 (a // 3) + a % 3: [-10, 7, -4]
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
