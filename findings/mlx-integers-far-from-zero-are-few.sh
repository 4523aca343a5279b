#!/usr/bin/env bash
# mlx 0.32.4 with its CPU backend (2026-11-30).
# Guess: randint(low, high) has each integer of [low, high) equally often, at least in ranges of ten.
# Seen: integers are made from float32 numbers. Of the ten integers from 10^8 on it draws two, from 2^30 on one, and
# among the four about 2^24 the shares are 1 to 3. The type int64 does not help. Small integers are right.
# A user meets it on drawing indices, identifiers or shifted noise beyond 16 million.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    "mlx[cpu]==0.32.4" numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import mlx.core as mx
import numpy as np

mx.random.seed(1)
for low, high in ((0, 10), (2**24 - 2, 2**24 + 2), (10**8, 10**8 + 10), (2**30, 2**30 + 10)):
    for dtype in (mx.int32, mx.int64):
        drawn, counts = np.unique(np.array(mx.random.randint(low, high, [80_000], dtype=dtype)), return_counts=True)
        shares = [f"{100 * count / 80_000:.0f}" for count in counts]
        print(dtype, "from", low, "drawn:", *(drawn - low), "percent:", *shares)
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
mlx.core.int32 from 0 drawn: 0 1 2 3 4 5 6 7 8 9 percent: 10 10 10 10 10 10 10 10 10 10
mlx.core.int64 from 0 drawn: 0 1 2 3 4 5 6 7 8 9 percent: 10 10 10 10 10 10 10 10 10 10
mlx.core.int32 from 16777214 drawn: 0 1 2 3 percent: 13 25 38 25
mlx.core.int64 from 16777214 drawn: 0 1 2 3 percent: 13 25 37 25
mlx.core.int32 from 100000000 drawn: 0 8 percent: 50 50
mlx.core.int64 from 100000000 drawn: 0 8 percent: 50 50
mlx.core.int32 from 1073741824 drawn: 0 percent: 100
mlx.core.int64 from 1073741824 drawn: 0 percent: 100
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
