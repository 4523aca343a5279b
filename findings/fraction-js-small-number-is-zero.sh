#!/usr/bin/env bash
# fraction.js 5.3.4 (2026-11-30).
# Guess: new Fraction(x) of a double is its exact value, or the simplest fraction that has this double; 1e-9 is
# 1/1000000000.
# Seen: numbers from 6e-8 down are 0, without an error, and 123456789.123 becomes 123456790.123….
# Numbers are approached by fractions with denominators up to 10^7 and, from 1 on, first scaled down by a power of ten.
# The texts "0.000000001" and "123456789.123" are exact.
# A user meets it with the tail of a distribution: small probabilities disappear from exact sums.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" fraction.js@5.3.4

cat >"$tmp/look.mjs" <<'JAVASCRIPT'
import Fraction from "fraction.js";

for (const number of [0.1, 3e-6, 6e-8, 4e-8, 1e-9, 2 ** -40, 123456789.123]) {
  console.log(number, "->", new Fraction(number).toFraction());
}
for (const text of ["0.000000001", "123456789.123"]) {
  console.log(`"${text}"`, "->", new Fraction(text).toFraction());
}
JAVASCRIPT

cat >"$tmp/expected" <<'EXPECTED'
0.1 -> 1/10
0.000003 -> 3/1000000
6e-8 -> 0
4e-8 -> 0
1e-9 -> 0
9.094947017729282e-13 -> 0
123456789.123 -> 10000000000/81
"0.000000001" -> 1/1000000000
"123456789.123" -> 123456789123/1000
EXPECTED

cd "$tmp"
node look.mjs | tee seen
diff expected seen
