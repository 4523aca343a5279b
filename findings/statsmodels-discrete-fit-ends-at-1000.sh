#!/usr/bin/env bash
# statsmodels 0.15.0 with SciPy 1.17.1 (2026-11-30).
# Guess: gof_chisquare_discrete tests integers of any size, or refuses those that it does not cover.
# Seen: it looks at -1000 to 1000 only. Poisson(5000) has p-value nan and the answer False, which means rejected; for
# Poisson(1000), the integers above 1000, half of the sample, count as one bin.
# A user meets it on testing wide noise: the answer of a sampler that is right is False.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6 scipy==1.17.1 statsmodels==0.15.0

cat >"$tmp/look.py" <<'PYTHON'
import warnings

import numpy as np
from scipy import stats
from statsmodels.stats.gof import gof_binning_discrete, gof_chisquare_discrete

warnings.simplefilter("ignore")
for mean in (5, 500, 1000, 5000):
    law = stats.poisson(mean)
    ideal = law.ppf((np.arange(1000) + 0.5) / 1000).astype(int)
    _, p, accepted, _ = gof_chisquare_discrete(stats.poisson, (mean,), ideal, 0.05, "")
    counts, _, edges = gof_binning_discrete(ideal, stats.poisson, (mean,))
    last = f"{len(counts)} bins, {counts[-1]} integers in the last one"
    print(f"Poisson({mean}): p-value {p:.3g}, accepted {accepted}; {last}")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
Poisson(5): p-value 1, accepted True; 9 bins, 14 integers in the last one
Poisson(500): p-value 1, accepted True; 18 bins, 44 integers in the last one
Poisson(1000): p-value 1, accepted True; 10 bins, 504 integers in the last one
Poisson(5000): p-value nan, accepted False; 1 bins, 1000 integers in the last one
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
