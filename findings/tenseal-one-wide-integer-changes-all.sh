#!/usr/bin/env bash
# TenSEAL 0.3.18 (2026-11-30).
# Guess: BFV takes each integer modulo the plaintext modulus t, so 2^40 in one slot wraps there, and other slots stay.
# Seen: the values from -t to 2t wrap, but with 2^40 in the last slot each slot decrypts to another number, without an
# error. With -t - 1 the ciphertext is right, and a sum with it as plaintext is wrong, in other slots too.
# A user meets it on packing numbers that are not reduced, such as 64-bit masks or sums: one spoils the vector.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6 tenseal==0.3.18

cat >"$tmp/look.py" <<'PYTHON'
import tenseal

t = 1032193
context = tenseal.context(tenseal.SCHEME_TYPE.BFV, 4096, t)
for name, value in (("t + 3", t + 3), ("2t", 2 * t), ("-t", -t), ("-t - 1", -t - 1), ("2^40", 2**40)):
    vector = [1, 2, value]
    alone = tenseal.bfv_vector(context, vector).decrypt()
    added = (tenseal.bfv_vector(context, [0, 0, 0]) + vector).decrypt()
    right = [1, 2, (value + t // 2) % t - t // 2]
    print(f"{name}: expected {right}, encrypted {alone}, added to zeros {added}")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
t + 3: expected [1, 2, 3], encrypted [1, 2, 3], added to zeros [1, 2, 3]
2t: expected [1, 2, 0], encrypted [1, 2, 0], added to zeros [1, 2, 0]
-t: expected [1, 2, 0], encrypted [1, 2, 0], added to zeros [1, 2, 0]
-t - 1: expected [1, 2, -1], encrypted [1, 2, -1], added to zeros [15869, 2, -148997]
2^40: expected [1, 2, 32509], encrypted [253991, 504015, 20608], added to zeros [15869, 2, 16641]
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
