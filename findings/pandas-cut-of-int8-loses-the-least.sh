#!/usr/bin/env bash
# pandas 3.1.1 (2026-11-30).
# Guess: cut into equal bins puts each number into one, the least too, as its documents say of the range.
# Seen: of -128 and 127 in int8 the least is in no bin: it is NaN from cut, and counted nowhere by value_counts(bins=2). The
# margin below the least is a share of the range, which wraps in int8 with a warning of NumPy. In int64 both are counted.
# A user meets it on binning noise that was stored in a narrow type: the counts sum to less than the data.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    pandas==3.1.1 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import pandas as pd

for dtype in ("int8", "int16", "int64"):
    x = pd.Series([-128, -100, 100, 127], dtype=dtype)
    counts = x.value_counts(bins=2, sort=False)
    print(dtype, "counts", counts.tolist(), "of", len(x), "in no bin:", x[pd.cut(x, 2).isna()].tolist())
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
int8 counts [1, 2] of 4 in no bin: [-128]
int16 counts [2, 2] of 4 in no bin: []
int64 counts [2, 2] of 4 in no bin: []
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
