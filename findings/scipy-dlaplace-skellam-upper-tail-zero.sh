#!/usr/bin/env bash
# SciPy 1.17.1 with NumPy 2.4.6 (2026-11-29).
# Guess: both laws are symmetric about 0, so sf(k) = cdf(-k - 1) far out too, and isf(q) = -ppf(q).
# Seen: the lower tail is right far out, the upper is 0 (dlaplace at 50, skellam at 20), and isf(1e-20) is infinite:
# sf is 1 - cdf in doubles. make_distribution(dlaplace) (the new interface) gives the upper tail.
# A user meets it in tail bounds: P(noise > 50) is printed as 0, P(noise < -50) as 5.2e-23.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6 scipy==1.17.1

cat >"$tmp/look.py" <<'PYTHON'
from scipy import stats

law = stats.dlaplace(1.0)
print(f"dlaplace: cdf(-51) {law.cdf(-51):.6e}, sf(50) {law.sf(50):.6e}")
print(f"dlaplace: ppf(1e-20) {law.ppf(1e-20)}, isf(1e-20) {law.isf(1e-20)}")
print(f"new interface: ccdf(50) {stats.make_distribution(stats.dlaplace)(a=1.0).ccdf(50):.6e}")
law = stats.skellam(1.0, 1.0)
print(f"skellam: cdf(-21) {law.cdf(-21):.6e}, sf(20) {law.sf(20):.6e}")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
dlaplace: cdf(-51) 5.187207e-23, sf(50) 0.000000e+00
dlaplace: ppf(1e-20) -45.0, isf(1e-20) inf
new interface: ccdf(50) 5.187207e-23
skellam: cdf(-21) 2.903413e-21, sf(20) 0.000000e+00
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
