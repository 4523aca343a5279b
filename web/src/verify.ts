/** Judging integers: {@link verify}. */

import { wipe, type SampleArray } from "./arrays.js";
import { checkCount, SamplezError, invalid } from "./errors.js";
import { asSamples, bigInts, checkIntegers, isIntegers, isNumbers, Judge, refused, widened, type Integers } from "./judge.js";
import { Judges } from "./judges.js";
import { hasSimd, loader, type ModuleOptions, type ModuleSource } from "./module.js";
import { WIDTHS, checkOptions, isNumber, lines, meant, OTHER, type Exact, type OtherLaw, type Recipe, type Width } from "./options.js";
import { kind } from "./shown.js";
import { checkWorkers } from "./threads.js";
import { verifyFile } from "./verify-file.js";

/** The law that integers are judged by, of a recipe only its law; or a second sample instead. A recipe may be a sum of laws, such as
 * `"laplace=4,copies=2 - 500*sigma=3.2"`, or with `law=rounded` the integer nearest to a normal or a Laplace variable. */
export type VerifyOptions = ModuleOptions & ((Recipe | OtherLaw | Width & {
  /** The centre c; 0 if absent. */
  center?: Exact | undefined;
}) & {
  /** The integers are residues modulo this whole number, from 2 to 2^64: from 0 to q - 1, or from -q/2 to q/2. */
  modulus?: number | bigint | string | undefined;
  against?: undefined;
} | {
  /** A second sample: the tests are whether both are independent samples of one law, which may be any. */
  against: SampleData;
}) & {
  /** The number of workers that share the tests. The report is the same for any number. If absent or 1, the caller's thread does all of
   * the work. More than 8 have nothing more to share. Each takes in all values: workers keep the caller's thread free, and save little time. */
  threads?: number | undefined;
};

/** Samples: an array, or several as pieces of it. */
export type SampleData = Integers | Iterable<Integers> | AsyncIterable<Integers> | ReadableStream<Integers>;

/** A family of tests, judged as one: by its least p-value, times the number of its tests. */
export interface Test {
  /** The family's name, the same in every language. */
  readonly name: string;
  /** How many of its tests apply; 0 if none does. */
  readonly tests: number;
  /** Which of them is the most unlike the law: a lag, a stride, a place. */
  readonly at: string | null;
  /** Its statistic: χ² or G, a standard normal z, a distance in σ, or a count. `null` where none applies. */
  readonly statistic: number | null;
  /** Its degrees of freedom, for χ² and G. */
  readonly dof: number | null;
  /** Its p-value times the number of tests that apply, at most 1, before Holm's correction. */
  readonly pValue: number | null;
  /** The family's verdict after Holm's correction over all of them. */
  readonly verdict: "pass" | "reject" | "not applicable";
  /** Why it is not applicable. */
  readonly reason: string | null;
}

/** The verdict on integers, or on two samples: the output of `samplez verify --json`, with `--against` too. */
export interface Report {
  /** The law; `null` for two samples. */
  readonly law: string | null;
  /** The number of values. */
  readonly n: number;
  /** The number of values of the second sample; `null` without one. */
  readonly m: number | null;
  /** Whether no test rejects. */
  readonly consistent: boolean;
  /** The probability with which ideal samples are rejected, over all tests: about 1e-6. */
  readonly alpha: number;
  /** How many of the kept sequences of the second sample are also in the first, and of how many. Above 0 if values were copied; `null`
   * without a second sample, and if the entropy is too small for sequences that never come again. */
  readonly shared: { readonly sequences: number; readonly of: number } | null;
  /** Every family of tests, also those that do not apply; of two samples those of both, then those of the order in each. */
  readonly tests: readonly Test[];
  /** The deviations that would have been seen with probability 1/2 at this number of values; `null` where no test applies. `sigma` and `zero`
   * are relative errors of σ and of P(X = 0), `mean`, `place` and `wave` are in σ, `sign` and `parity` are errors of probabilities,
   * `correlation` and `magnitudes` serial correlations, `repeat` a length in values, and `totalVariation` the statistical distance. */
  readonly power: Readonly<Record<Deviation, number | null>>;
  /** If a test rejects: the q modulo which the values look like residues, by the first of them. It is a power of two, or the greatest value plus
   * 1, which may be below q. From 2^53 on a bigint. The option `modulus` judges residues. `null` otherwise, and for two samples. */
  readonly modulus: number | bigint | null;
}

