/** [DW18]'s Algorithms 4 and 5, corrected, bit by bit: what `du-wei-4` and `du-wei-5` do with `frugal`, on the same bits. */

import type { Tape } from "./chacha.js";
import { below, coinExp, coinExp2, Teller, type Story } from "./story.js";

export type Lines = readonly (readonly [line: string, text: string])[];

export const FOUR: Lines = [
  ["1", "k ← how many coins e^{−½} in a row are heads"],
  ["2", "keep k if k(k−1) more of them are all heads, else 1"],
  ["3", "s ← ±1; j ← {0, …, σ−1}; for s = −1, j ← j + 1"],
  ["4", "i ← j² + 2jkσ"],
  ["5", "⌊i/σ²⌋ coins e^{−½} all heads, else 1"],
  ["6", "one coin e^{−p/q} heads, p = i mod σ², q = 2σ², else 1"],
  ["7", "return c + s(kσ + j)"],
];

export const FOUR_ERRATUM =
  "Erratum: printed, step 5 tosses ⌊i/2σ²⌋ coins, half as many; at σ = 20 the samples then have the standard deviation 22.12.";

const square = (x: bigint): bigint => x * x;

/** A sample of D_{Z,σ,c}, σ and c integers. */
export function four(tape: Tape, sigma: bigint, center: bigint): Story {
  const teller = new Teller(tape);
  const half = (name: string): boolean => coinExp(teller, 1n, 2n, name);
  /** So many coins, up to the first tails. */
  const all = (count: bigint): boolean => {
    for (let n = 0n; n < count; n++) if (!half("1/2")) return false;
    return true;
  };
  for (;;) {
    teller.line = "1";
    let k = 0n;
    while (half("1/2")) k++;
    teller.say(`k = ${k}.`);
    teller.line = "2";
    const kept = all(k * (k - 1n));
    teller.say(`k(k−1) = ${k * (k - 1n)} coins: ${kept ? `k = ${k} is kept` : "one was tails, begin again"}.`);
    if (!kept) continue;
    teller.line = "3";
    const negative = tape.bit() === 1;
    teller.say(`Sign bit ${negative ? 1 : 0}: s = ${negative ? "−1" : "+1"}.`);
    const j = below(teller, sigma, "j") + (negative ? 1n : 0n);
    if (negative) teller.say(`s = −1: j ← j + 1 = ${j}, so that zero comes once.`);
    teller.line = "4";
    const i = j * (j + 2n * k * sigma);
    teller.say(`i = ${i}. Wanted: a coin e^{−i/2σ²} = (e^{−½})^{${i}/${square(sigma)}}.`);
    teller.line = "5";
    const whole = all(i / square(sigma));
    teller.say(`⌊i/σ²⌋ = ${i / square(sigma)} coins: ${whole ? "all heads" : "one was tails, begin again"}.`);
    if (!whole) continue;
    teller.line = "6";
    const [p, q] = [i % square(sigma), 2n * square(sigma)];
    if (!coinExp(teller, p, q, `${p}/${q}`)) {
      teller.say("Rejected, begin again.");
      continue;
    }
    teller.line = "7";
    const value = k * sigma + j;
    const x = center + (negative ? -value : value);
    return teller.end(x, `Accepted: ${x}, from ${tape.recent.length} bits.`);
  }
}

export const FIVE: Lines = [
  ["1", "x ← 0, 1, 2, …, P(x) ~ 2^{−x²}"],
  ["2", "s ← ±1; y ← {0, …, k−1}"],
  ["3", "for s = −1, y ← y + 1"],
  ["4", "i ← y² + 2kxy"],
  ["5", "⌊i/k²⌋ fair coins all heads, else 1"],
  ["6", "one coin 2^{−z/k²} heads, z = i mod k², else 1"],
  ["7", "return c + s(kx + y)"],
];

export const FIVE_ERRATUM =
  "Errata: y is printed from 0 to k, and step 3 with j for y; step 6's Algorithm 6 has four faults in print. What stands here is exact.";

/** x >= 0 with P(x) ~ 2^(-x²): BIN of [DDLL13]. */
function bin(teller: Teller): bigint {
  const { tape } = teller;
  for (;;) {
    if (tape.bit() === 0) {
      teller.say("Bit 0: x = 0.");
      return 0n;
    }
    teller.say("Bit 1: not 0.");
    for (let x = 1; ; x++) {
      const from = tape.recent.length;
      let zeros = true;
      for (let n = 0; n < 2 * x - 2 && zeros; n++) zeros = tape.bit() === 0;
      const drawn = tape.recent.slice(from).join("");
      if (!zeros) {
        teller.say(`Stage ${x}: ${drawn}, a 1 where ${2 * x - 2} zeros are needed: begin with x again.`);
        break;
      }
      const last = tape.bit();
      teller.say(`Stage ${x}: ${drawn}${drawn && ", "}then ${last}: ${last === 0 ? `x = ${x}` : "on to the next"}.`);
      if (last === 0) return BigInt(x);
    }
  }
}

/** A sample of D_{Z,σ,c}, σ = k·sqrt(1/(2 ln 2)), k and c integers. */
export function five(tape: Tape, k: bigint, center: bigint): Story {
  const teller = new Teller(tape);
  for (;;) {
    teller.line = "1";
    const x = bin(teller);
    teller.line = "2";
    const negative = tape.bit() === 1;
    teller.say(`Sign bit ${negative ? 1 : 0}: s = ${negative ? "−1" : "+1"}.`);
    const y = below(teller, k, "y") + (negative ? 1n : 0n);
    teller.line = "3";
    if (negative) teller.say(`s = −1: y ← y + 1 = ${y}, so that zero comes once.`);
    teller.line = "4";
    const i = y * (y + 2n * x * k);
    teller.say(`i = ${i}. Wanted: a coin 2^{−i/k²} with k² = ${square(k)}.`);
    teller.line = "5";
    let whole = true;
    for (let n = 0n; n < i / square(k) && whole; n++) whole = tape.bit() === 1;
    teller.say(`⌊i/k²⌋ = ${i / square(k)} fair coins: ${whole ? "all heads" : "one was tails, begin again"}.`);
    if (!whole) continue;
    teller.line = "6";
    if (!coinExp2(teller, i % square(k), square(k))) continue;
    teller.line = "7";
    const value = k * x + y;
    const z = center + (negative ? -value : value);
    return teller.end(z, `Accepted: ${z}, from ${tape.recent.length} bits.`);
  }
}

