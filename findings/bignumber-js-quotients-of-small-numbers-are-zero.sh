#!/usr/bin/env bash
# bignumber.js 11.1.5 and big.js 7.0.1, with decimal.js 10.6.0 (2026-11-30).
# Guess: a quotient of arbitrary precision has 20 significant digits, as in decimal.js of the same author.
# Seen: both have 20 digits after the point, so 1e-30 / 3 and 2^-100 are 0, and 1e-17 / 3 has three digits. Products
# are exact.
# A user meets it on normalizing probabilities of a tail, or on computing 2^-128.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" bignumber.js@11.1.5 big.js@7.0.1 decimal.js@10.6.0

cat >"$tmp/look.mjs" <<'JAVASCRIPT'
import Big from "big.js";
import BigNumber from "bignumber.js";
import Decimal from "decimal.js";

for (const [name, Number] of Object.entries({ "bignumber.js": BigNumber, "big.js": Big, "decimal.js": Decimal })) {
  const of = (text) => new Number(text);
  const results = [of("1e-30").div(3), of("1e-17").div(3), of(2).pow(-100), of("1e-30").times("1e-30")];
  console.log(name, ...results.map(String));
}
JAVASCRIPT

cat >"$tmp/expected" <<'EXPECTED'
bignumber.js 0 3.33e-18 0 1e-60
big.js 0 3.33e-18 0 1e-60
decimal.js 3.3333333333333333333e-31 3.3333333333333333333e-18 7.8886090522101180541e-31 1e-60
EXPECTED

cd "$tmp"
node look.mjs | tee seen
diff expected seen
