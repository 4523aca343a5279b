// [JSDGS17]'s Algorithms 1 to 5 as they print them, corrected where docs/errata.md says so: a number is an array with an element for each binary
// digit, the first of them before the point. The Ziggurat has R, the differences of heights with their leading zeros counted, and
// generate(). Knuth–Yao has the whole matrix, or columns without their zeros whose lengths are told by differences. For comparison only.
// @ts-check

import { Bits, EXACT, ONE, densities, partition } from "./four.mjs";

/** @typedef {import("./four.mjs").Fill} Fill */
/** @typedef {{ digits?: number, skips?: boolean, compressed?: boolean }} Options  how many digits; whether zeros are skipped */

/** Digits of p < 2 in units of 2^-256: one before the point, `digits` after it.
 * @param {bigint} p @param {number} digits */
function array(p, digits) {
  return Uint8Array.from({ length: digits + 1 }, (_, j) => Number((p >> (EXACT - BigInt(j))) & 1n));
}

/** The first digit is 0, all others are drawn. @param {Bits} bits @param {Uint8Array} a */
function draw(bits, a) {
  a[0] = 0;
  for (let j = 1; j < a.length; j++) a[j] = bits.bit();
}

/** Digit by digit. @param {Uint8Array} a @param {Uint8Array} b */
function less(a, b) {
  for (let j = 0; j < a.length; j++) {
    const [x, y] = [/** @type {number} */ (a[j]), /** @type {number} */ (b[j])];
    if (x !== y) return x < y;
  }
  return false;
}

/** Algorithm 1. @param {string} sigma @param {Options} [options] @returns {Fill} */
export function rejection(sigma, { digits = 128 } = {}) {
  const table = densities(sigma).map((p) => array(p, digits));
  const [bits, a] = [new Bits(), new Uint8Array(digits + 1)];
  return (out) => {
    for (let k = 0; k < out.length; ) {
      const s = bits.below(table.length);
      draw(bits, a);
      if (!less(a, at(table, s))) continue;
      const b = bits.bit();
      if (s !== 0 || b === 0) out[k++] = b === 0 ? s : -s;
    }
  };
}

/** @param {Uint8Array[]} table @param {number} i */
const at = (table, i) => /** @type {Uint8Array} */ (table[i]);

/** The law of |X| in units of 2^-256, zero whole. @param {string} sigma */
function folded(sigma) {
  const all = densities(sigma).map((p, x) => (x === 0 ? p : 2n * p));
  const sum = all.reduce((a, b) => a + b, 0n);
  return all.map((p) => (p << EXACT) / sum);
}

/** Algorithm 2. @param {string} sigma @param {Options} [options] @returns {Fill} */
export function inversion(sigma, { digits = 128 } = {}) {
  let sum = 0n;
  const table = folded(sigma).map((p) => array((sum += p), digits));
  // The last is 1: what is rounded away belongs to nobody.
  table[table.length - 1] = array(ONE, digits);
  const [bits, a] = [new Bits(), new Uint8Array(digits + 1)];
  return (out) => {
    for (let k = 0; k < out.length; k++) {
      draw(bits, a);
      let [low, high] = [0, table.length - 1];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (less(a, at(table, middle))) high = middle;
        else low = middle + 1;
      }
      out[k] = bits.bit() === 1 ? -low : low;
    }
  };
}

/** Algorithm 4: a number below R, digit by digit, from the first digit after so many zeros on; again as soon as a digit is too large.
 * @param {Bits} bits @param {Uint8Array} bound @param {number} zeros @param {Uint8Array} a */
export function generate(bits, bound, zeros, a) {
  a.fill(0, 0, zeros + 1);
  for (let equal = true, j = zeros + 1; ; j++) {
    if (j === a.length) {
      if (!equal) return;
      [equal, j] = [true, zeros + 1];
    }
    const [digit, most] = [bits.bit(), /** @type {number} */ (bound[j])];
    if (equal && digit > most) {
      j = zeros;
      continue;
    }
    if (digit < most) equal = false;
    a[j] = digit;
  }
}

/** Algorithm 3. Without `skips`, whole arrays are drawn until one is below R. @param {string} sigma @param {Options} [options] @returns {Fill} */
export function ziggurat(sigma, { digits = 128, skips = true } = {}) {
  const all = densities(sigma);
  const { edges, heights } = partition(all);
  const table = all.map((p) => array(p, digits));
  const lows = heights.map((height) => array(height, digits));
  const R = heights.slice(1).map((height, i) => array(/** @type {bigint} */ (heights[i]) - height, digits));
  const zeros = R.map((r) => r.indexOf(1) - 1);
  const [bits, a] = [new Bits(), new Uint8Array(digits + 1)];
  return (out) => {
    for (let k = 0; k < out.length; ) {
      const i = 1 + bits.below(R.length);
      const x = bits.below(/** @type {number} */ (edges[i]) + 1);
      const sure = x === 0 ? i > 1 : x <= /** @type {number} */ (edges[i - 1]);
      if (!sure) {
        const bound = at(R, i - 1);
        if (skips) generate(bits, bound, /** @type {number} */ (zeros[i - 1]), a);
        else do draw(bits, a);
        while (!less(a, bound));
        const low = at(lows, i);
        for (let [carry, j] = [0, digits]; j >= 0; j--) {
          const sum = /** @type {number} */ (a[j]) + /** @type {number} */ (low[j]) + carry;
          a[j] = sum & 1;
          carry = sum >> 1;
        }
        if (!less(a, at(table, x))) continue;
      }
      const sign = bits.bit();
      if (x !== 0 || sign === 0) out[k++] = sign === 0 ? x : -x;
    }
  };
}

/** Algorithm 5. Each column of the compressed matrix ends with the row of its last digit, and is no shorter than the one before; only
 * the differences of their lengths are kept. @param {string} sigma @param {Options} [options] @returns {Fill} */
export function knuthYao(sigma, { digits = 128, compressed = true } = {}) {
  const rows = folded(sigma).map((p) => array(p, digits));
  const column = (/** @type {number} */ j) => rows.map((row) => /** @type {number} */ (row[j]));
  /** @type {number[]} */
  const lengths = [];
  for (let j = 1; j <= digits; j++) {
    lengths.push(compressed ? Math.max(lengths.at(-1) ?? 0, column(j).lastIndexOf(1) + 1) : rows.length);
  }
  const steps = Int32Array.from(lengths, (length, j) => length - (lengths[j - 1] ?? 0));
  const matrix = Uint8Array.from(lengths.flatMap((length, j) => column(j + 1).slice(0, length)));
  const bits = new Bits();
  /** A walk; -1 if it leaves the matrix. */
  const walk = () => {
    let [distance, start, length] = [0, 0, 0];
    for (const step of steps) {
      length += step;
      distance = 2 * distance + bits.bit();
      for (let row = length - 1; row >= 0; row--) {
        distance -= /** @type {number} */ (matrix[start + row]);
        if (distance < 0) return row;
      }
      start += length;
    }
    return -1;
  };
  return (out) => {
    for (let k = 0; k < out.length; ) {
      const x = walk();
      if (x >= 0) out[k++] = bits.bit() === 1 ? -x : x;
    }
  };
}

/** The paper's names, with what makes the sampler. @type {Record<string, (sigma: string, options?: Options) => Fill>} */
export const BITS = { rejection, inversion, Ziggurat: ziggurat, "Knuth-Yao": knuthYao };
