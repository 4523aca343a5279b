// What each engine runs for the laboratory: [JSDGS17]'s four samplers in plain JavaScript, and the same four in WebAssembly with the paper's
// t and m, in turns.
// @ts-check

import { BITS, knuthYao, ziggurat } from "./bits.mjs";
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
      const d = await DiscreteGaussian.create({ sigma, precision: 128, seed: 1, ...options });
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
  return { rows: await beside(root, milliseconds), schemes: await schemes(root, milliseconds), ...(await asPrinted(root, milliseconds)) };
}

/** @typedef {{ sigma: string, speeds: Record<string, number>, slowly: Record<string, number> }} Arrays  speeds in samples a millisecond by the
 * paper's arrays of bits, and of the same without what the paper adds: zeros that are skipped, or left out */
/** @typedef {{ few: number, many: number }} Precision  speeds with 32 and with 128 digits */

/** Short turns, and many: another program may take the processor in any of them. */
const SHORT_TURNS = 12;
const LONG = 128;
const SHORT = 32;

/** The fastest of turns of each, in samples a millisecond: all take turns, each for some milliseconds.
 * @param {import("./four.mjs").Fill[]} fills @param {number} milliseconds */
function turns(fills, milliseconds) {
  const outs = fills.map((fill) => {
    const start = performance.now();
    fill(new Int16Array(64));
    const each = (performance.now() - start) / 64;
    return new Int16Array(Math.min(1 << 14, Math.max(64, Math.ceil(milliseconds / SHORT_TURNS / each))));
  });
  const best = fills.map(() => 0);
  for (let turn = 0; turn < SHORT_TURNS; turn++) {
    for (const [i, fill] of fills.entries()) {
      const [start, out] = [performance.now(), /** @type {Int16Array} */ (outs[i])];
      fill(out);
      best[i] = Math.max(/** @type {number} */ (best[i]), out.length / (performance.now() - start));
    }
  }
  return best;
}

/** The paper's arrays of bits at its widths. @param {number} milliseconds */
function arrays(milliseconds) {
  const names = Object.keys(BITS);
  return ["3.3311", "55.5649", "107"].map((sigma) => {
    const fills = names.map((name) => /** @type {any} */ (BITS)[name](sigma));
    fills.push(ziggurat(sigma, { skips: false }), knuthYao(sigma, { compressed: false }));
    const all = turns(fills, milliseconds);
    const speeds = Object.fromEntries(names.map((name, i) => [name, /** @type {number} */ (all[i])]));
    return { sigma, speeds, slowly: { Ziggurat: all[names.length] ?? NaN, "Knuth-Yao": all[names.length + 1] ?? NaN } };
  });
}

/** What more digits cost at σ = 107. @param {number} milliseconds @returns {Record<string, Precision>} */
function precision(milliseconds) {
  const entries = Object.entries(BITS).map(([name, make]) => {
    const [few, many] = turns([make("107", { digits: SHORT }), make("107", { digits: LONG })], milliseconds);
    return [name, { few: few ?? NaN, many: many ?? NaN }];
  });
  return Object.fromEntries(entries);
}

/** What the paper's own form gives. @param {string} _root @param {number} milliseconds */
export async function asPrinted(_root, milliseconds) {
  return { arrays: arrays(milliseconds), digits: precision(milliseconds) };
}
