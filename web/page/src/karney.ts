/** [Kar16]'s Algorithm D with its coins, Algorithms H and B, as printed: uniforms revealed bit by bit, and exact fractions. The
 * library draws the same law from wider draws and fewer decisions; its own steps are in karney.rs. */

import type { Tape } from "./chacha.js";
import type { Lines } from "./du-wei.js";
import { below, coin, Teller, type Comparison, type Story } from "./story.js";

export const D: Lines = [
  ["D1", "k ← how many times in a row H is true"],
  ["D2", "keep k if H is true k(k−1) times more, else D1"],
  ["D3", "s ← ±1"],
  ["D4", "i₀ ← ⌈kσ + sc⌉; x₀ ← (i₀ − (kσ + sc))/σ; j ← {0, …, ⌈σ⌉−1}; x ← x₀ + j/σ"],
  ["D5", "if x ≥ 1, D1"],
  ["D6", "if k = 0, x = 0 and s < 0, D1 (zero comes once)"],
  ["D7", "B(k, x) true k + 1 times: in all e^{−x(2k+x)/2}, else D1"],
  ["D8", "return s(i₀ + j)"],
];

/** A uniform that is revealed bit by bit and remembered. */
class Uniform {
  readonly #digits: number[] = [];

  digit(at: number, tape: Tape): number {
    while (this.#digits.length <= at) this.#digits.push(tape.bit());
    return this.#digits[at]!;
  }

  /** What is known of it. */
  get known(): { low: number; size: number; text: string } {
    const low = this.#digits.reduce((sum, digit, i) => sum + digit * 2 ** -(i + 1), 0);
    return { low, size: 2 ** -this.#digits.length, text: this.#digits.length > 0 ? `0.${this.#digits.join("")}…` : "wholly open" };
  }
}

/** A fraction's binary places, one after the other. */
class Fraction {
  #rest: bigint;
  readonly #den: bigint;
  readonly #digits: number[] = [];
  readonly known: { low: number; size: number; text: string };

  constructor(num: bigint, den: bigint) {
    [this.#rest, this.#den] = [num, den];
    this.known = { low: Number((num << 60n) / den) / 2 ** 60, size: 0, text: `${num}/${den}` };
  }

  digit(at: number): number {
    while (this.#digits.length <= at) {
      this.#rest *= 2n;
      const digit = this.#rest >= this.#den ? 1 : 0;
      if (digit) this.#rest -= this.#den;
      this.#digits.push(digit);
    }
    return this.#digits[at]!;
  }

  /** Whether all places from here on are 0. */
  ends(at: number): boolean {
    if (at > 0) this.digit(at - 1);
    return this.#rest === 0n && this.#digits.length <= at;
  }
}

/** Whether u < goal, from as many places of both as that takes. */
function isBelow(teller: Teller, u: Uniform, goal: Uniform | Fraction, name: string): boolean {
  for (let at = 0; ; at++) {
    const ended = goal instanceof Fraction && goal.ends(at);
    const [mine, other] = ended ? [0, 0] : [u.digit(at, teller.tape), goal.digit(at, teller.tape)];
    const below = ended ? false : mine === other ? undefined : mine < other;
    const { low, size, text } = u.known;
    const seen: Comparison = { low, size, goal: goal.known.low, name, below };
    const verdict = below === undefined ? "equal so far, one more place" : below ? `u < ${name}` : `u is not below ${name}`;
    teller.say(`u = ${text}, ${name} = ${goal.known.text}: ${verdict}.`, seen);
    if (below !== undefined) return below;
  }
}

/** Algorithm H: true with probability e^-½. A falling run ½ > u₁ > u₂ > …, even in length. */
export function h(teller: Teller): boolean {
  let last: Uniform | Fraction = new Fraction(1n, 2n);
  for (let n = 0; ; n++) {
    const u = new Uniform();
    if (!isBelow(teller, u, last, n === 0 ? "½" : "the last")) {
      teller.say(`H: a falling run of ${n}, ${n % 2 === 0 ? "even: true" : "odd: false"}.`);
      return n % 2 === 0;
    }
    last = u;
  }
}

/** Algorithm B: true with probability e^(-x(2k+x)/(2k+2)), x = num/den. A run x > u₁ > u₂ > …, each step of which also takes a coin (2k+x)/(2k+2). */
export function b(teller: Teller, k: bigint, num: bigint, den: bigint): boolean {
  const m = 2n * k + 2n;
  let last: Uniform | Fraction = new Fraction(num, den);
  for (let n = 0; ; n++) {
    const u = new Uniform();
    const end = (why: string): boolean => {
      teller.say(`B: ${why}, a run of ${n}, ${n % 2 === 0 ? "even: true" : "odd: false"}.`);
      return n % 2 === 0;
    };
    if (!isBelow(teller, u, last, n === 0 ? "x" : "the last")) return end("the run ends");
    // C(m): −1, 0, 1 with probabilities 1/m, 1/m, 1 − 2/m.
    const choice = below(teller, m, "f");
    if (choice === 0n) return end("f = 0 stops it");
    if (choice === 1n && !coin(teller, num, den, "x")) return end("f = 1 tosses a coin x, which stops it");
    last = u;
  }
}

const floor = (num: bigint, den: bigint): bigint => num / den - (num % den < 0n ? 1n : 0n);
const ceil = (num: bigint, den: bigint): bigint => -floor(-num, den);

/** A sample of D_{Z,σ,c} for σ and c as fractions. */
export function d(tape: Tape, [a, sd]: readonly [bigint, bigint], [c, cd]: readonly [bigint, bigint]): Story {
  const teller = new Teller(tape);
  const again = (): void => teller.say("Begin again at D1.");
  /** σ = unit/grid, c = middle/grid. */
  const [unit, grid, middle] = [a * cd, sd * cd, c * sd];
  const m = ceil(a, sd);
  for (;;) {
    teller.line = "D1";
    let k = 0n;
    while (h(teller)) k++;
    teller.say(`k = ${k}.`);
    teller.line = "D2";
    let kept = true;
    for (let n = 0n; n < k * (k - 1n) && kept; n++) kept = h(teller);
    teller.say(kept ? `H was true k(k−1) = ${k * (k - 1n)} times: k = ${k} is kept.` : "H was false: begin again at D1.");
    if (!kept) continue;
    teller.line = "D3";
    const s = tape.bit() === 0 ? 1n : -1n;
    teller.say(`Sign bit ${s > 0n ? 0 : 1}: s = ${s > 0n ? "+1" : "−1"}.`);
    teller.line = "D4";
    const point = k * unit + s * middle;
    const i0 = ceil(point, grid);
    const j = below(teller, m, "j");
    const x = i0 * grid - point + j * grid;
    teller.say(`i₀ = ${i0}, x = ${x}/${unit} = ${(Number(x) / Number(unit)).toPrecision(4)}.`);
    teller.line = "D5";
    if (x >= unit) {
      teller.say("x is not below 1.");
      again();
      continue;
    }
    teller.line = "D6";
    if (k === 0n && x === 0n && s < 0n) {
      teller.say("Zero, with s = −1.");
      again();
      continue;
    }
    teller.line = "D7";
    let accepted = true;
    for (let n = 0n; n <= k && accepted; n++) accepted = b(teller, k, x, unit);
    if (!accepted) {
      again();
      continue;
    }
    teller.line = "D8";
    const value = s * (i0 + j);
    return teller.end(value, `Accepted: ${value}, from ${tape.recent.length} bits.`);
  }
}
