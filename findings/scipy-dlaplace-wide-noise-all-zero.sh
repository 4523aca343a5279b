#!/usr/bin/env bash
# SciPy 1.17.1 with NumPy 2.4.6 (2026-11-29).
# Guess: dlaplace.rvs at a = 1e-25 (a width of 1.4e25, beyond int64) raises an overflow error.
# Seen: every sample is 0, with no warning, and at 1e-20 most are. The sampler subtracts two geometric
# samples; both stop at 2^63 - 1, and their difference is 0. The widest noise asked for is no noise at all.
# A user meets it where a is a product of small factors (a budget over sensitivity and releases): counts are exact.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6 scipy==1.17.1

cat >"$tmp/look.py" <<'PYTHON'
import warnings

import numpy as np
from scipy import stats

warnings.simplefilter("error")
for a in (1e-15, 1e-20, 1e-25):
    x = stats.dlaplace.rvs(a, size=1000, random_state=np.random.default_rng(1))
    print(f"a = {a}: zeros {int((x == 0).sum())} of 1000, type {x.dtype}")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
a = 1e-15: zeros 0 of 1000, type int64
a = 1e-20: zeros 820 of 1000, type int64
a = 1e-25: zeros 1000 of 1000, type int64
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
