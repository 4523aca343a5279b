#!/usr/bin/env bash
# scikit-learn 1.9.1 (2026-11-30).
# Guess: the errors of int8 are those of doubles: the mean squared error of 100 and -100 is 40000, the others 200.
# Seen: the mean squared and the mean absolute errors are. But max_error and median_absolute_error are 56, and of bytes,
# the greatest error of 1 against 2 is 255.
# A user meets it on comparing integer samples or quantised outputs in narrow types, where the other metrics are right.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    scikit-learn==1.9.1 numpy==2.4.6 scipy==1.17.1

cat >"$tmp/look.py" <<'PYTHON'
import numpy as np
from sklearn import metrics

for kind, true, predicted in (("int8", [100, 100], [-100, -100]), ("uint8", [1, 2], [2, 1])):
    for name in ("mean_absolute_error", "mean_squared_error", "median_absolute_error", "max_error"):
        metric = getattr(metrics, name)
        narrow = metric(np.array(true, kind), np.array(predicted, kind))
        print(kind, name, float(narrow), "in doubles", float(metric(np.array(true, float), np.array(predicted, float))))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
int8 mean_absolute_error 200.0 in doubles 200.0
int8 mean_squared_error 40000.0 in doubles 40000.0
int8 median_absolute_error 56.0 in doubles 200.0
int8 max_error 56.0 in doubles 200.0
uint8 mean_absolute_error 1.0 in doubles 1.0
uint8 mean_squared_error 1.0 in doubles 1.0
uint8 median_absolute_error 128.0 in doubles 1.0
uint8 max_error 255.0 in doubles 1.0
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
