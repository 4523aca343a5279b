#!/usr/bin/env bash
# SciPy 1.17.1 (2026-11-30).
# Guess: the entropy of wide integer laws is that of the normal law of the same variance, log(2 pi e variance) / 2.
# Seen: so it is up to 10^6 coins, but it is 12.3 for 10^7 and 44.1 for 10^8, where the limits are 8.8 and 9.9, without
# a warning. It is 14.0 and 2.8 for Poisson of 10^6 by the new and the old functions, where the limit is 8.3.
# A user meets it on measuring how much information wide noise hides: no law of that variance has so much entropy.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6 scipy==1.17.1

cat >"$tmp/look.py" <<'PYTHON'
import math
import warnings

from scipy import stats


def look(name, entropy, variance):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        seen = entropy()
    limit = math.log(2 * math.pi * math.e * variance) / 2
    print(f"{name}: {seen:.1f}, limit {limit:.1f}", *sorted({str(one.message) for one in caught}))


for count in (10**4, 10**6, 10**7, 10**8):
    look(f"Binomial of {count}", stats.Binomial(n=count, p=0.5).entropy, count / 4)
for mean in (1e3, 1e6):
    look(f"Poisson of {mean:g}", stats.make_distribution(stats.poisson)(mu=mean).entropy, mean)
    look(f"poisson of {mean:g}", stats.poisson(mean).entropy, mean)
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
Binomial of 10000: 5.3, limit 5.3
Binomial of 1000000: 7.6, limit 7.6
Binomial of 10000000: 12.3, limit 8.8
Binomial of 100000000: 44.1, limit 9.9
Poisson of 1000: 4.9, limit 4.9
poisson of 1000: 4.9, limit 4.9
Poisson of 1e+06: 14.0, limit 8.3
poisson of 1e+06: 2.8, limit 8.3 expect(): sum did not converge
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
