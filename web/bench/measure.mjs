// What each engine runs: the page's benchmarks, and the plain sampler in the same way.
// @ts-check

import { plain } from "./plain.mjs";

/** @typedef {{ method: string, sigma: string, rate: number | null, refusal: string | null }} Row */
/** @typedef {import("../build/site/page/src/protocol.js").SchemeTime} SchemeTime */

/** @param {string} root  where the site is @param {number} milliseconds @returns {Promise<Row[]>} */
export async function measure(root, milliseconds) {
  const { benchmark } = await import(`${root}page/src/benchmark.js`);
  const { PAPER_SIGMAS } = await import(`${root}page/src/paper.js`);
  /** @type {Row[]} */
  const rows = [];
  for await (const row of benchmark(milliseconds)) rows.push(row);
  for (const sigma of PAPER_SIGMAS) {
    const best = rate(plain(Number(sigma)), Number(sigma), milliseconds, 65_536);
    rows.push({ method: "plain JavaScript", sigma, rate: best, refusal: null });
  }
  return rows;
}

/** @param {string} root  where the site is @param {number} milliseconds @returns {Promise<SchemeTime[]>} */
export async function schemes(root, milliseconds) {
  const { measureSchemes } = await import(`${root}page/src/tables45.js`);
  /** @type {SchemeTime[]} */
  const rows = [];
  for await (const row of measureSchemes(milliseconds)) rows.push(row);
  return rows;
}

/** Samples a millisecond of a plain sampler, the best of many short windows; that they are samples is checked by their variance.
 * @param {(out: Int16Array) => void} fill @param {number} sigma @param {number} milliseconds @param {number} length */
export function rate(fill, sigma, milliseconds, length) {
  const out = new Int16Array(length);
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
  if (Math.abs(variance / sigma ** 2 - 1) > 0.1) throw new Error(`plain: the variance is ${variance}`);
  return best;
}
