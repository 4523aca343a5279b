#!/usr/bin/env bash
# OpenDP 0.16.0 (2026-11-30).
# Guess: discrete_laplacian_scale_to_accuracy gives an integer, as the noise is one and as the discrete Gaussian's
# function does: 1 for narrow noise.
# Seen: it gives 3.3756… at scale 1, fractions of 1 for narrow noise, and -inf from a scale of 1/710 down, where
# exp(1/scale) overflows.
# A user meets it on plotting the accuracy over scales from 1e-4 on, or comparing the two kinds of noise by their
# accuracy.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    opendp==0.16.0

cat >"$tmp/look.py" <<'PYTHON'
import opendp.prelude as dp
from opendp import accuracy

dp.enable_features("contrib")
for scale in (1.0, 0.3, 0.1, 0.01, 0.002, 0.001, 0.0001):
    laplace = accuracy.discrete_laplacian_scale_to_accuracy(scale, 0.05)
    print(f"scale {scale}: Laplace {laplace:.4f}, Gaussian {accuracy.discrete_gaussian_scale_to_accuracy(scale, 0.05)}")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
scale 1.0: Laplace 3.3756, Gaussian 3.0
scale 0.3: Laplace 1.0961, Gaussian 1.0
scale 0.1: Laplace 0.3689, Gaussian 1.0
scale 0.01: Laplace 0.0369, Gaussian 1.0
scale 0.002: Laplace 0.0074, Gaussian 1.0
scale 0.001: Laplace -inf, Gaussian 1.0
scale 0.0001: Laplace -inf, Gaussian 1.0
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
