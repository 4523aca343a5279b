#!/usr/bin/env bash
# NumPy 2.4.6 (2026-11-29).
# Guess: Generator.binomial(2^60, 1/2) and poisson(2^60) return any integer, so their last bits are uniform.
# Seen: every sample is a multiple of 64, or of 128, where the standard deviation is 2^29 or 2^30. Up to 2^50 the last
# bit varies, at 2^56 the samples are multiples of 4 and 8. The spacing is about the one of doubles of this size.
# A user meets it with binomial or Poisson noise of a wide Gaussian: the last bits of a count stay uncovered.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import numpy as np

rng = np.random.default_rng(1)
for bits in (50, 56, 60, 62):
    binomial = rng.binomial(2**bits, 0.5, size=2000)
    poisson = rng.poisson(2.0**bits, size=2000)
    print(f"2^{bits}: divisor of all binomial samples {np.gcd.reduce(binomial)}, of all Poisson samples {np.gcd.reduce(poisson)}")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
2^50: divisor of all binomial samples 1, of all Poisson samples 1
2^56: divisor of all binomial samples 4, of all Poisson samples 8
2^60: divisor of all binomial samples 64, of all Poisson samples 128
2^62: divisor of all binomial samples 256, of all Poisson samples 512
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
