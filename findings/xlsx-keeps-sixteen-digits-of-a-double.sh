#!/usr/bin/env bash
# XlsxWriter 3.3.1 and openpyxl 3.1.5, by pandas 3.1.1 (2026-11-30).
# Guess: a float64 column returns from a workbook bit for bit, as XLSX stores doubles.
# Seen: both writers print 16 digits, and a double needs 17, so that 0.1 + 0.2 returns as 0.3. Of 1000 uniform numbers
# 257 differ. A column of int64 stays int64, and 12345678901234567 in it returns as 12345678901234570.
# A user meets it on tables of probabilities, which no longer sum or compare as before, and on seeds in a sheet.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    pandas==3.1.1 xlsxwriter==3.3.1 openpyxl==3.1.5 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import numpy as np
import pandas as pd

x = np.random.default_rng(1).random(1000)
for engine in ("xlsxwriter", "openpyxl"):
    table = pd.DataFrame({"double": [0.1 + 0.2, 2 / 3], "integer": [12345678901234567, 2**53 + 1]})
    table.to_excel("look.xlsx", engine=engine, index=False)
    read = pd.read_excel("look.xlsx", engine="openpyxl")
    pd.DataFrame({"x": x}).to_excel("many.xlsx", engine=engine, index=False)
    same = (pd.read_excel("many.xlsx", engine="openpyxl").x == x).sum()
    print(engine, read.double.tolist(), read.integer.dtype, read.integer.tolist(), "same", same, "of 1000")
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
xlsxwriter [0.3, 0.6666666666666666] int64 [12345678901234570, 9007199254740992] same 743 of 1000
openpyxl [0.3, 0.6666666666666666] int64 [12345678901234570, 9007199254740992] same 743 of 1000
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
