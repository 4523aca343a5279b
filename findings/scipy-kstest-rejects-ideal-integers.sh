#!/usr/bin/env bash
# SciPy 1.17.1 with NumPy 2.4.6 (2026-11-30).
# Guess: for a discrete distribution the Kolmogorov-Smirnov test of one sample is conservative, as textbooks say: its
# p-values are too large. Integers in ideal shares have a p-value of 1.
# Seen: it is 1e-27 for 1000 integers in the shares of Poisson(5). Within a step of ties, the statistic compares the
# cdf after the jump with the empirical one before it, so that it is about the greatest mass, for any number of
# samples. cramervonmises rejects too. The test of two samples accepts, with a statistic of 0.
# A user meets it on testing a sampler of integers by kstest, which then rejects each right one.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6 scipy==1.17.1

cat >"$tmp/look.py" <<'PYTHON'
import numpy as np
from scipy import stats

law = stats.poisson(5)
for count in (100, 1000, 10_000):
    ideal = law.ppf((np.arange(count) + 0.5) / count)
    one = stats.ks_1samp(ideal, law.cdf)
    print(f"{count}: statistic {one.statistic:.3f}, p-value {one.pvalue:.1e}, greatest mass {law.pmf(5):.3f}")
print("Cramer and von Mises:", f"{stats.cramervonmises(ideal, law.cdf).pvalue:.1e}")
print("two samples:", stats.ks_2samp(ideal, ideal).statistic, stats.ks_2samp(ideal, ideal).pvalue)
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
100: statistic 0.176, p-value 3.5e-03, greatest mass 0.175
1000: statistic 0.176, p-value 1.5e-27, greatest mass 0.175
10000: statistic 0.175, p-value 7.7e-270, greatest mass 0.175
Cramer and von Mises: 1.5e-08
two samples: 0.0 1.0
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
