#!/usr/bin/env bash
# NumPy 2.4.6 (2026-11-29).
# Guess: one seed gives one stream, so 8 int8 draws are the same asked for at once, in twos, or one by one,
# as int64 draws are.
# Seen: all three differ. A call takes a word of 32 bits, cuts it in bytes, and drops what is left at its end.
# A user meets it when a run of noise is repeated with another block length (a resumed or a chunked job).
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import numpy as np


def drawn(kind, size):
    rng = np.random.default_rng(5)
    return np.concatenate([rng.integers(-8, 9, size=size, dtype=kind) for _ in range(8 // size)]).tolist()


for kind in (np.int64, np.int8):
    print(kind.__name__, "in twos as at once:", drawn(kind, 2) == drawn(kind, 8))
    print(kind.__name__, "in ones as at once:", drawn(kind, 1) == drawn(kind, 8))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
int64 in twos as at once: True
int64 in ones as at once: True
int8 in twos as at once: False
int8 in ones as at once: False
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
