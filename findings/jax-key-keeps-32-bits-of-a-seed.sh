#!/usr/bin/env bash
# JAX 0.10.2 (2026-11-30).
# Guess: without 64-bit mode the key of the seed 2^32 + 1 differs from the key of 1, or the seed is refused.
# Seen: seeds are reduced modulo 2^32 without a warning, so 1, 2^32 + 1 and 2^33 + 1 start one stream, and -1 is
# 2^32 - 1. With jax_enable_x64 these seeds differ, also -1, so the mode changes the stream. fold_in refuses 2^32 + 1.
# A user meets it on seeding noise with 64 random bits: there are 2^32 streams, and two of 80,000 runs probably share
# one.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    jax==0.10.2 jaxlib==0.10.2 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import jax

for wide in (False, True):
    jax.config.update("jax_enable_x64", wide)
    print("64-bit mode" if wide else "default mode")
    for seed in (1, 2**32 + 1, 2**33 + 1, -1, 2**32 - 1):
        key = jax.random.key(seed)
        draws = jax.random.randint(key, 4, 0, 100).tolist()
        print("   ", seed, "key", *jax.random.key_data(key).tolist(), "draws", *draws)
    try:
        jax.random.fold_in(jax.random.key(0), 2**32 + 1)
        print("    fold_in of 2^32 + 1 passes")
    except OverflowError as error:
        print("    fold_in of 2^32 + 1:", type(error).__name__)
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
default mode
    1 key 0 1 draws 96 27 40 53
    4294967297 key 0 1 draws 96 27 40 53
    8589934593 key 0 1 draws 96 27 40 53
    -1 key 0 4294967295 draws 8 47 35 5
    4294967295 key 0 4294967295 draws 8 47 35 5
    fold_in of 2^32 + 1: OverflowError
64-bit mode
    1 key 0 1 draws 28 45 15 61
    4294967297 key 1 1 draws 53 2 60 23
    8589934593 key 2 1 draws 65 88 64 99
    -1 key 4294967295 4294967295 draws 89 10 32 47
    4294967295 key 0 4294967295 draws 56 53 44 12
    fold_in of 2^32 + 1: OverflowError
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
