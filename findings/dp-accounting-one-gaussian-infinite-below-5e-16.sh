#!/usr/bin/env bash
# dp-accounting 0.6.0 (2026-11-30).
# Guess: PLDAccountant with one Gaussian of sigma = 1 has the epsilon of its privacy loss distribution, as nothing is
# composed: 9.51 at delta = 1e-20, the tail being cut at e^-50.
# Seen: below a delta of 5.0e-16 it is inf, as composing the distribution with that of no event puts this mass at
# infinity. RdpAccountant is finite.
# A user meets it with a delta of 2^-64 for a large database.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    dp-accounting==0.6.0

cat >"$tmp/look.py" <<'PYTHON'
import dp_accounting as dp
from dp_accounting import pld, rdp

law = pld.privacy_loss_distribution.from_gaussian_mechanism(1)
for delta in (1e-10, 1e-15, 1e-16, 1e-20):
    answers = [law.get_epsilon_for_delta(delta)]
    for accountant in (pld.PLDAccountant(), rdp.RdpAccountant()):
        accountant.compose(dp.GaussianDpEvent(1))
        answers.append(accountant.get_epsilon(delta))
    names = "distribution", "PLDAccountant", "RdpAccountant"
    print(f"delta {delta}:", ", ".join(f"{name} {answer:.3f}" for name, answer in zip(names, answers)))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
delta 1e-10: distribution 6.548, PLDAccountant 6.548, RdpAccountant 6.839
delta 1e-15: distribution 8.166, PLDAccountant 8.215, RdpAccountant 8.425
delta 1e-16: distribution 8.452, PLDAccountant inf, RdpAccountant 8.706
delta 1e-20: distribution 9.511, PLDAccountant inf, RdpAccountant 9.749
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
