#!/usr/bin/env bash
# mathjs 15.2.0 (2026-11-30).
# Guess: the tolerance of == is for fractions such as 0.1 + 0.2, and integers that a double holds compare exactly.
# Seen: the tolerance is relative, 10^-12, so that 10^13 and 10^13 + 1 are equal, neither is larger, and a set of both has
# one element. floor(2.9999999999999) is 3 as well. JavaScript tells all of them apart.
# A user meets it on counting distinct wide integers, or on a comparison with a bound.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" mathjs@15.2.0

cat >"$tmp/look.mjs" <<'JAVASCRIPT'
import { evaluate } from "mathjs";

for (const n of ["1e11", "1e13", "9007199254740990"]) {
  const found = [`${n} == ${n} + 1`, `${n} + 1 > ${n}`, `size(setDistinct([${n}, ${n} + 1]))`];
  console.log(...found.map((text) => `${text}: ${evaluate(text)};`));
}
console.log("floor", evaluate("floor(2.9999999999999)"), Math.floor(2.9999999999999));
JAVASCRIPT

cat >"$tmp/expected" <<'EXPECTED'
1e11 == 1e11 + 1: false; 1e11 + 1 > 1e11: true; size(setDistinct([1e11, 1e11 + 1])): 2;
1e13 == 1e13 + 1: true; 1e13 + 1 > 1e13: false; size(setDistinct([1e13, 1e13 + 1])): 1;
9007199254740990 == 9007199254740990 + 1: true; 9007199254740990 + 1 > 9007199254740990: false; size(setDistinct([9007199254740990, 9007199254740990 + 1])): 1;
floor 3 2
EXPECTED

cd "$tmp"
node look.mjs | tee seen
diff expected seen
