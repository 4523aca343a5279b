#!/usr/bin/env bash
# PyVSC 1.0.0 (2026-11-30).
# Guess: a signed random field inside (-2, 2) takes its five values about equally often, as (0, 4) does.
# Seen: it never takes 2, and takes -2 twice as often as the others. So does each range from a negative number to a
# positive one, by comparisons too, and in each width. Ranges of one sign are right.
# A user meets it on constrained-random stimulus about 0, for example small noise of a lattice scheme in hardware.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    pyvsc==1.0.0

cat >"$tmp/look.py" <<'PYTHON'
from collections import Counter

import vsc


def drawn(low, high, field=vsc.rand_int8_t):
    @vsc.randobj
    class One:
        def __init__(self):
            self.x = field()

        @vsc.constraint
        def limits(self):
            self.x.inside(vsc.rangelist((low, high)))

    one = One()
    one.set_randstate(vsc.RandState.mkFromSeed(1))
    found = Counter()
    for _ in range(300):
        one.randomize()
        found[one.x] += 1
    return " ".join(f"{x}:{round(found[x] * (high - low + 1) / 300):.0f}" for x in range(low, high + 1))


print("shares, times the number of values")
for low, high in ((0, 4), (-4, -1), (-2, 2), (-3, 5)):
    print(low, high, "has", drawn(low, high))
print("int32", drawn(-2, 2, vsc.rand_int32_t))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
shares, times the number of values
0 4 has 0:1 1:1 2:1 3:1 4:1
-4 -1 has -4:1 -3:1 -2:1 -1:1
-2 2 has -2:2 -1:1 0:1 1:1 2:0
-3 5 has -3:2 -2:1 -1:1 0:1 1:1 2:1 3:1 4:1 5:0
int32 -2:2 -1:1 0:1 1:1 2:0
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
