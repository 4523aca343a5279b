#!/usr/bin/env bash
# OpenDP 0.16.0 (2026-11-30).
# Guess: the accuracy of discrete Gaussian noise grows as alpha shrinks, or alphas below 2^-53 are refused.
# Seen: at sigma = 3.2 it stays 27 for each alpha below 1e-15, though 27 or more has probability 9e-17. The inverse
# function gives scale 0 for alpha = 1e-18, which is no noise. The continuous function has inf there.
# A user meets it on bounding all of 10^18 draws at once.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    opendp==0.16.0

cat >"$tmp/look.py" <<'PYTHON'
import math

import opendp.prelude as dp
from opendp import accuracy

dp.enable_features("contrib")
for alpha in (1e-6, 1e-12, 1e-15, 1e-18, 1e-100):
    discrete = accuracy.discrete_gaussian_scale_to_accuracy(3.2, alpha)
    continuous = accuracy.gaussian_scale_to_accuracy(3.2, alpha)
    scale = accuracy.accuracy_to_discrete_gaussian_scale(30.0, alpha)
    print(f"alpha {alpha}: discrete {discrete}, continuous {continuous:.2f}, scale for an accuracy of 30: {scale:.2f}")
mass = [math.exp(-k * k / (2 * 3.2**2)) for k in range(200)]
print(f"probability of 27 or more: {2 * math.fsum(mass[27:]) / (2 * math.fsum(mass) - 1):.1g}")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
alpha 1e-06: discrete 17.0, continuous 15.65, scale for an accuracy of 30: 6.04
alpha 1e-12: discrete 24.0, continuous 22.82, scale for an accuracy of 30: 4.15
alpha 1e-15: discrete 27.0, continuous 25.69, scale for an accuracy of 30: 3.69
alpha 1e-18: discrete 27.0, continuous inf, scale for an accuracy of 30: 0.00
alpha 1e-100: discrete 27.0, continuous inf, scale for an accuracy of 30: 0.00
probability of 27 or more: 9e-17
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
