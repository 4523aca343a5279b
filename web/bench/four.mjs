// [JSDGS17]'s four samplers in plain JavaScript, corrected where docs/errata.md says so: rejection from a table, inversion, the
// Ziggurat, and Knuth–Yao over a compressed matrix. Tables of 128 bits in 32-bit words, t = 13, 63 rectangles, all 128 bits drawn where the
// paper draws them. For comparison only: nothing is certified here, and nothing hides what is drawn.
// @ts-check

import { ChaCha20 } from "./plain.mjs";

const PRECISION = 128;
const TAIL = 13;
const RECTANGLES = 63;
/** Bits of the arithmetic that makes the tables. */
export const EXACT = 256n;
export const ONE = 1n << EXACT;

/** @typedef {(out: Int16Array) => void} Fill */

/** ρ(x) = e^(-x²/(2σ²)) in units of 2^-256, for a decimal σ.
 * @param {bigint} x @param {string} sigma */
function density(x, sigma) {
  const [whole = "", decimals = ""] = sigma.split(".");
  const num = BigInt(whole + decimals);
  const den = 10n ** BigInt(decimals.length);
  // e^-a = (e^(-a/2^s))^(2^s), by the series.
  const halvings = 16n;
  const a = ((x * x * den * den * ONE) / (2n * num * num)) >> halvings;
  let [term, sum] = [ONE, ONE];
  for (let i = 1n; term !== 0n; i++) {
    term = (term * a) / ONE / i;
    sum += i % 2n === 1n ? -term : term;
  }
  for (let i = 0n; i < halvings; i++) sum = (sum * sum) >> EXACT;
  return sum;
}

/** Numbers below 2^128 as arrays of words, the most significant of all numbers together.
 * @param {bigint[]} numbers */
function words(numbers) {
  return [96n, 64n, 32n, 0n].map((shift) => Uint32Array.from(numbers, (number) => Number((number >> shift) & 0xffffffffn)));
}

const FULL = (1n << 128n) - 1n;
/** @param {bigint} p */
const rounded = (p) => (p >= ONE ? FULL : p >> (EXACT - 128n));

/** What all four draw from. */
export class Bits {
  #random = new ChaCha20();
  #buffer = 0;
  #left = 0;

  word() {
    return this.#random.word();
  }

  bit() {
    if (this.#left === 0) {
      this.#buffer = this.#random.word();
      this.#left = 32;
    }
    const bit = this.#buffer & 1;
    this.#buffer >>>= 1;
    this.#left--;
    return bit;
  }

  /** Uniform below a bound, by as many bits as it has, again until they are below.
   * @param {number} bound */
  below(bound) {
    const size = 32 - Math.clz32(bound - 1);
    for (;;) {
      let value = 0;
      for (let i = 0; i < size; i++) value = (value << 1) | this.bit();
      if (value < bound) return value;
    }
  }
}

/** Whether the 128 bits of `u` are below number i of a table.
 * @param {Uint32Array} u @param {Uint32Array[]} table @param {number} i */
function less(u, table, i) {
  for (let j = 0; j < 4; j++) {
    const [a, b] = [/** @type {number} */ (u[j]), /** @type {number} */ (table[j]?.[i])];
    if (a !== b) return a < b;
  }
  return false;
}

/** @param {Bits} bits @param {Uint32Array} u */
function draw(bits, u) {
  for (let j = 0; j < 4; j++) u[j] = bits.word();
}

/** Densities of 0 … 13σ. @param {string} sigma */
export function densities(sigma) {
  const size = Math.floor(TAIL * Number(sigma)) + 1;
  return Array.from({ length: size }, (_, x) => density(BigInt(x), sigma));
}

/** Algorithm 1: x uniform up to the tail, kept with its density.
 * @param {string} sigma @returns {Fill} */
export function rejection(sigma) {
  const all = densities(sigma);
  const table = words(all.map(rounded));
  const bits = new Bits();
  const u = new Uint32Array(4);
  const span = 2 * all.length - 1;
  return (out) => {
    for (let k = 0; k < out.length; ) {
      const x = bits.below(span) - all.length + 1;
      draw(bits, u);
      if (less(u, table, Math.abs(x))) out[k++] = x;
    }
  };
}

/** Algorithm 2: a binary search for 128 uniform bits among P(|X| ≤ i), and a sign.
 * @param {string} sigma @returns {Fill} */
export function inversion(sigma) {
  const all = densities(sigma).map((p, x) => (x === 0 ? p : 2n * p));
  const sum = all.reduce((a, b) => a + b, 0n);
  let below = 0n;
  const table = words(all.map((p) => rounded(((below += p) << EXACT) / sum)));
  const bits = new Bits();
  const u = new Uint32Array(4);
  return (out) => {
    for (let k = 0; k < out.length; k++) {
      draw(bits, u);
      let [low, high] = [0, all.length - 1];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (less(u, table, middle)) high = middle;
        else low = middle + 1;
      }
      out[k] = bits.bit() === 1 ? -low : low;
    }
  };
}

