#!/usr/bin/env bash
# @tensorflow/tfjs-core and its CPU backend 4.22.0 (2026-11-29).
# Guess: seed 0 makes draws repeatable, as seed 1 does.
# Seen: randomNormal, truncatedNormal, randomGamma and multinomial take 0 for no seed, and differ at each call;
# randomUniform and randomUniformInt repeat with 0.
# A user meets it on numbering trials from 0: the first cannot be repeated.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" @tensorflow/tfjs-core@4.22.0 @tensorflow/tfjs-backend-cpu@4.22.0

cat >"$tmp/look.mjs" <<'JAVASCRIPT'
import "@tensorflow/tfjs-backend-cpu";
import * as tf from "@tensorflow/tfjs-core";

tf.env().set("IS_TEST", true);
await tf.setBackend("cpu");
const draws = {
  randomUniform: (seed) => tf.randomUniform([9], 0, 1, "float32", seed),
  randomUniformInt: (seed) => tf.randomUniformInt([9], 0, 1000, seed),
  randomNormal: (seed) => tf.randomNormal([9], 0, 1, "float32", seed),
  truncatedNormal: (seed) => tf.truncatedNormal([9], 0, 1, "float32", seed),
  randomGamma: (seed) => tf.randomGamma([9], 2, 2, "float32", seed),
  multinomial: (seed) => tf.multinomial(tf.tensor1d([0, 0, 0]), 99, seed),
};
for (const [name, draw] of Object.entries(draws)) {
  const repeats = (seed) => String(draw(seed).dataSync()) === String(draw(seed).dataSync());
  console.log(name, "repeats with seed 0:", repeats(0), "with seed 1:", repeats(1));
}
JAVASCRIPT

cat >"$tmp/expected" <<'EXPECTED'
randomUniform repeats with seed 0: true with seed 1: true
randomUniformInt repeats with seed 0: true with seed 1: true
randomNormal repeats with seed 0: false with seed 1: true
truncatedNormal repeats with seed 0: false with seed 1: true
randomGamma repeats with seed 0: false with seed 1: true
multinomial repeats with seed 0: false with seed 1: true
EXPECTED

cd "$tmp"
node look.mjs | tee seen
diff expected seen
