#!/usr/bin/env bash
# dp-accounting 0.6.0 (2026-11-30).
# Guess: the privacy loss distribution of Laplace noise of scale b has an epsilon of 1/b at delta = 0, rounded up to
# the grid of 1e-4.
# Seen: so it is for the scales 1, 3, 7, 20 and 1000, but it is inf for 2, 5, 10, 50 and 100, because a mass of 5.6e-17
# lies at infinity. A composition of two is inf also for scale 1. At a delta of 1e-12 each is finite. Discrete Laplace
# noise has the right epsilon at 0.
# A user meets it on asking for pure privacy: whether an answer comes depends on the last bit of the scale.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    dp-accounting==0.6.0

cat >"$tmp/look.py" <<'PYTHON'
from dp_accounting.pld import privacy_loss_distribution as pld

for scale in (1, 2, 3, 5, 7, 10, 20, 50, 100, 1000):
    law = pld.from_laplace_mechanism(scale)
    epsilons = " ".join(f"{law.get_epsilon_for_delta(delta):.4g}" for delta in (0, 1e-12))
    print(f"scale {scale}: epsilon at delta 0 and 1e-12: {epsilons}")
twice = pld.from_laplace_mechanism(1).self_compose(2)
print("scale 1 twice:", twice.get_epsilon_for_delta(0), f"{twice.get_epsilon_for_delta(1e-12):.4g}")
discrete = pld.from_discrete_laplace_mechanism(0.5)
laws = discrete, discrete.self_compose(2)
print("discrete, scale 2, once and twice:", *(f"{law.get_epsilon_for_delta(0):.4g}" for law in laws))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
scale 1: epsilon at delta 0 and 1e-12: 1 1
scale 2: epsilon at delta 0 and 1e-12: inf 0.5
scale 3: epsilon at delta 0 and 1e-12: 0.3334 0.3334
scale 5: epsilon at delta 0 and 1e-12: inf 0.2
scale 7: epsilon at delta 0 and 1e-12: 0.1429 0.1429
scale 10: epsilon at delta 0 and 1e-12: inf 0.1
scale 20: epsilon at delta 0 and 1e-12: 0.05 0.05
scale 50: epsilon at delta 0 and 1e-12: inf 0.02
scale 100: epsilon at delta 0 and 1e-12: inf 0.01
scale 1000: epsilon at delta 0 and 1e-12: 0.001 0.001
scale 1 twice: inf 2
discrete, scale 2, once and twice: 0.5 1
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
