#!/usr/bin/env bash
# OpenTURNS 1.27.post1 (2026-11-30).
# Guess: the cdf of a Poisson variable that is truncated to 2..8 is the sum of its masses.
# Seen: the masses are right, and the sample has the 2. But the cdf at 2 is 0, and lacks the mass of 2 up to 7; at 8 it
# jumps to 1. With the limits 1.5 and 8.5, which hold the same integers, the cdf is the sum.
# A user meets it on a clipped noise law: a bound on its lower tail is too small by one mass.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    openturns==1.27.post1 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import openturns as ot

for low, high in ((2.0, 8.0), (1.5, 8.5)):
    law = ot.TruncatedDistribution(ot.Poisson(5.0), low, high)
    masses = [law.computePDF(k) for k in range(2, 9)]
    print(low, high, "masses", *(f"{mass:.3f}" for mass in masses), f"sum {sum(masses):.3f}")
    print("    cdf   ", *(f"{law.computeCDF(k):.3f}" for k in range(2, 9)))
    print("    sums  ", *(f"{sum(masses[: k + 1]):.3f}" for k in range(7)))
    print("    least of 1000 samples", min(x[0] for x in law.getSample(1000)))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
2.0 8.0 masses 0.094 0.157 0.197 0.197 0.164 0.117 0.073 sum 1.000
    cdf    0.000 0.157 0.354 0.551 0.715 0.832 1.000
    sums   0.094 0.252 0.449 0.646 0.810 0.927 1.000
    least of 1000 samples 2.0
1.5 8.5 masses 0.094 0.157 0.197 0.197 0.164 0.117 0.073 sum 1.000
    cdf    0.094 0.252 0.449 0.646 0.810 0.927 1.000
    sums   0.094 0.252 0.449 0.646 0.810 0.927 1.000
    least of 1000 samples 2.0
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
