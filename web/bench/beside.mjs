// What each engine runs for the laboratory: [JSDGS17]'s four samplers in plain JavaScript, and the same four in WebAssembly with the paper's
// t and m, in turns.
// @ts-check

import { FOUR } from "./four.mjs";
import { rate, schemes } from "./measure.mjs";

/** @typedef {{ name: string, sigma: string, plain: number, wasm: number, recipe: string }} Beside  speeds in samples a millisecond */

/** The paper's names, with the options that have its t and m. */
const OPTIONS = {
  rejection: { method: "rejection-table", tail: 13 },
  inversion: { method: "cdt" },
  Ziggurat: { method: "ziggurat", tail: 13, rectangles: 63 },
  "Knuth-Yao": { method: "knuth-yao-compact" },
};

/** Turns of each of the two. */
const TURNS = 4;

/** @param {string} root  where the site is @param {number} milliseconds @returns {Promise<Beside[]>} */
export async function beside(root, milliseconds) {
  const { DiscreteGaussian } = await import(`${root}dist/index.js`);
  const { measure } = await import(`${root}page/src/benchmark.js`);
  const { PAPER_SIGMAS } = await import(`${root}page/src/paper.js`);
  /** @type {Beside[]} */
  const rows = [];
  for (const sigma of PAPER_SIGMAS) {
    for (const [name, options] of Object.entries(OPTIONS)) {
      const d = await DiscreteGaussian.create({ sigma, precision: 128, seed: new Uint8Array(32), ...options });
      const { recipe } = d;
      const fill = FOUR[name](sigma);
      // In short turns, so that a machine that is slower for a while is so for both.
      let [wasm, plain] = [0, 0];
      for (let turn = 0; turn < TURNS; turn++) {
        wasm = Math.max(wasm, measure(d, milliseconds / TURNS));
        plain = Math.max(plain, rate(fill, Number(sigma), milliseconds / TURNS, 8192));
      }
      d.dispose();
      rows.push({ name, sigma, plain, wasm, recipe });
    }
  }
  return rows;
}

/** Both, and the schemes' operations. @param {string} root @param {number} milliseconds */
export async function all(root, milliseconds) {
  return { rows: await beside(root, milliseconds), schemes: await schemes(root, milliseconds) };
}
