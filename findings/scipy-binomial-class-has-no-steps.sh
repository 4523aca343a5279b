#!/usr/bin/env bash
# SciPy 1.17.1 (2026-11-30).
# Guess: stats.Binomial(n=10, p=0.5) has cdf(3.5) = cdf(3), as stats.binom has, since no mass lies between 3 and 4.
# Seen: it is 0.265, between cdf(3) = 0.172 and cdf(4) = 0.377: the class interpolates by an incomplete beta function.
# Its pmf(3.5) is 0. Poisson noise of the same new kind, by make_distribution, is a step.
# A user meets it on a threshold or a continuity correction of a half: shares and p-values of counts are wrong.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6 scipy==1.17.1

cat >"$tmp/look.py" <<'PYTHON'
from scipy import stats

points = (3, 3.25, 3.5, 3.75, 4)
laws = {
    "Binomial": stats.Binomial(n=10, p=0.5),
    "binom": stats.binom(10, 0.5),
    "Poisson": stats.make_distribution(stats.poisson)(mu=5.0),
}
for name, law in laws.items():
    print(name, "cdf:", *(f"{law.cdf(x):.4f}" for x in points))
binomial = laws["Binomial"]
print(f"mass at 3.5: {binomial.pmf(3.5):g} above 3.5: {binomial.ccdf(3.5):.4f} from 4 on: {binomial.ccdf(3):.4f}")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
Binomial cdf: 0.1719 0.2156 0.2648 0.3189 0.3770
binom cdf: 0.1719 0.1719 0.1719 0.1719 0.3770
Poisson cdf: 0.2650 0.2650 0.2650 0.2650 0.4405
mass at 3.5: 0 above 3.5: 0.7352 from 4 on: 0.8281
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
