#!/usr/bin/env bash
# pandas 3.1.1 (2026-11-30).
# Guess: the differences of a column are the same for int8, for the nullable Int8 and for Arrow's int8.
# Seen: the difference of 100 and -100 is 200.0 for int8, -56 for Int8, and an error for Arrow's. A cumulative sum is 200
# for int8 and Int8, and an error for Arrow's.
# A user meets it on changing to nullable types, which promise integers with missing values: the differences wrap.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    pandas==3.1.1 pyarrow==26.0.1 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import pandas as pd

for dtype in ("int8", "Int8", "int8[pyarrow]"):
    found = []
    for name, x in (("diff", [-100, 100]), ("cumsum", [100, 100])):
        try:
            after = getattr(pd.Series(x, dtype=dtype), name)()
            found.append(f"{name} {after.iloc[1]} ({after.dtype})")
        except Exception as error:
            found.append(f"{name} {error}")
    print(f"{dtype}: {', '.join(found)}")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
int8: diff 200.0 (float32), cumsum 200 (int64)
Int8: diff -56 (Int8), cumsum 200 (Int64)
int8[pyarrow]: diff overflow, cumsum overflow
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
