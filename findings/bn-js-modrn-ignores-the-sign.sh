#!/usr/bin/env bash
# bn.js 5.2.5 (2026-11-30).
# Guess: modrn(m), the remainder by a small number as a number, is mod, which has the sign of the dividend (-1 for -7
# and 3), or umod (2).
# Seen: it is 1, the remainder of 7: the sign is dropped. andln, which gives the last bits as a number, ignores it too,
# so -3 and 3 have the same ones, where BigInt's -3 & 7 is 5.
# A user meets it on folding negative noise modulo a small number.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" bn.js@5.2.5

cat >"$tmp/look.mjs" <<'JAVASCRIPT'
import BN from "bn.js";

for (const x of [-7, -8, -9]) {
  const value = new BN(x);
  const three = new BN(3);
  console.log(x, "mod", String(value.mod(three)), "umod", String(value.umod(three)), "modrn", value.modrn(3));
}
console.log("last three bits of -3:", new BN(-3).andln(7), "of a BigInt:", Number(-3n & 7n));
JAVASCRIPT

cat >"$tmp/expected" <<'EXPECTED'
-7 mod -1 umod 2 modrn 1
-8 mod -2 umod 1 modrn 2
-9 mod 0 umod 0 modrn 0
last three bits of -3: 3 of a BigInt: 5
EXPECTED

cd "$tmp"
node look.mjs | tee seen
diff expected seen
