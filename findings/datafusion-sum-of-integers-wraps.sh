#!/usr/bin/env bash
# DataFusion 55.0.0 with pyarrow 26.0.1 (2026-11-29).
# Guess: a sum of BIGINT beyond 2^63 is refused, as in other SQL engines, or widened.
# Seen: it wraps: 2^62 + 2^62 is -2^63, and so is (2^63 - 1) + 1 as an expression. The average of the same column is
# right, and a minus sign is checked: -(-128) of Int8 is refused.
# A user meets it on summing wide noise or hashes: the total has the wrong sign, and no error says so.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    datafusion==55.0.0 pyarrow==26.0.1

cat >"$tmp/look.py" <<'PYTHON'
import datafusion

context = datafusion.SessionContext()
for query in (
    "select sum(x) from (values (4611686018427387904), (4611686018427387904)) t(x)",
    "select avg(x) from (values (4611686018427387904), (4611686018427387904)) t(x)",
    "select 9223372036854775807 + 1",
    "select -arrow_cast(-128, 'Int8')",
):
    try:
        seen = context.sql(query).collect()[0].column(0)[0].as_py()
    except Exception as error:
        seen = "refused: " + str(error).splitlines()[0].split("error: ")[-1]
    print(query, "->", seen)
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
select sum(x) from (values (4611686018427387904), (4611686018427387904)) t(x) -> -9223372036854775808
select avg(x) from (values (4611686018427387904), (4611686018427387904)) t(x) -> 4.611686018427388e+18
select 9223372036854775807 + 1 -> -9223372036854775808
select -arrow_cast(-128, 'Int8') -> refused: Arithmetic overflow: Overflow happened on: - -128
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
