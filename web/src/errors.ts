/** The package's one class of errors. */

import { kind as kindOf, shown } from "./shown.js";

/** Why an argument is rejected, with the same names in every language:
 *
 * - `missing`: a required argument is absent.
 * - `no-method`: no method samples the distribution with these options.
 * - `not-a-number`: the text is not a number.
 * - `out-of-range`: the number is outside the allowed range.
 * - `too-long`: the number does not fit 64 bits.
 * - `unknown`: the name does not exist.
 * - `unsupported`: the method does not allow the value, and another method may.
 * - `other`: another reason.
 *
 * Only JavaScript has these:
 *
 * - `type`: an argument has the wrong type.
 * - `disposed`: a sampler is used after `dispose`.
 * - `load`: a module or a worker could not be loaded.
 * - `stopped`: a module or a worker stopped.
 * - `entropy`: there were no random bytes. */
export type ErrorKind =
  | "missing" | "no-method" | "not-a-number" | "out-of-range" | "too-long" | "unknown" | "unsupported" | "other"
  | "type" | "disposed" | "load" | "stopped" | "entropy";

const NAMES: Partial<Record<ErrorKind, string>> = { type: "TypeError", "out-of-range": "RangeError" };
/** Errors that are not about an argument. Other texts begin with it. */
const NOT_ABOUT: readonly ErrorKind[] = ["disposed", "load", "stopped", "entropy"];

/**
 * Every error of this package. Its `name` is that of the language's class that fits: TypeError, RangeError or Error.
 *
 * ```js
 * const { argument, value, kind } = await DiscreteGaussian.create({ sigma: -1 }).catch((error) => error); // sigma, -1, out-of-range
 * ```
 */
export class SamplezError extends Error {
  /** Why the error was thrown. */
  readonly kind: ErrorKind;
  /** The argument or the option that is wrong, as the caller spells it, if it is one. */
  readonly argument: string | undefined;
  /** Its value as a text. Of seeds and samples there is none; of other objects it is the type. */
  readonly value: string | undefined;

  constructor(kind: ErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    Object.defineProperty(this, "name", { value: NAMES[kind] ?? "Error", configurable: true, writable: true });
    this.kind = kind;
    const about = NOT_ABOUT.includes(kind) ? null : /^(?:missing )?([A-Za-z][\w.]*(?:\[\d+\])?)(?: = ([^]*?))?: /.exec(message);
    this.argument = about?.[1];
    this.value = about?.[2];
  }
}

/** The error for a value that the argument does not allow. */
export const invalid = (kind: ErrorKind, name: string, value: unknown, expected: string): SamplezError =>
  new SamplezError(kind, `${name} = ${shown(value)}: expected ${expected}`);

/** The error for an argument that takes numbers alone. The digits of a text or of a bigint look right, so its type is named. */
export const notNumber = (name: string, value: unknown, expected: string): SamplezError =>
  invalid(typeof value === "number" ? "out-of-range" : "type", name, value, expected + (typeof value === "string" ? ", not a text" : typeof value === "bigint" ? ", not a bigint" : ""));

/** The way out for a call that has no options. */
export const NO_OPTIONS = "options belong to create";
/** The way out for an argument of `sample`. */
export const DRAWS_ONE = "sample() draws one, and fill or draw many";

/** The way out for a second argument of a function of the law. */
export const ONE_LAW = "center and width belong to create";

/** Refuses an argument after the last one, with the way out: by default that options go into the last one. `Array.prototype.map` adds a
 * number and the array to the first. */
export function checkCount(given: ArrayLike<unknown>, most: number, way?: string): void {
  const extra = given[most];
  if (extra === undefined || (most === 1 && typeof extra === "number" && Array.isArray(given[2]))) return;
  const place = ["first", "second", "third"][most - 1];
  throw new SamplezError("type", `arguments[${most}] = ${typeof extra === "number" ? extra : kindOf(extra)}: no such argument; ${way ?? `options go into the ${place}`}`);
}

/** The objects that a class of this package made, and the prototypes of these classes. */
const OWN = new WeakSet<object>();

/** Refuses a `new` by hand: a sampler is made once its module has been loaded. From then on the methods of its class refuse a `this` that is
 * none of its objects, such as that of a method taken off its object. */
export function checkMade(made: object, isMade: boolean, name: string): void {
  if (!isMade) throw new SamplezError("type", `new ${name}: use await ${name}.create(…), which loads the module first`);
  OWN.add(made);
  // Here, and not where the class is defined, so that a bundler can drop the class.
  for (let type = Object.getPrototypeOf(made); type !== Object.prototype && !OWN.has(type); type = Object.getPrototypeOf(type)) {
    OWN.add(type);
    for (const name of Reflect.ownKeys(type)) {
      const member = Object.getOwnPropertyDescriptor(type, name)!;
      const method = member.value;
      if (name === "constructor" || typeof method !== "function") continue;
      member.value = function (this: object) {
        if (OWN.has(this)) return method.apply(this, arguments);
        const call = `d.${String(name)}(…)`;
        const refused = new SamplezError("type", `this = ${shown(this)}: expected the object d that has the method, and no proxy of it; pass (…) => ${call}, which calls ${call}`);
        if (method[Symbol.toStringTag] === "AsyncFunction") return Promise.reject(refused);
        throw refused;
      };
      Object.defineProperty(type, name, member);
    }
  }
}