/** The partition into 63 rectangles of area S: the last column of each, and the heights of their edges in units of 2^-256; undefined
 * if S is too small to reach 1.
 * @param {bigint[]} all @param {bigint} area */
function ofArea(all, area) {
  const edges = new Int32Array(RECTANGLES + 1);
  /** @type {bigint[]} */
  const heights = new Array(RECTANGLES + 1).fill(0n);
  let x = all.length - 1;
  for (let i = RECTANGLES; i > 0; i--) {
    edges[i] = x;
    heights[i - 1] = /** @type {bigint} */ (heights[i]) + area / BigInt(x + 1);
    while (x > 0 && /** @type {bigint} */ (all[x]) < /** @type {bigint} */ (heights[i - 1])) x--;
  }
  return /** @type {bigint} */ (heights[0]) < ONE ? undefined : { edges, heights };
}

/** The partition of the least area that reaches 1. @param {bigint[]} all */
export function partition(all) {
  let [low, high] = [0n, ONE * BigInt(all.length)];
  while (high - low > 1n << 100n) {
    const middle = (low + high) >> 1n;
    if (ofArea(all, middle) === undefined) low = middle;
    else high = middle;
  }
  const found = ofArea(all, high);
  if (found === undefined) throw new Error("no partition");
  return found;
}

/** Algorithm 3: the Ziggurat with stored densities. A throw left of the rectangle above is kept at once, another by its height.
 * @param {string} sigma @returns {Fill} */
export function ziggurat(sigma) {
  const all = densities(sigma);
  const { edges, heights } = partition(all);
  // The parts of ρ(x) above the lower edge of a rectangle, as fractions of its height.
  const first = new Int32Array(RECTANGLES + 1);
  /** @type {bigint[]} */
  const shares = [];
  for (let i = 1; i <= RECTANGLES; i++) {
    const [bottom, top] = [/** @type {bigint} */ (heights[i]), /** @type {bigint} */ (heights[i - 1])];
    const from = /** @type {number} */ (edges[i - 1]);
    first[i] = shares.length - from;
    for (let x = from; x <= /** @type {number} */ (edges[i]); x++) {
      const above = /** @type {bigint} */ (all[x]) - bottom;
      shares.push(above <= 0n ? 0n : rounded((above << EXACT) / (top - bottom)));
    }
  }
  const table = words(shares);
  const bits = new Bits();
  const u = new Uint32Array(4);
  return (out) => {
    for (let k = 0; k < out.length; ) {
      const i = 1 + bits.below(RECTANGLES);
      const x = bits.below(/** @type {number} */ (edges[i]) + 1);
      const sign = bits.bit();
      // Zero has one sign.
      if (x === 0 && sign === 1) continue;
      const sure = /** @type {number} */ (edges[i - 1]);
      if (x >= sure && (x > sure || i === 1)) {
        draw(bits, u);
        if (!less(u, table, /** @type {number} */ (first[i]) + x)) continue;
      }
      out[k++] = sign === 1 ? -x : x;
    }
  };
}

/** Algorithm 5: the walk over the matrix of the binary places of P(|X| = x), each column without the zeros below its last one.
 * @param {string} sigma @returns {Fill} */
export function knuthYao(sigma) {
  const all = densities(sigma).map((p, x) => (x === 0 ? p : 2n * p));
  const sum = all.reduce((a, b) => a + b, 0n);
  const places = all.map((p) => (p << 128n) / sum);
  const starts = new Int32Array(PRECISION + 1);
  /** @type {number[]} */
  const rows = [];
  for (let j = 0; j < PRECISION; j++) {
    const column = places.map((p) => Number((p >> BigInt(PRECISION - 1 - j)) & 1n));
    rows.push(...column.slice(0, column.lastIndexOf(1) + 1));
    starts[j + 1] = rows.length;
  }
  const matrix = Uint8Array.from(rows);
  const bits = new Bits();
  /** A walk; -1 if it leaves the matrix. */
  const walk = () => {
    let distance = 0;
    for (let j = 0; j < PRECISION; j++) {
      distance = 2 * distance + bits.bit();
      const start = /** @type {number} */ (starts[j]);
      for (let at = /** @type {number} */ (starts[j + 1]) - 1; at >= start; at--) {
        distance -= /** @type {number} */ (matrix[at]);
        if (distance < 0) return at - start;
      }
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

/** The paper's names, with what makes the sampler. @type {Record<string, (sigma: string) => Fill>} */
export const FOUR = { rejection, inversion, Ziggurat: ziggurat, "Knuth-Yao": knuthYao };
