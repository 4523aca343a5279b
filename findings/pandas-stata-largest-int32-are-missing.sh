#!/usr/bin/env bash
# pandas 3.1.1 with NumPy 2.4.6 (2026-11-29).
# Guess: a Stata file returns int8 to int64 as written (written for pyreadstat; this ran as its control): to_stata
# widens int32 where Stata's range is smaller, as it does int8 and int16.
# Seen: int8 and int16 are widened, int32 is not: 2^31 - 1, the 26 values below it and -2^31 return as missing, with
# no word. Stata reserves these for its kinds of missing values. The same numbers as int64 return.
# A user meets it with noise clamped to int32: the heap at the end of the range is missing on reading.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6 pandas==3.1.1

cat >"$tmp/look.py" <<'PYTHON'
import io
import warnings

import numpy as np
import pandas as pd

warnings.simplefilter("error")
for kind, ends in (("int8", "int8"), ("int16", "int16"), ("int32", "int32"), ("int64", "int32")):
    info = np.iinfo(ends)
    values = np.array([info.min, info.min + 1, info.max - 27, info.max - 26, info.max], dtype=kind)
    file = io.BytesIO()
    pd.DataFrame({"x": values}).to_stata(file, write_index=False)
    file.seek(0)
    back = pd.read_stata(file)["x"]
    print(kind, back.dtype, [v for v, lost in zip(values.tolist(), back.isna()) if lost], "missing")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
int8 int16 [] missing
int16 int32 [] missing
int32 float64 [-2147483648, 2147483621, 2147483647] missing
int64 float64 [] missing
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
