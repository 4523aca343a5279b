#!/usr/bin/env bash
# @stdlib/stats-chi2gof 0.2.3 (2026-11-30).
# Guess: with simulate the p-value is about that of the chi-squared distribution, as samples of the null distribution
# are drawn.
# Seen: it is 1 for every sample that is not far off: for counts 30, 35, 35 of three equal values, where the other is
# 0.78, and for one that the chi-squared distribution rejects at 1e-5. The statistic is the same. Counts of 10, 80, 10
# are rejected by both.
# A user meets it on asking for simulation because counts are small: the test then accepts nearly all.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" @stdlib/stats-chi2gof@0.2.3

cat >"$tmp/look.mjs" <<'JAVASCRIPT'
import chi2gof from "@stdlib/stats-chi2gof";

const third = [1 / 3, 1 / 3, 1 / 3];
for (const [counts, ...law] of [
  [[30, 35, 35], third],
  [[25, 35, 40], third],
  [[10, 80, 10], third],
  [[500, 250, 125, 62, 31, 32], "geometric", 0.5],
]) {
  const plain = chi2gof(counts, ...law);
  const drawn = chi2gof(counts, ...law, { simulate: true, iterations: 500, seed: 1 });
  const values = [plain, drawn].map(({ pValue }) => pValue.toPrecision(3));
  console.log(counts.join(" "), "statistic", plain.statistic.toFixed(3), "p-values", ...values);
}
JAVASCRIPT

cat >"$tmp/expected" <<'EXPECTED'
30 35 35 statistic 0.500 p-values 0.779 1.00
25 35 40 statistic 3.500 p-values 0.174 1.00
10 80 10 statistic 98.000 p-values 0.00 0.00200
500 250 125 62 31 32 statistic 32.792 p-values 0.0000115 1.00
EXPECTED

cd "$tmp"
node look.mjs | tee seen
diff expected seen
