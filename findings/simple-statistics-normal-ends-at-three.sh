#!/usr/bin/env bash
# simple-statistics 7.12.1 (2026-11-29).
# Guess: cumulativeStdNormalProbability(5) is 1 to within 3e-7, and probit, its inverse, is -Infinity at 0.
# Seen: the first is 0.999 at 3.5, at 5 and at 50, so no upper tail is below 0.001: a table of two digits ends there.
# probit(0) is -3.7, that of 0.0001, though probit(1e-9) is -6: it is not even monotone.
# A user meets it on tail bounds of noise, and on inversion of a uniform number that can be 0.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" simple-statistics@7.12.1

cat >"$tmp/look.mjs" <<'JAVASCRIPT'
import { cumulativeStdNormalProbability as cdf, probit } from "simple-statistics";

console.log("cdf of 3.5, 5, 50:", cdf(3.5), cdf(5), cdf(50));
console.log("cdf of -50:", cdf(-50));
console.log("cdf of 1.23 and 1.2349 equal:", cdf(1.23) === cdf(1.2349));
console.log("probit of 0, 1e-9, 1e-4:", ...[0, 1e-9, 1e-4].map((p) => probit(p).toFixed(3)));
JAVASCRIPT

cat >"$tmp/expected" <<'EXPECTED'
cdf of 3.5, 5, 50: 0.999 0.999 0.999
cdf of -50: 0.001
cdf of 1.23 and 1.2349 equal: true
probit of 0, 1e-9, 1e-4: -3.706 -5.990 -3.706
EXPECTED

cd "$tmp"
node look.mjs | tee seen
diff expected seen
