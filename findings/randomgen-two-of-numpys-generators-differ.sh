#!/usr/bin/env bash
# randomgen 2.5.1 with NumPy 2.4.6 (2026-11-30).
# Guess: a generator with NumPy's name and the same seed has NumPy's stream, as PCG64 and Philox do.
# Seen: PCG64, Philox and SFC64 agree, and MT19937 and PCG64DXSM differ. MT19937(1, numpy_seed=True) agrees; PCG64DXSM lacks
# that parameter.
# A user meets it on swapping the import for a longer list of generators: results under a seed change for two names.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    randomgen==2.5.1 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import numpy.random
import randomgen

for name in ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64"):
    found = []
    for options in ({}, {"numpy_seed": True}):
        try:
            ours = getattr(randomgen, name)(1, **options).random_raw(4)
            found.append("equal" if (ours == getattr(numpy.random, name)(1).random_raw(4)).all() else "other numbers")
        except TypeError:
            found.append("TypeError")
    print(f"{name}: {found[0]}, with numpy_seed {found[1]}")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
MT19937: other numbers, with numpy_seed equal
PCG64: equal, with numpy_seed equal
PCG64DXSM: other numbers, with numpy_seed TypeError
Philox: equal, with numpy_seed equal
SFC64: equal, with numpy_seed equal
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
