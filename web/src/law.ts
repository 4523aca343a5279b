/** Functions of the law, as `scipy.stats` has them. */

import { SamplezError, invalid, notNumber } from "./errors.js";
import type { Instance, LawFunctions } from "./instance.js";
import { checkOptions } from "./options.js";
import { shown } from "./shown.js";

const [LEAST, MOST] = [-(2n ** 63n), 2n ** 63n - 1n];
/** The limits of a function on the left and on the right. */
const ENDS = {
  pmf: [0, 0],
  cdf: [0, 1],
  sf: [1, 0],
  logpmf: [-Infinity, -Infinity],
  logcdf: [-Infinity, 0],
  logsf: [0, -Infinity],
} as const;

/** A function of the law at x, which need not be an integer. */
export function valueAt(
  instance: Instance,
  name: keyof typeof ENDS,
  x: number | bigint,
  of: (law: LawFunctions, x: bigint) => number = (law, x) => law[name](x),
): number {
  if (typeof x !== "bigint" && typeof x !== "number") throw notNumber("x", x, "a number or a BigInt");
  const [left, right] = ENDS[name];
  if (Number.isNaN(x)) return NaN;
  const floor = typeof x === "number" ? Math.floor(x) : x;
  if (floor !== x && name.endsWith("pmf")) return left;
  if (floor === -Infinity || floor === Infinity) return floor < 0 ? left : right;
  const big = BigInt(floor);
  const end = big < LEAST ? LEAST : big > MOST ? MOST : big;
  const value = instance.law((law) => of(law, end));
  // These functions are monotonic in the tails: if the last value of 64 bits has the limit, so have those beyond.
  if (end !== big && value !== (big < 0 ? left : right)) {
    throw invalid("out-of-range", "x", x, `a number between -2^63 and 2^63 - 1, where ${name} does not end yet`);
  }
  return value;
}

/** A quantile, for a q strictly between 0 and 1; `undefined` for others. */
function between(instance: Instance, name: "ppf" | "isf", q: number, of = `q = ${q}`): bigint | undefined {
  if (typeof q !== "number") throw notNumber("q", q, "a number");
  if (!(q > 0 && q < 1)) return undefined;
  const x = instance.law((law) => law[name](q));
  if (x === LEAST) throw new SamplezError("out-of-range", `${of}: the quantile lies beyond 64 bits`);
  return x;
}

/** A quantile as a number, infinite at 0 and 1, NaN outside. An error is about the argument that `of` shows. */
export function quantile(instance: Instance, name: "ppf" | "isf", q: number, of = `q = ${q}`): number {
  const x = between(instance, name, q, of);
  if (x === undefined) return q === 0 || q === 1 ? ((q === 0) === (name === "ppf") ? -Infinity : Infinity) : NaN;
  if (!Number.isSafeInteger(Number(x))) throw new SamplezError("out-of-range", `${of}: the quantile does not fit a number: use ${name}BigInt(${of.startsWith("q") ? "" : q})`);
  return Number(x);
}

/** A quantile, which has to be an integer. */
export function quantileBigInt(instance: Instance, name: "ppf" | "isf", q: number): bigint {
  const x = between(instance, name, q);
  if (x === undefined) throw invalid("out-of-range", "q", q, "a number between 0 and 1, both excluded");
  return x;
}

/** The most values that `expect` adds up. */
const TERMS = 2n ** 22n;

/** E[f(X)], of the values whose probability is a double above 0. */
export function expectation(instance: Instance, f: (x: number) => number, options: { lb?: number | undefined; ub?: number | undefined; conditional?: boolean | undefined }): number {
  checkOptions("options", options, ["lb", "ub", "conditional"]);
  const { lb = -Infinity, ub = Infinity, conditional = false } = options;
  if (typeof f !== "function") throw invalid("type", "f", f, "a function");
  for (const [name, end] of Object.entries({ lb, ub })) {
    if (typeof end !== "number" || Number.isNaN(end)) throw notNumber(name, end, "a number");
  }
  if (typeof conditional !== "boolean") throw invalid("type", "conditional", conditional, "true or false");
  let low = quantileBigInt(instance, "ppf", Number.MIN_VALUE) - 1n;
  let high = quantileBigInt(instance, "isf", Number.MIN_VALUE) + 1n;
  if (lb > low) low = lb > high ? high + 1n : BigInt(Math.ceil(lb));
  if (ub < high) high = ub < low ? low - 1n : BigInt(Math.floor(ub));
  if (high - low >= TERMS) throw new SamplezError("out-of-range", `lb, ub: ${high - low + 1n} values between them: expected at most 2^22; narrow lb and ub`);
  const terms: number[] = [];
  for (let x = low; x <= high; x++) {
    const value = f(Number(x));
    if (typeof value !== "number") throw new SamplezError("type", `f: expected a function that returns numbers, not ${typeof value === "bigint" ? "a bigint" : shown(value)}`);
    terms.push(value * instance.law((law) => law.pmf(x)));
  }
  const total = sum(terms);
  if (!conditional) return total;
  const mass = low <= high ? instance.law((law) => law.mass(low, high)) : 0;
  return mass > 0 ? total / mass : NaN;
}

/** The sum, rounded once (J. R. Shewchuk, Adaptive precision floating-point arithmetic, 1997), as Python's `math.fsum`. */
function sum(terms: readonly number[]): number {
  const parts: number[] = [];
  for (let x of terms) {
    let kept = 0;
    for (let y of parts) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const high = x + y;
      const low = y - (high - x);
      if (low !== 0) parts[kept++] = low;
      x = high;
    }
    parts.length = kept;
    parts.push(x);
  }
  let total = parts.pop() ?? 0;
  if (!Number.isFinite(total)) return terms.reduce((sum, x) => sum + x, 0);
  while (parts.length > 0) {
    const x = total;
    const y = parts.pop()!;
    total = x + y;
    const low = y - (total - x);
    if (low !== 0) {
      // A tie is broken by what comes after it.
      const twice = 2 * low;
      const next = parts.at(-1) ?? 0;
      if (next * low > 0 && total + twice - total === twice) total += twice;
      break;
    }
  }
  return total;
}

/** The letters of `stats`, and their functions. */
const STATS: Readonly<Record<string, (law: LawFunctions) => number>> = {
  m: (law) => law.mean(),
  v: (law) => law.variance(),
  s: (law) => law.skewness(),
  k: (law) => law.excess_kurtosis(),
};

/** Returns the requested ones, in the order of the letters. */
export function stats(instance: Instance, moments: string): number[] {
  const asked = typeof moments === "string" ? [...moments] : [];
  if (asked.length === 0 || asked.some((letter) => !Object.hasOwn(STATS, letter))) {
    throw invalid("out-of-range", "moments", moments, "some of the letters m, v, s, k");
  }
  return Object.entries(STATS).flatMap(([letter, value]) => (asked.includes(letter) ? [instance.law(value)] : []));
}

/** E[X^order]. */
export function moment(instance: Instance, order: number): number {
  const value = Number.isInteger(order) && order >= 0 && order < 2 ** 32 ? instance.law((law) => law.moment(order)) : NaN;
  if (Number.isNaN(value)) throw notNumber("order", order, "an integer from 0 to 32");
  return value;
}

/** The entropy in nats, or with logarithms to a base. */
export function entropy(instance: Instance, base: number | undefined): number {
  if (base === undefined) return instance.law((law) => law.entropy());
  const value = typeof base === "number" ? instance.law((law) => law.entropy_in(base)) : NaN;
  if (Number.isNaN(value)) throw notNumber("base", base, "a finite number above 1");
  return value;
}
