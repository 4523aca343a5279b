// What each engine runs for the laboratory: [JSDGS17]'s four samplers in plain JavaScript, and the same four in WebAssembly with the paper's
// t and m, in turns.
// @ts-check

/** @typedef {{ name: string, sigma: string, plain: number, wasm: number, recipe: string }} Beside  speeds in samples a millisecond */

/** The paper's names, with the options that have its t and m. */
const OPTIONS = {
  rejection: { method: "rejection-table", tail: 13 },
  inversion: { method: "cdt" },
  Ziggurat: { method: "ziggurat", tail: 13, rectangles: 63 },
  "Knuth-Yao": { method: "knuth-yao-compact" },
};

/** @param {string} root  where the site is @param {number} milliseconds @returns {Promise<Beside[]>} */
export async function beside(root, milliseconds) {
  const { DiscreteGaussian } = await import(`${root}dist/index.js`);
  const { measure, PAPER_SIGMAS } = await import(`${root}page/src/benchmark.js`);
  const { FOUR } = await import(root.startsWith("file:") ? "./four.mjs" : `${root}bench/four.mjs`);
  /** @type {Beside[]} */
  const rows = [];
  for (const sigma of PAPER_SIGMAS) {
    for (const [name, options] of Object.entries(OPTIONS)) {
      const d = await DiscreteGaussian.create({ sigma, precision: 128, seed: new Uint8Array(32), ...options });
      const wasm = measure(d, milliseconds);
      const { recipe } = d;
      d.dispose();
      rows.push({ name, sigma, plain: rate(FOUR[name](sigma), Number(sigma), milliseconds), wasm, recipe });
    }
  }
  return rows;
}

/** Samples a millisecond, the best of many short windows; that they are samples is checked by their variance.
 * @param {(out: Int16Array) => void} fill @param {number} sigma @param {number} milliseconds */
function rate(fill, sigma, milliseconds) {
  const out = new Int16Array(8192);
  let best = 0;
  const start = performance.now();
  for (let now = start; now - start < 1.5 * milliseconds; ) {
    const from = now;
    let rounds = 0;
    do {
      fill(out);
      rounds++;
      now = performance.now();
    } while (now - from < 4);
    best = Math.max(best, (rounds * out.length) / (now - from));
  }
  const variance = out.reduce((sum, x) => sum + x * x, 0) / out.length;
  if (Math.abs(variance / sigma ** 2 - 1) > 0.15) throw new Error(`plain: the variance is ${variance}`);
  return best;
}