type Deviation = "sigma" | "mean" | "zero" | "sign" | "parity" | "correlation" | "magnitudes" | "place" | "wave" | "repeat" | "totalVariation";

const NAMES = [...WIDTHS, "center", "recipe", "modulus", ...OTHER, "against", "module", "threads"];
/** Where a signal goes. */
const NO_SIGNAL = "; to stop verify, pass a signal to chunks() or to the stream of the samples";
/** Values of each of two samples by which the cells are cut, as the command has it. */
const HEAD = 65536;
/** Values that a verdict needs. */
const LEAST = 100;

const load = /* @__PURE__ */ loader(["samplez-verify.wasm"], verifyFile);

/**
 * Tests whether integers are consistent with samples of D_{Z,σ,c} or of another distribution, whatever program drew them. It runs the
 * tests of the command `samplez verify`, and its figures are equal to the last digit.
 *
 * ```js
 * const { consistent, tests } = await verify(samples, { sigma: "3.2" });
 * const both = await verify(samples, { against: others }); // whether they are independent samples of one law, which may be any
 * ```
 *
 * Integers that do not fit memory come in pieces, from a ReadableStream or an iterable, which may be async and is no
 * array itself. The order counts. After a failure the source of the pieces is closed. Ideal samples are rejected with
 * probability about 1e-6. Fewer than 100 values are an error. The work is done on the caller's thread, or with
 * `threads` by so many workers.
 */
export async function verify(samples: SampleData, options: VerifyOptions): Promise<Report> {
  const extra: unknown = arguments[2];
  checkCount(arguments, 2, typeof extra === "object" && extra !== null && "signal" in extra ? `options go into the second${NO_SIGNAL}` : undefined);
  checkOptions("options", options, NAMES, NO_SIGNAL);
  const { module, threads, against, ...law } = options;
  if (against !== undefined) return compare(samples, against, module, threads, law);
  const request = lines(law);
  const q = (law as { modulus?: unknown }).modulus;
  if (typeof q === "number" && !Number.isSafeInteger(q)) throw invalid("out-of-range", "modulus", q, "a whole number from 2 to 2^64, beyond 2^53 a bigint");
  const modulus = /^\d+$/.test(String(q)) ? BigInt(String(q)) : undefined;
  if (q !== undefined && ["string", "number", "bigint"].includes(typeof q) && !(modulus !== undefined && modulus >= 2n && modulus <= 1n << 64n)) {
    throw invalid(isNumber(String(q)) ? "out-of-range" : "not-a-number", "modulus", q, `a whole number from 2 to 2^64${meant("modulus", String(q))}`);
  }
  const workers = checkThreads(threads);
  const pieces = asPieces("samples", samples);
  const judge = await start(module, workers);
  try {
    await judge.open(request, modulus);
    if (pieces === undefined) await judge.take("samples", samples as Integers, 0);
    else for await (const piece of pieces) await judge.take("a piece of samples", piece, 0);
    return frozen(await judge.report());
  } finally {
    judge.wipe();
  }
}

const checkThreads = (threads: number | undefined): number => checkWorkers("threads", threads ?? 1);

/** A judge on this thread, or several in workers. */
async function start(module: ModuleSource | undefined, workers: number): Promise<Judge | Judges> {
  if (!hasSimd()) throw new SamplezError("load", "verify needs WebAssembly with SIMD instructions, which this engine lacks");
  const loaded = await load(true, module);
  return workers === 1 ? Judge.create(loaded.module, loaded.from) : new Judges(loaded.module, workers);
}

/** The report of the module's text. */
function frozen(text: string): Report {
  const { n: counts, ...told } = JSON.parse(text);
  const [n, m = null] = [counts].flat();
  const modulus = typeof told.modulus === "string" ? BigInt(told.modulus) : told.modulus ?? null;
  const report: Report = { law: null, shared: null, ...told, n, m, modulus };
  for (const test of report.tests) Object.freeze(test);
  for (const part of [report.tests, report.power, report.shared]) Object.freeze(part);
  return Object.freeze(report);
}

