#!/usr/bin/env bash
# NumPy 2.4.6 and pandas 3.1.1 (2026-11-29).
# Guess: a percentile of an int8 array lies between its least and its greatest value; of (-100, 100) the
# 25th is -50 and the 50th is 0, as np.median says.
# Seen: -114 and 128. The linear rule subtracts neighbours in int8, and 100 - (-100) wraps to -56;
# pandas hands Series.quantile and describe to NumPy and repeats it, while its groupby().quantile is right.
# A user meets it with noise of one byte a sample: quartiles of a small or coarse int8 sample leave the data.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6 pandas==3.1.1

cat >"$tmp/look.py" <<'PYTHON'
import numpy as np
import pandas as pd

noise = np.array([-100, 100], dtype=np.int8)
print("numpy percentiles 25, 50:", np.percentile(noise, [25, 50]).tolist())
print("numpy median:", float(np.median(noise)))
print("numpy percentiles of int64:", np.percentile(noise.astype(np.int64), [25, 50]).tolist())
series = pd.Series(noise)
print("pandas quantile 0.25:", float(series.quantile(0.25)))
print("pandas quantile 0.25 in a group:", float(series.groupby([0, 0]).quantile(0.25).iloc[0]))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
numpy percentiles 25, 50: [-114.0, 128.0]
numpy median: 0.0
numpy percentiles of int64: [-50.0, 0.0]
pandas quantile 0.25: -114.0
pandas quantile 0.25 in a group: -50.0
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
