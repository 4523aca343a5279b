#!/usr/bin/env bash
# SciPy 1.17.1 with NumPy 2.4.6 (2026-11-29).
# Guess: dlaplace(a, loc=0.5) is the law moved by a half: samples k + 1/2, as its pmf and mean say.
# Seen: samples are cut to int64 towards zero, so -1/2 and 1/2 both become 0, whose share is 0.55 where the
# law's peak is 0.38; the pmf of every sample is 0, and the mean of samples is not the mean stated.
# A user meets it when a non-integer centre (a rounding or a lattice coset) is passed as loc.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6 scipy==1.17.1

cat >"$tmp/look.py" <<'PYTHON'
import numpy as np
from scipy import stats

law = stats.dlaplace(0.8, loc=0.5)
x = law.rvs(size=100_000, random_state=np.random.default_rng(1))
print("type of samples:", x.dtype)
print("pmf at 0, 1/2, 1:", [round(float(p), 6) for p in law.pmf([0, 0.5, 1])])
print("share of 0, to two digits:", round(float((x == 0).mean()), 2))
print("samples whose pmf is 0:", int((law.pmf(x) == 0).sum()))
print("mean stated and seen:", float(law.mean()), round(float(x.mean()), 1))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
type of samples: int64
pmf at 0, 1/2, 1: [0.0, 0.379949, 0.0]
share of 0, to two digits: 0.55
samples whose pmf is 0: 100000
mean stated and seen: 0.5 0.3
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