/** Judges two samples against each other. */
async function compare(samples: SampleData, against: SampleData, module: ModuleSource | undefined, threads: number | undefined, law: object): Promise<Report> {
  const given = Object.entries(law).find(([, value]) => value !== undefined)?.[0];
  if (given !== undefined) {
    throw new SamplezError("type", `against: ${given} is given too, and two samples are compared without a law; leave one of them out`);
  }
  const workers = checkThreads(threads);
  const [first, second] = [new Beginning("samples", samples), new Beginning("against", against)];
  if (samples === against && first.isOnce) {
    throw new SamplezError("type", "against: is the same iterable as samples, whose values come once; pass a second one");
  }
  try {
    const judge = await start(module, workers);
    try {
      const [head, other] = [await first.head(), await second.head()];
      await judge.compare(enough("samples", head), enough("against", other));
      for await (const piece of first.all()) await judge.take(first.piece, piece, 0);
      for await (const piece of second.all()) await judge.take(second.piece, piece, 1);
      return frozen(await judge.report());
    } finally {
      judge.wipe();
    }
  } finally {
    await first.close();
    await second.close();
  }
}

/** The first values of a sample, if they are enough for a verdict. */
function enough(name: string, head: BigInt64Array): BigInt64Array {
  if (head.length >= LEAST) return head;
  throw new SamplezError("out-of-range", `${name}: has ${head.length} value${head.length === 1 ? "" : "s"}: expected at least ${LEAST}, which a verdict needs`);
}

/** A sample whose first values are looked at before it is read. */
class Beginning {
  /** The name of a piece of it in messages. */
  readonly piece: string;
  /** Whether its values come once. */
  readonly isOnce: boolean;
  readonly #rest: Iterator<Integers> | AsyncIterator<Integers>;
  readonly #taken: Integers[] = [];
  #ended = false;

  constructor(name: string, samples: SampleData) {
    const pieces = asPieces(name, samples);
    this.piece = pieces === undefined ? name : `a piece of ${name}`;
    this.isOnce = pieces !== undefined && ("next" in (samples as object) || "getReader" in (samples as object));
    const source = pieces ?? [samples as Integers];
    this.#rest = Symbol.iterator in source ? source[Symbol.iterator]() : source[Symbol.asyncIterator]();
  }

  /** The next piece, if there is one. */
  async #next(): Promise<Integers | undefined> {
    let result: IteratorResult<Integers> | undefined;
    try {
      result = await this.#rest.next();
    } finally {
      this.#ended = result === undefined || result.done === true;
    }
    if (result.done) return undefined;
    checkIntegers(this.piece, result.value);
    return result.value;
  }

  /** The first values, or all if there are fewer. */
  async head(): Promise<BigInt64Array> {
    const head = new BigInt64Array(HEAD);
    let filled = 0;
    while (filled < HEAD) {
      const piece = await this.#next();
      if (piece === undefined) break;
      this.#taken.push(piece);
      const some = Math.min(piece.length, HEAD - filled);
      const part = isNumbers(piece) ? bigInts(this.piece, piece, 0, some) : widened(this.piece, asSamples(this.piece, piece as SampleArray, 0, some) as SampleArray, some);
      head.set(part, filled);
      wipe(part);
      filled += some;
    }
    return head.subarray(0, filled);
  }

  /** All pieces, those of the head once more. */
  async *all(): AsyncGenerator<Integers, void, undefined> {
    yield* this.#taken;
    for (let piece; (piece = await this.#next()) !== undefined; ) yield piece;
  }

  /** Closes the source if it has not ended. */
  async close(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#rest.return?.();
  }
}

/** Several arrays; `undefined`: it is one. Checked before anything is loaded. */
function asPieces(name: string, samples: unknown): Iterable<Integers> | AsyncIterable<Integers> | undefined {
  if (isIntegers(samples)) return undefined;
  const several = typeof samples === "object" && samples !== null && !ArrayBuffer.isView(samples) && kind(samples) !== "Map";
  if (several && (Symbol.iterator in samples || Symbol.asyncIterator in samples)) return samples as Iterable<Integers>;
  if (several && "getReader" in samples) return read(samples as ReadableStream<Integers>);
  throw refused(name, samples);
}

/** Iterates over a stream's chunks, in engines in which it is no async iterable. Stopping early cancels it. */
async function* read(stream: ReadableStream<Integers>): AsyncGenerator<Integers, void, undefined> {
  const reader = stream.getReader();
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error) => {
        ended = true;
        throw error;
      });
      if ((ended = done)) return;
      yield value as Integers;
    }
  } finally {
    if (!ended) await reader.cancel();
    reader.releaseLock();
  }
}
