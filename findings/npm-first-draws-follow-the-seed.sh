#!/usr/bin/env bash
# pure-rand 8.4.2 and d3-random 3.0.2 (2026-11-29).
# Guess: the seeds 1, 2, 3, 4 start unrelated streams: four uniform numbers that are spread over [0, 1).
# Seen: the first draws are neighbours: those of xoroshiro128plus lie in the last 2e-6 below 1 for the seeds 1 to 100,
# those of randomLcg step by 0.0004. Neither mixes the seed before its first draw; mersenne does.
# A user meets it in a simulation with one seed a trial: the first noise of all trials is the same.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" pure-rand@8.4.2 d3-random@3.0.2

cat >"$tmp/look.mjs" <<'JAVASCRIPT'
import { randomLcg } from "d3-random";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { mersenne } from "pure-rand/generator/mersenne";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

const seeds = Array.from({ length: 100 }, (_, i) => i + 1);
const report = (name, first) => {
  const drawn = seeds.map(first);
  console.log(name, "100 seeds:", Math.min(...drawn).toFixed(6), "to", Math.max(...drawn).toFixed(6));
};
report("xoroshiro128plus", (seed) => uniformFloat64(xoroshiro128plus(seed)));
report("randomLcg", (seed) => randomLcg(seed)());
report("mersenne", (seed) => uniformFloat64(mersenne(seed)));
JAVASCRIPT

cat >"$tmp/expected" <<'EXPECTED'
xoroshiro128plus 100 seeds: 0.999999 to 1.000000
randomLcg 100 seeds: 0.236456 to 0.274823
mersenne 100 seeds: 0.000906 to 0.993283
EXPECTED

cd "$tmp"
node look.mjs | tee seen
diff expected seen
