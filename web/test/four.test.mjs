// The papers' four samplers in plain JavaScript, which the laboratory times, draw the law.
// @ts-check

import assert from "node:assert/strict";
import { test } from "node:test";
import { FOUR } from "../bench/four.mjs";

for (const [name, make] of Object.entries(FOUR)) {
  test(`${name} in plain JavaScript draws the law`, () => {
    const sigma = 3.3311;
    const fill = make(String(sigma));
    const out = new Int16Array(1 << 15);
    const counts = new Map();
    // Its keystream is the same in every run.
    const rounds = name === "rejection" ? 2 : 8;
    for (let round = 0; round < rounds; round++) {
      fill(out);
      for (const x of out) counts.set(x, (counts.get(x) ?? 0) + 1);
    }
    const density = (/** @type {number} */ x) => Math.exp((-x * x) / (2 * sigma * sigma));
    let all = 0;
    for (let x = -60; x <= 60; x++) all += density(x);
    let [chi2, cells] = [0, 0];
    for (let x = -60; x <= 60; x++) {
      const expected = (rounds * out.length * density(x)) / all;
      if (expected < 10) continue;
      chi2 += ((counts.get(x) ?? 0) - expected) ** 2 / expected;
      cells++;
    }
    assert.ok(cells > 20);
    // Of a perfect sampler's five in a million are beyond: 5 standard deviations and what a chi squared of 25 cells has more.
    assert.ok(chi2 < cells + 6 * Math.sqrt(2 * cells), `chi squared ${chi2} of ${cells} cells`);
  });
}
