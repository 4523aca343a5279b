#!/usr/bin/env bash
# NumPy 2.4.6 (2026-11-29).
# Guess: advance(n) skips n draws of 64 bits in every generator that offers it, so PCG64 and Philox agree.
# Seen: PCG64 and PCG64DXSM skip n draws, Philox 4n: it counts blocks of its cipher, and each block is four draws.
# A user meets it on giving worker k the n draws from k n on: with Philox its part begins at draw 4 k n, so the
# parts together are not the stream of a single worker.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import numpy as np

for kind in (np.random.PCG64, np.random.PCG64DXSM, np.random.Philox):
    stream = kind(1).random_raw(20).tolist()
    skipped = []
    for count in (1, 4):
        generator = kind(1)
        generator.advance(count)
        skipped.append(stream.index(generator.random_raw()))
    print(kind.__name__, "advance(1) and advance(4) skip", skipped)
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
PCG64 advance(1) and advance(4) skip [1, 4]
PCG64DXSM advance(1) and advance(4) skip [1, 4]
Philox advance(1) and advance(4) skip [4, 16]
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
