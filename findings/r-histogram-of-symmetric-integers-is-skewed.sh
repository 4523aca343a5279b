#!/usr/bin/env bash
# R 4.6.0 by webR 0.6.0 (2026-11-30).
# Guess: hist of the integers -4 to 4 has a bar for each, and symmetric samples have symmetric bars.
# Seen: the breaks are the integers themselves and the bars are closed on the right, but for the first, so -4 and -3
# share a bar: the counts 1 2 3 4 5 4 3 2 1 become 3 3 4 5 4 3 2 1. Two values have eight empty bars between them.
# A user meets it on a first look at integer noise.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" webr@0.6.0 ws@7.5.14

cat >"$tmp/look.mjs" <<'JAVASCRIPT'
import { WebR } from "webr";

const r = new WebR();
await r.init();
for (const integers of ["rep(-4:4, c(1, 2, 3, 4, 5, 4, 3, 2, 1))", "0:5", "-3:3", "rep(0:1, 50)"]) {
  const counts = await r.evalRRaw(`hist(${integers}, plot = FALSE)$counts`, "number[]");
  console.log(integers, "->", counts.join(" "));
}
process.exit(0);
JAVASCRIPT

cat >"$tmp/expected" <<'EXPECTED'
rep(-4:4, c(1, 2, 3, 4, 5, 4, 3, 2, 1)) -> 3 3 4 5 4 3 2 1
0:5 -> 2 1 1 1 1
-3:3 -> 2 2 2 1
rep(0:1, 50) -> 50 0 0 0 0 0 0 0 0 50
EXPECTED

cd "$tmp"
node look.mjs | tee seen
diff expected seen
