#!/usr/bin/env bash
# NumPy 2.4.6 (2026-11-29).
# Guess: default_rng([seed, worker]) gives each worker its own stream, and none is that of default_rng(seed).
# Seen: worker 0 has the very stream of default_rng(seed), and [1, 2] that of the single seed 1 + 2^33: a
# list is read as words of 32 bits, and missing words are zeros.
# A user meets it when a parent draws from default_rng(seed) and workers add noise from [seed, worker]: the
# noise of worker 0 repeats the parent's. A SeedSequence's spawn differs.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import numpy as np


def first(seed):
    return np.random.default_rng(seed).integers(0, 2**63, 4).tolist()


print("[7, 0] and 7:", first([7, 0]) == first(7))
print("[7, 1] and 7:", first([7, 1]) == first(7))
print("[1, 2] and 1 + 2^33:", first([1, 2]) == first(1 + 2**33))
print("spawned child 0 and 7:", first(np.random.SeedSequence(7).spawn(1)[0]) == first(7))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
[7, 0] and 7: True
[7, 1] and 7: False
[1, 2] and 1 + 2^33: True
spawned child 0 and 7: False
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
