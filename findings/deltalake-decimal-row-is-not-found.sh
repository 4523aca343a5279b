#!/usr/bin/env bash
# deltalake 1.6.6 with pyarrow 26.0.1 and Polars 2.1.0 (2026-11-30).
# Guess: a decimal(38, 0) column keeps 2^100 + 1, and a filter for that number finds its row, as one for an int64 does.
# Seen: the value is kept, but its file is skipped. The log has least and greatest values as doubles cut to 64 bits, so
# the file of 2^100 + 1 ends at 2^63 - 1, and the file of 2^53 + 1 at 2^53. Three readers return no row.
# A user meets it on storing exact sums or wide noise as decimals, and looking for one, or for those beyond a limit.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    deltalake==1.6.6 polars==2.1.0 pyarrow==26.0.1

cat >"$tmp/look.py" <<'PYTHON'
from decimal import Decimal

import polars as pl
import pyarrow as pa
from deltalake import DeltaTable, QueryBuilder, write_deltalake


def look(name, kind, value):
    folder = f"table{value}"
    column = pa.array([value], kind)
    write_deltalake(folder, pa.table({"x": column}))
    table = DeltaTable(folder)
    greatest = pa.table(table.get_add_actions(flatten=True)).to_pydict()["max.x"]
    literal = f"CAST('{value}' AS DECIMAL(38, 0))" if kind != pa.int64() else value
    found = {
        "pyarrow": table.to_pyarrow_table(filters=[("x", "=", value)]).num_rows,
        "Polars": pl.scan_delta(folder).filter(pl.col("x") == value).collect().height,
        "SQL": QueryBuilder().register("t", table).execute(f"SELECT x FROM t WHERE x = {literal}").read_all().num_rows,
    }
    print(f"{name}: stored {pl.read_delta(folder)['x'][0] == value}, log ends at {greatest[0]}, rows found: {found}")


wide = pa.decimal128(38, 0)
look("int64 of 2^53 + 3", pa.int64(), 2**53 + 3)
look("decimal of 2^53 - 1", wide, Decimal(2**53 - 1))
look("decimal of 2^53 + 1", wide, Decimal(2**53 + 1))
look("decimal of 2^100 + 1", wide, Decimal(2**100 + 1))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
int64 of 2^53 + 3: stored True, log ends at 9007199254740995, rows found: {'pyarrow': 1, 'Polars': 1, 'SQL': 1}
decimal of 2^53 - 1: stored True, log ends at 9007199254740991, rows found: {'pyarrow': 1, 'Polars': 1, 'SQL': 1}
decimal of 2^53 + 1: stored True, log ends at 9007199254740992, rows found: {'pyarrow': 0, 'Polars': 0, 'SQL': 0}
decimal of 2^100 + 1: stored True, log ends at 9223372036854775807, rows found: {'pyarrow': 0, 'Polars': 0, 'SQL': 0}
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
