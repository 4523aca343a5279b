#!/usr/bin/env bash
# PostgreSQL 18.7 by PGlite 0.5.17 (2026-11-30).
# Guess: ORDER BY random_normal() draws its own numbers, so it shuffles the rows and leaves the drawn columns unsorted
# and independent.
# Seen: each column that is the same expression is the sort key itself: the noise comes out in rising order, and two
# such columns are equal in every row. GROUP BY random() makes them equal too. Without ORDER BY, or with the sort
# around a subquery, the columns are independent.
# A user meets it on drawing two noise columns and shuffling the rows in one query.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" @electric-sql/pglite@0.5.17

cat >"$tmp/look.mjs" <<'JAVASCRIPT'
import { PGlite } from "@electric-sql/pglite";

const database = await PGlite.create();
const noise = "random_normal() AS a, random_normal() AS b";
for (const query of [
  `SELECT ${noise} FROM generate_series(1, 1000) ORDER BY random_normal()`,
  "SELECT random() AS a, random() AS b FROM generate_series(1, 1000) GROUP BY random()",
  `SELECT ${noise} FROM generate_series(1, 1000)`,
  `SELECT * FROM (SELECT ${noise} FROM generate_series(1, 1000)) AS drawn ORDER BY random_normal()`,
]) {
  const { rows } = await database.query(query);
  const equal = rows.filter(({ a, b }) => a === b).length;
  const sorted = rows.every(({ a }, i) => i === 0 || rows[i - 1].a <= a);
  console.log(query.replace(noise, "…"));
  console.log("  equal pairs:", equal, ...(query.includes("GROUP") ? [] : ["sorted:", sorted]));
}
JAVASCRIPT

cat >"$tmp/expected" <<'EXPECTED'
SELECT … FROM generate_series(1, 1000) ORDER BY random_normal()
  equal pairs: 1000 sorted: true
SELECT random() AS a, random() AS b FROM generate_series(1, 1000) GROUP BY random()
  equal pairs: 1000
SELECT … FROM generate_series(1, 1000)
  equal pairs: 0 sorted: false
SELECT * FROM (SELECT … FROM generate_series(1, 1000)) AS drawn ORDER BY random_normal()
  equal pairs: 0 sorted: false
EXPECTED

cd "$tmp"
node look.mjs | tee seen
diff expected seen
