#!/usr/bin/env bash
# sqlite3 of Python 3.11 or later with NumPy 2.4.6 (2026-11-29).
# Guess: a NumPy integer bound to an INTEGER column is stored as an integer, or raises.
# Seen: it is stored as a blob of 8 bytes, because it offers its buffer, and sum() over the column is 0.0.
# A user meets it on keeping noisy counts or a privacy ledger in SQLite: the total of the noise reads as nought.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import sqlite3

import numpy as np

base = sqlite3.connect(":memory:")
base.execute("create table noise (x integer)")
base.executemany("insert into noise values (?)", [(x,) for x in np.array([3, -4, 5], dtype=np.int64)])
print("types:", base.execute("select distinct typeof(x) from noise").fetchall())
print("count and sum:", base.execute("select count(x), sum(x) from noise").fetchall())
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
types: [('blob',)]
count and sum: [(3, 0.0)]
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
