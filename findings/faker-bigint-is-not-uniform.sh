#!/usr/bin/env bash
# @faker-js/faker 10.6.0 (2026-11-29).
# Guess: number.bigInt({ min: 0n, max: 5n }) is uniform, as number.int({ min: 0, max: 5 }) is.
# Seen: 0 to 3 come up twice as often as 4 and 5, since a digit from 0 to 9 is drawn and reduced modulo 6. Large
# ranges are built of digits too: below 6e29 each number of the last third has half the share of the others.
# A user meets it in tests with random large moduli, seeds or centres: the top of the range is drawn too rarely.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" @faker-js/faker@10.6.0

cat >"$tmp/look.mjs" <<'JAVASCRIPT'
import { faker } from "@faker-js/faker";

const shares = (draw, parts) => {
  faker.seed(1);
  const counts = Array(parts).fill(0);
  for (let i = 0; i < 60000; i++) counts[draw()]++;
  return counts.map((count) => (count / 60000).toFixed(2)).join(" ");
};
console.log("int:   ", shares(() => faker.number.int({ min: 0, max: 5 }), 6));
console.log("bigInt:", shares(() => Number(faker.number.bigInt({ min: 0n, max: 5n })), 6));
const wide = 6n * 10n ** 29n;
console.log("bigInt below 6e29, by sixths:", shares(() => Number(faker.number.bigInt({ min: 0n, max: wide - 1n }) / 10n ** 29n), 6));
JAVASCRIPT

cat >"$tmp/expected" <<'EXPECTED'
int:    0.17 0.17 0.16 0.17 0.17 0.17
bigInt: 0.20 0.20 0.20 0.20 0.10 0.10
bigInt below 6e29, by sixths: 0.20 0.20 0.20 0.20 0.10 0.10
EXPECTED

cd "$tmp"
node look.mjs | tee seen
diff expected seen
