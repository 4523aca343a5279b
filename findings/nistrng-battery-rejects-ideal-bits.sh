#!/usr/bin/env bash
# nistrng 1.2.3 (2026-11-30).
# Guess: the battery of SP 800-22 gives each test the same bits, so that a test in it passes as it does alone.
# Seen: the test of the matrix rank reduces its matrices inside the user's array, and leaves 5127 of 49981 ones. The tests
# after it read that array: four of them pass 100,000 good bits alone, and reject them with p = 0 in the battery.
# A user meets it on judging a generator: each good one fails, and the bits written afterwards are no longer those drawn.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile \
    nistrng==1.2.3 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import numpy as np
from nistrng import SP800_22R1A_BATTERY, check_eligibility_all_battery, run_all_battery

bits = np.random.default_rng(1).integers(0, 2, 100_000)
tests = check_eligibility_all_battery(bits, SP800_22R1A_BATTERY)
alone = [tests[name].run(bits.copy())[0] for name in tests]
print("ones before", bits.sum())
together = [result for result, _ in run_all_battery(bits, tests, False)]
print("ones after", bits.sum())
for one, two in zip(alone, together):
    # The template of one test is drawn at random.
    if one.passed and "Template" not in one.name:
        print(f"{one.name}: alone p = {np.min(one.score):.2f}, in the battery {np.min(two.score):.2f}")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
ones before 49981
ones after 5127
Monobit: alone p = 0.90, in the battery 0.90
Frequency Within Block: alone p = 0.37, in the battery 0.37
Runs: alone p = 0.38, in the battery 0.38
Longest Run Ones In A Block: alone p = 0.94, in the battery 0.94
Binary Matrix Rank: alone p = 0.59, in the battery 0.59
Discrete Fourier Transform: alone p = 0.95, in the battery 0.00
Serial: alone p = 0.33, in the battery 0.00
Approximate Entropy: alone p = 0.74, in the battery 0.00
Cumulative Sums: alone p = 0.44, in the battery 0.00
Random Excursion Variant: alone p = 0.34, in the battery 0.17
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
