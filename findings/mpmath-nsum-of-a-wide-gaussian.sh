#!/usr/bin/env bash
# mpmath 1.4.1 (2026-11-29).
# Guess: nsum of exp(-k^2/2s^2) over all integers is s sqrt(2 pi) to the working precision, or it warns.
# Seen: at s = 20 yes, at s = 50 wrong in the 8th digit, at s = 200 only 0.545 of it, at s = 1000 0.119, with no
# word. The sum is extrapolated from its first terms, which a wide law has nearly equal.
# A user meets it as the normalising constant of a discrete Gaussian: probabilities come out 8 times too big.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    mpmath==1.4.1

cat >"$tmp/look.py" <<'PYTHON'
import mpmath as mp

for s in (20, 50, 200, 1000):
    total = mp.nsum(lambda k: mp.exp(-k * k / (2 * mp.mpf(s) ** 2)), [-mp.inf, mp.inf])
    print(s, mp.nstr(total / (s * mp.sqrt(2 * mp.pi)), 9))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
20 1.0
50 1.00000006
200 0.545238667
1000 0.118840896
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
