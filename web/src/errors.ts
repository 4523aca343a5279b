/** The package's one class of errors. */

import { kind } from "./shown.js";

/** The kind of an error:
 *
 * - `type`: an argument has another type.
 * - `range`: it lies outside of the allowed range.
 * - `refused`: it is refused otherwise, such as an option that does not exist.
 * - `disposed`: a sampler is used after `dispose`.
 * - `load`: a module or a worker could not be loaded.
 * - `stopped`: one of them stopped.
 * - `entropy`: there were no random bytes. */
export type ErrorCode = "type" | "range" | "refused" | "disposed" | "load" | "stopped" | "entropy";

const NAMES: Partial<Record<ErrorCode, string>> = { type: "TypeError", range: "RangeError" };
/** Codes of errors about an argument, whose text begins with it. */
const ABOUT: readonly ErrorCode[] = ["type", "range", "refused"];

/**
 * Every error of this package. Its `name` is that of the language's class that fits: TypeError, RangeError or Error.
 *
 * ```js
 * const { argument, value, code } = await DiscreteGaussian.create({ sigma: -1 }).catch((error) => error); // sigma, -1, refused
 * ```
 */
export class SamplezError extends Error {
  /** The kind of the error. */
  readonly code: ErrorCode;
  /** The argument or the option that is wrong, as the caller spells it, if it is one. */
  readonly argument: string | undefined;
  /** Its value as a text. Of seeds and samples there is none; of other objects it is the type. */
  readonly value: string | undefined;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    Object.defineProperty(this, "name", { value: NAMES[code] ?? "Error", configurable: true, writable: true });
    this.code = code;
    const about = ABOUT.includes(code) ? /^(?:missing )?([A-Za-z][\w.]*(?:\[\d+\])?)(?: = ([^]*?))?: /.exec(message) : null;
    this.argument = about?.[1];
    this.value = about?.[2];
  }
}

/** The way out for a call that has no options. */
export const NO_OPTIONS = "options belong to create";
/** The way out for an argument of `sample`. */
export const DRAWS_ONE = "sample() draws one, and fill or draw many";

/** Refuses an argument after the last one, with the way out: by default that options go into the last one. A function that
 * `Array.prototype.map` may call gets a number after the first. */
export function checkCount(given: ArrayLike<unknown>, most: number, way?: string): void {
  const extra = given[most];
  if (extra === undefined || (way === undefined && most === 1 && typeof extra === "number")) return;
  const place = ["first", "second", "third"][most - 1];
  throw new SamplezError("type", `arguments[${most}] = ${typeof extra === "number" ? extra : kind(extra)}: no such argument; ${way ?? `options go into the ${place}`}`);
}

/** Refuses a `new` by hand: a sampler is made once its module has been loaded. */
export function checkMade(isMade: boolean, name: string): void {
  if (!isMade) throw new SamplezError("type", `new ${name}: use await ${name}.create(…), which loads the module first`);
}
