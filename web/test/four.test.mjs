// The papers' four samplers in plain JavaScript, which the laboratory times, draw the law.
// @ts-check

import assert from "node:assert/strict";
import { test } from "node:test";
import { BITS, generate, knuthYao, ziggurat } from "../bench/bits.mjs";
import { FOUR } from "../bench/four.mjs";

/** What draws, and how many rounds of it. @type {[string, (sigma: string) => import("../bench/four.mjs").Fill, number][]} */
const SAMPLERS = [
  ["the Ziggurat by arrays of bits, drawn whole", (sigma) => ziggurat(sigma, { skips: false }), 2],
  ["Knuth-Yao over the whole matrix of bits", (sigma) => knuthYao(sigma, { compressed: false }), 2],
];
for (const [name, make] of Object.entries(FOUR)) SAMPLERS.push([name, make, name === "rejection" ? 2 : 8]);
for (const [name, make] of Object.entries(BITS)) SAMPLERS.push([`${name} by arrays of bits`, make, 2]);

for (const [name, make, rounds] of SAMPLERS) {
  test(`${name} in plain JavaScript draws the law`, () => {
    const sigma = 3.3311;
    const fill = make(String(sigma));
    const out = new Int16Array(1 << 15);
    const counts = new Map();
    // Its keystream is the same in every run.
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

test("generate() is uniform below its bound, and the compressed matrix draws as the whole one does", () => {
  // Every tape of bits that ends: below 5 = 101, with 3 digits after the point.
  /** @type {Map<number, number>} */
  const chances = new Map();
  let open = 0;
  const walk = (/** @type {number[]} */ tape) => {
    let at = 0;
    const bits = /** @type {any} */ ({
      bit: () => {
        if (at === tape.length) throw new RangeError("the tape ends");
        return tape[at++];
      },
    });
    const a = new Uint8Array(4);
    try {
      generate(bits, Uint8Array.from([0, 1, 0, 1]), 0, a);
      const value = a.reduce((sum, digit) => 2 * sum + digit, 0);
      chances.set(value, (chances.get(value) ?? 0) + 2 ** -at);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      if (tape.length === 12) open += 2 ** -12;
      else for (const bit of [0, 1]) walk([...tape, bit]);
    }
  };
  walk([]);
  assert.deepEqual([...chances.keys()].sort(), [0, 1, 2, 3, 4]);
  for (const chance of chances.values()) assert.ok(chance <= 0.2 && chance + open >= 0.2, `${chance}`);
  const [whole, compressed] = [false, true].map((compressed) => {
    const out = new Int16Array(4096);
    knuthYao("3.3311", { compressed })(out);
    return out;
  });
  assert.deepEqual(whole, compressed);
});

test("the measurement beside plain JavaScript runs", async () => {
  // It has the page's types, which the site does not keep.
  const { beside } = await import(new URL("../bench/beside.mjs", import.meta.url).href);
  const rows = await beside(new URL("../build/site/", import.meta.url).href, 1);
  assert.equal(rows.length, 12);
  for (const { name, sigma, plain, wasm } of rows) assert.ok(plain > 0 && wasm > 0, `${name} at ${sigma}: ${plain}, ${wasm}`);
});
