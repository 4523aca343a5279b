#!/usr/bin/env bash
# dp-accounting 0.6.0 with NumPy 2.4.6 and SciPy 1.17.1 (2026-11-29).
# Guess: "parameter" of from_laplace_mechanism and from_discrete_laplace_mechanism is the same thing, the scale.
# Seen: it is the scale of the first and one over the scale of the second: parameter 2 is about 0.5-DP
# continuous and 2-DP discrete, at sensitivity 1.
# A user meets it on replacing Laplace noise by the discrete one and keeping the number: the noise is a quarter.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    dp-accounting==0.6.0 numpy==2.4.6 scipy==1.17.1

cat >"$tmp/look.py" <<'PYTHON'
from dp_accounting.pld import privacy_loss_distribution as pld

for parameter in (2.0, 0.5):
    smooth = pld.from_laplace_mechanism(parameter).get_epsilon_for_delta(1e-9)
    discrete = pld.from_discrete_laplace_mechanism(parameter).get_epsilon_for_delta(1e-9)
    print(parameter, "continuous", round(float(smooth), 3), "discrete", round(float(discrete), 3))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
2.0 continuous 0.5 discrete 2.0
0.5 continuous 2.0 discrete 0.5
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
