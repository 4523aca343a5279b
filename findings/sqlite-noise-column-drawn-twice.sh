#!/usr/bin/env bash
# SQLite by apsw 3.54.1.0 (2026-11-29).
# Guess: in select x - x from (select random() % 1000 as x from t) each row's x is one number, so all are 0.
# Seen: x is drawn again at each use, if the inner select reads a table: the differences are not 0, and
# a quarter of the rows have x % 2 = 0 and x % 2 = 1 at once. The subquery is merged into the outer one.
# With a limit -1 offset 0 within, each x is drawn once.
# A user meets it on adding noise in SQL: the noise that is reported is not the noise that was added.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    apsw==3.54.1.0

cat >"$tmp/look.py" <<'PYTHON'
import apsw

base = apsw.Connection(":memory:")
base.execute("create table t (k integer)")
base.executemany("insert into t values (?)", [(k,) for k in range(10000)])


def count(inner, condition):
    return base.execute(f"select count(*) from ({inner}) where {condition}").fetchall()[0][0]


noise = "select abs(random() % 1000) as x from t"
both = "x % 2 = 0 and x % 2 = 1"
print("x - x is not 0 in over 9000 of 10000 rows:", count(noise, "x - x <> 0") > 9000)
print("x is even and odd in over 2000 of 10000 rows:", count(noise, both) > 2000)
for end in (" limit -1 offset 0", " order by k"):
    print(f"with{end} within:", count(noise + end, "x - x <> 0"), count(noise + end, both))
print("with no table within:", count("select abs(random() % 1000) as x", "x - x <> 0"))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
x - x is not 0 in over 9000 of 10000 rows: True
x is even and odd in over 2000 of 10000 rows: True
with limit -1 offset 0 within: 0 0
with order by k within: 0 0
with no table within: 0
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
