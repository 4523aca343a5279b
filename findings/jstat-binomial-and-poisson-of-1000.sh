#!/usr/bin/env bash
# jstat 1.9.6 (2026-11-29).
# Guess: the pdf of binomial(2000, 1/2) at its mean is 0.0178, and that of poisson(1000) 0.0126.
# Seen: the first is Infinity, the second NaN, the Poisson cdf NaN as well, while the binomial cdf is right.
# The pdf multiplies a binomial coefficient or a factorial by powers, and these leave the doubles.
# A user meets it on a chi-squared test of centred binomial noise or of counts: every cell expects NaN.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" jstat@1.9.6

cat >"$tmp/look.mjs" <<'JAVASCRIPT'
import jstat from "jstat";

const { binomial, poisson } = jstat.jStat ?? jstat;
for (const n of [100, 1000, 2000])
  console.log(`binomial(${n}, 1/2) at the mean: pdf ${binomial.pdf(n / 2, n, 0.5).toFixed(4)}, cdf ${binomial.cdf(n / 2, n, 0.5).toFixed(4)}`);
for (const mean of [100, 200, 1000])
  console.log(`poisson(${mean}) at the mean: pdf ${poisson.pdf(mean, mean).toFixed(4)}, cdf ${poisson.cdf(mean, mean).toFixed(4)}`);
JAVASCRIPT

cat >"$tmp/expected" <<'EXPECTED'
binomial(100, 1/2) at the mean: pdf 0.0796, cdf 0.5398
binomial(1000, 1/2) at the mean: pdf 0.0252, cdf 0.5126
binomial(2000, 1/2) at the mean: pdf Infinity, cdf 0.5089
poisson(100) at the mean: pdf 0.0399, cdf 0.5266
poisson(200) at the mean: pdf NaN, cdf NaN
poisson(1000) at the mean: pdf NaN, cdf NaN
EXPECTED

cd "$tmp"
node look.mjs | tee seen
diff expected seen
