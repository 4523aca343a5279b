#!/usr/bin/env bash
# chance 1.1.13 (2026-11-29).
# Guess: integer() and natural() draw every integer of their default range, up to 2^53 - 1, odd ones as well.
# Seen: each is a multiple of 2^21: one draw of 32 bits is stretched over the range. Below 2^40 it is one of 2^8.
# A user meets it on drawing 53-bit test values or seeds: their low bits are always 0, and so is each residue
# modulo a small power of two.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" chance@1.1.13

cat >"$tmp/look.mjs" <<'JAVASCRIPT'
import Chance from "chance";

const chance = new Chance(1);
const common = (draw) => {
  let bits = 0n;
  for (let i = 0; i < 1000; i++) bits |= BigInt(Math.abs(draw()));
  return (bits & -bits).toString(2).length - 1;
};
console.log("natural(): 2^" + common(() => chance.natural()), "divides each of 1000 draws");
console.log("integer(): 2^" + common(() => chance.integer()), "divides each of 1000 draws");
console.log("natural({ max: 2^40 - 1 }): 2^" + common(() => chance.natural({ max: 2 ** 40 - 1 })), "divides each");
JAVASCRIPT

cat >"$tmp/expected" <<'EXPECTED'
natural(): 2^21 divides each of 1000 draws
integer(): 2^22 divides each of 1000 draws
natural({ max: 2^40 - 1 }): 2^8 divides each
EXPECTED

cd "$tmp"
node look.mjs | tee seen
diff expected seen
