/** One sample, told step by step: what was drawn, and what it decided. */

import type { Tape } from "./chacha.js";

/** Samples that can be told: so many of the library's are drawn, to compare with. */
export const SAMPLES = 64;

/** A lazily drawn uniform beside what it is compared with, all in [0, 1]. */
export interface Comparison {
  /** The uniform lies in [low, low + size). */
  readonly low: number;
  readonly size: number;
  readonly goal: number;
  readonly name: string;
  /** Whether it is below the goal; undefined as long as that is open. */
  readonly below: boolean | undefined;
}

export interface Step {
  /** The line of the algorithm. */
  readonly line: string;
  readonly text: string;
  /** Bits of this sample that are drawn after the step. */
  readonly drawn: number;
  readonly comparison?: Comparison;
}

export interface Story<S extends Step = Step> {
  readonly steps: readonly S[];
  readonly bits: readonly number[];
  readonly value: bigint;
}

/** Collects the steps of one sample. */
export class Teller {
  readonly steps: Step[] = [];
  readonly tape: Tape;
  /** The line that the next steps belong to. */
  line = "";

  constructor(tape: Tape) {
    this.tape = tape;
    tape.mark();
  }

  say(text: string, comparison?: Comparison): void {
    const step = { line: this.line, text, drawn: this.tape.recent.length };
    this.steps.push(comparison ? { ...step, comparison } : step);
  }

  end(value: bigint, text: string): Story {
    this.say(text);
    return { steps: this.steps, bits: this.tape.recent.slice(), value };
  }
}

const places = (digits: string): string => `0.${digits}`;

/** Whether a uniform is below num/den, one bit at a time: `bits::LazyUniform` and `coins::coin` of the library. */
export function coin(teller: Teller, num: bigint, den: bigint, name: string): boolean {
  const goal = Number((num << 60n) / den) / 2 ** 60;
  let rest = num;
  let low = 0;
  let size = 1;
  let digits = "";
  const open = (below: boolean | undefined): Comparison => ({ low, size, goal, name, below });
  while (rest > 0n) {
    rest *= 2n;
    const digit = rest >= den;
    if (digit) rest -= den;
    const bit = teller.tape.bit();
    digits += bit;
    size /= 2;
    low += bit * size;
    const settled = (bit === 1) !== digit;
    const shown = `u = ${places(digits)}… in binary, ${name} = ${goal.toPrecision(4)}`;
    teller.say(settled ? `${shown}: u is ${digit ? "below: the coin is heads" : "not below: the coin is tails"}.` : `${shown}: still open, one more bit.`, open(settled ? digit : undefined));
    if (settled) return digit;
  }
  teller.say(num === 0n ? `${name} is 0: tails, without a bit.` : `The binary places of ${name} end here, and u has reached them: tails.`, open(false));
  return false;
}

/** True with probability e^-(num/den), num < den: the run of coins γ/1, γ/2, γ/3, … that are heads is even. */
export function coinExp(teller: Teller, num: bigint, den: bigint, name: string): boolean {
  let heads = 0n;
  while (coin(teller, num, den * (heads + 1n), heads === 0n ? name : `${name}/${heads + 1n}`)) heads++;
  const even = heads % 2n === 0n;
  teller.say(`${heads} heads in a row, ${even ? "an even number: true" : "an odd number: false"}. So a coin e^{−γ}, γ = ${name}, is ${even ? "true" : "false"}.`);
  return even;
}

/** True with probability 2^-(z/q), z < q: coins z/q, (1 − z/q)/2, (2 − z/q)/3, … each followed by a fair one. */
export function coinExp2(teller: Teller, z: bigint, q: bigint): boolean {
  for (let n = 1n; ; n++) {
    const [num, name] = n === 1n ? [z, `${z}/${q}`] : [(n - 1n) * q - z, `(${n - 1n} − ${z}/${q})/${n}`];
    if (!coin(teller, num, n * q, name)) {
      teller.say(`Coin ${n} is tails: true, accepted.`);
      return true;
    }
    const fair = teller.tape.bit();
    teller.say(`A fair coin: ${fair}. ${fair ? "1: false, rejected." : "0: on to the next coin."}`);
    if (fair) return false;
  }
}

/** A uniform integer below m: Lumbroso's dice roller, as `bits::uniform_below` draws. */
export function below(teller: Teller, m: bigint, name: string): bigint {
  let v = 1n;
  let c = 0n;
  while (v < m) {
    let t = 0;
    while (v << BigInt(t) < m) t++;
    v <<= BigInt(t);
    const from = teller.tape.recent.length;
    c = (c << BigInt(t)) | teller.tape.bits(t);
    const drawn = teller.tape.recent.slice(from).join("");
    if (c < m) {
      teller.say(`${name}: bits ${drawn}, which make ${c}, below ${m}: ${name} = ${c}.`);
      return c;
    }
    v -= m;
    c -= m;
    teller.say(`${name}: bits ${drawn} make ${c + m}, which is not below ${m}; what is left, ${c} of ${v}, goes on.`);
  }
  teller.say(`${name} = 0: there is one choice, and it takes no bit.`);
  return 0n;
}
