#!/usr/bin/env bash
# DataFusion 55.0.0 with pyarrow 26.0.1 (2026-11-29).
# Guess: with t as (select random() x) names one number, so t joined with itself gives equal pairs.
# Seen: each mention of t draws again, and the pairs differ; DuckDB 2.0.1 gives equal pairs.
# A user meets it when a query adds noise in a common table expression and uses it twice, for a total and its
# parts: they do not add up, and an average over the two uses undoes part of the noise.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    datafusion==55.0.0 duckdb==2.0.1 pyarrow==26.0.1

cat >"$tmp/look.py" <<'PYTHON'
import datafusion
import duckdb

query = """
    with t as (select k, random() x from (values (1), (2), (3)) s(k))
    select count(*) n, sum(case when a.x = b.x then 1 else 0 end) e from t a join t b on a.k = b.k"""
rows = [row for batch in datafusion.SessionContext().sql(query).collect() for row in batch.to_pylist()]
print("DataFusion:", rows[0]["n"], "pairs, equal:", rows[0]["e"])
pairs, equal = duckdb.sql(query).fetchall()[0]
print("DuckDB:", pairs, "pairs, equal:", equal)
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
DataFusion: 3 pairs, equal: 0
DuckDB: 3 pairs, equal: 3
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
