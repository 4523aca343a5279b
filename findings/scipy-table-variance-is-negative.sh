#!/usr/bin/env bash
# SciPy 1.17.1 with NumPy 2.4.6 (2026-11-29).
# Guess: rv_discrete(values=(x, p)) has variance 0.25 for two adjacent integers with probability 1/2 each, wherever
# they lie.
# Seen: 0 at 10^8, -1e24 at 10^12, and a standard deviation of 0 or NaN; the mean and the pmf are right. The variance is
# E[x^2] - E[x]^2 in doubles (read in the source). The same two values as 0 and 1 with loc = 10^12 have 0.25.
# A user meets it with a table of probabilities about a large center, such as noise on a total.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6 scipy==1.17.1

cat >"$tmp/look.py" <<'PYTHON'
import numpy as np
from scipy import stats

np.seterr(invalid="ignore")
for base in (10**6, 10**8, 10**12):
    law = stats.rv_discrete(values=([base, base + 1], [0.5, 0.5]))
    print(f"at {base}: mean {law.mean()}, variance {law.var():.2g}, standard deviation {law.std():.2g}")
law = stats.rv_discrete(values=([0, 1], [0.5, 0.5]))
print("moved by loc:", law.var(loc=10**12))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
at 1000000: mean 1000000.5, variance 0.25, standard deviation 0.5
at 100000000: mean 100000000.5, variance 0, standard deviation 0
at 1000000000000: mean 1000000000000.5, variance -1e+24, standard deviation nan
moved by loc: 0.25
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
