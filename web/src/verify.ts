/** Judging integers: {@link verify}. */

import { isSampleArray, typeOf, wipe, type SampleArray } from "./arrays.js";
import { SamplezError } from "./errors.js";
import type { Integer } from "./integers.js";
import { hasSimd, instantiate, loader, type ModuleOptions, type ModuleSource } from "./module.js";
import { checkOptions, lines, type Exact, type Recipe, type Width } from "./options.js";
import { kind } from "./shown.js";
import { decode, encode } from "./text.js";
import { verifyFile } from "./verify-file.js";

/** Integers to judge: one of the arrays that take samples, or an array of numbers and BigInts. */
export type Integers = SampleArray | readonly Integer[];

/** The law that integers are judged by; of a recipe only its law counts. */
export type VerifyOptions = ModuleOptions & (Recipe | Width & {
  /** The centre c; 0 if absent. */
  center?: Exact | undefined;
});

/** Samples: an array, or several as pieces of it. */
export type SampleData = Integers | Iterable<Integers> | AsyncIterable<Integers> | ReadableStream<Integers>;

/** A second sample, against which the first is judged without a law. */
export type CompareOptions = ModuleOptions & {
  /** The second sample. */
  against: SampleData;
};

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

/** The deviations that would have been seen with probability 1/2 at this number of values; `null` where no test applies. */
export interface Power {
  /** Relative error of σ. */
  readonly sigma: number | null;
  /** Shift of the mean, in σ. */
  readonly mean: number | null;
  /** Relative error of P(X = 0), or of the integer nearest to a centre far from 0. */
  readonly zero: number | null;
  /** Error of P(X > centre). */
  readonly sign: number | null;
  /** Error of P(X odd). */
  readonly parity: number | null;
  /** Serial correlation at lags 1 to 16. */
  readonly correlation: number | null;
  /** Serial correlation of |x| at all lags. */
  readonly magnitudes: number | null;
  /** Shift of the mean at one place modulo 1024, in σ. */
  readonly place: number | null;
  /** Amplitude of a wave in the mean, in σ. */
  readonly wave: number | null;
  /** Length of a sequence that comes again, in values. */
  readonly repeat: number | null;
  /** Statistical distance. */
  readonly totalVariation: number | null;
}

/** The verdict on integers: the output of `samplez verify --json`. */
export interface Report {
  /** The law. */
  readonly law: string;
  /** The number of values. */
  readonly n: number;
  /** Whether no test rejects. */
  readonly consistent: boolean;
  /** The probability with which ideal samples are rejected, over all tests: about 1e-6. */
  readonly alpha: number;
  /** Every family of tests, also those that do not apply. */
  readonly tests: readonly Test[];
  /** The deviations that would have been detected. */
  readonly power: Power;
}

/** The verdict on two samples: the output of `samplez verify --against --json`. */
export interface Comparison {
  /** The numbers of values. */
  readonly n: readonly [number, number];
  /** Whether no test rejects. */
  readonly consistent: boolean;
  /** The probability with which independent samples of one law are rejected, over all tests: about 1e-6. */
  readonly alpha: number;
  /** How many of the kept sequences of the second sample are also in the first, and of how many. Above 0 if values were copied; `null` if
   * the samples' entropy is too small for sequences that never come again. */
  readonly shared: { readonly sequences: number; readonly of: number } | null;
  /** The tests of both samples, then those of the order in the first, then in the second. */
  readonly tests: readonly Test[];
  /** The deviations that would have been detected. */
  readonly power: Power;
}

interface Exports {
  readonly memory: WebAssembly.Memory;
  input(len: number): number;
  answer_ptr(): number;
  answer_len(): number;
  open(len: number): number;
  compare(first: number, second: number): number;
  push(bits: number, len: number, of: number): number;
  report(): number;
}

const NAMES = ["sigma", "sigmaSquared", "kSigma2", "s", "center", "recipe", "against", "module"];
const ALLOWED = "must be an Int8Array, Int16Array, Int32Array, BigInt64Array or an array of integers, or an iterable of such";
/** Values that the module takes at a time. */
const CHUNK = 65536;
/** Values of each of two samples by which the cells are cut, as the command has it. */
const HEAD = 65536;

const load = /* @__PURE__ */ loader(["samplez-verify.wasm"], verifyFile);

/**
 * Tests whether integers, from any source, are consistent with samples of D_{Z,σ,c}. The tests are those of the command
 * `samplez verify`, with its figures to the last digit.
 *
 * ```js
 * const { consistent, tests } = await verify(samples, { sigma: "3.2" });
 * const both = await verify(samples, { against: others }); // whether they are independent samples of one law, which may be any
 * ```
 *
 * Integers that do not fit memory come in pieces, from a ReadableStream or an iterable, which may be async and is no
 * array itself. The order counts. After a failure the source of the pieces is closed. Ideal samples are rejected with
 * probability about 1e-6. Fewer than 100 values are an error. The work is done on the caller's thread: use a worker for
 * much of it.
 */
export async function verify(samples: SampleData, options: VerifyOptions): Promise<Report>;
export async function verify(samples: SampleData, options: CompareOptions): Promise<Comparison>;
export async function verify(samples: SampleData, options: VerifyOptions | CompareOptions): Promise<Report | Comparison> {
  checkOptions("options", options, NAMES);
  if ("against" in options && options.against !== undefined) return compare(samples, options);
  const { module, against: _, ...law } = options as VerifyOptions & { against?: undefined };
  const request = lines(law);
  const pieces = asPieces("samples", samples);
  const judge = await Judge.create(module);
  try {
    judge.open(request);
    if (pieces === undefined) judge.take("samples", samples as Integers, 0);
    else for await (const piece of pieces) judge.take("a piece of samples", piece, 0);
    return judge.report<Report>();
  } finally {
    judge.wipe();
  }
}

/** Judges two samples against each other. */
async function compare(samples: SampleData, { against, module, ...law }: CompareOptions): Promise<Comparison> {
  const given = Object.entries(law).find(([, value]) => value !== undefined)?.[0];
  if (given !== undefined) {
    throw new SamplezError("type", `against: ${given} is given too, and two samples are compared without a law; leave one of them out`);
  }
  const [first, second] = [new Beginning("samples", samples), new Beginning("against", against)];
  if (samples === against && first.isOnce) {
    throw new SamplezError("type", "against: is the same iterable as samples, whose values come once; pass a second one");
  }
  try {
    const judge = await Judge.create(module);
    try {
      judge.compare(await first.head(), await second.head());
      for await (const piece of first.all()) judge.take(first.piece, piece, 0);
      for await (const piece of second.all()) judge.take(second.piece, piece, 1);
      return judge.report<Comparison>();
    } finally {
      judge.wipe();
    }
  } finally {
    await first.close();
    await second.close();
  }
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
    if (!isIntegers(result.value)) throw new SamplezError("type", `${this.piece} = ${kind(result.value)}: ${ALLOWED}`);
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
      const part = Array.isArray(piece) ? bigInts(this.piece, piece, 0, some) : widened(this.piece, piece as SampleArray, some);
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
  const several = typeof samples === "object" && samples !== null && !ArrayBuffer.isView(samples);
  if (several && (Symbol.iterator in samples || Symbol.asyncIterator in samples)) return samples as Iterable<Integers>;
  if (several && "getReader" in samples) return read(samples as ReadableStream<Integers>);
  throw new SamplezError("type", `${name} = ${kind(samples)}: ${ALLOWED}`);
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

const isIntegers = (samples: unknown): samples is Integers => isSampleArray(samples) || Array.isArray(samples);

/** An instance of the module, which judges once. */
class Judge {
  readonly #wasm: Exports;

  private constructor(wasm: Exports) {
    this.#wasm = wasm;
  }

  static async create(module: ModuleSource | undefined): Promise<Judge> {
    if (!hasSimd()) throw new SamplezError("load", "verify needs WebAssembly with SIMD instructions, which this engine lacks");
    return new Judge((await instantiate(await load(true, module), {})) as unknown as Exports);
  }

  /** Judges by a law. */
  open(request: string): void {
    const text = encode(request);
    const at = this.#input(text.length);
    new Uint8Array(this.#wasm.memory.buffer).set(text, at);
    this.#answer(this.#call((wasm) => wasm.open(text.length)));
  }

  /** Judges two samples that begin so, each against the other. */
  compare(first: BigInt64Array, second: BigInt64Array): void {
    const at = this.#input(first.byteLength + second.byteLength);
    const heads = new BigInt64Array(this.#wasm.memory.buffer as ArrayBuffer, at, first.length + second.length);
    heads.set(first);
    heads.set(second, first.length);
    wipe(first);
    wipe(second);
    this.#answer(this.#call((wasm) => wasm.compare(first.length, second.length)));
  }

  /** Takes in values of the first (0) or the second sample. */
  take(name: string, values: Integers, of: 0 | 1): void {
    if (!isIntegers(values)) throw new SamplezError("type", `${name} = ${kind(values)}: ${ALLOWED}`);
    if (!Array.isArray(values)) return this.#push(name, values as SampleArray, of);
    for (let start = 0; start < values.length; start += CHUNK) {
      const part = bigInts(name, values, start, Math.min(CHUNK, values.length - start));
      try {
        this.#push(name, part, of);
      } finally {
        wipe(part);
      }
    }
  }

  report<T extends Report | Comparison>(): T {
    const report = JSON.parse(this.#answer(this.#call((wasm) => wasm.report())));
    for (const test of report.tests) Object.freeze(test);
    for (const part of [report.tests, report.power, report.n, report.shared]) Object.freeze(part);
    return Object.freeze(report);
  }

  /** Writes zeros over all that the instance has. */
  wipe(): void {
    new Uint8Array(this.#wasm.memory.buffer).fill(0);
  }

  #push(name: string, values: SampleArray, of: 0 | 1): void {
    const type = typeOf(name, values);
    checkAttached(name, values);
    for (let start = 0; start < values.length; start += CHUNK) {
      const part = values.subarray(start, start + CHUNK);
      const at = this.#input(part.byteLength);
      new type(this.#wasm.memory.buffer as ArrayBuffer, at, part.length).set(part as never);
      this.#answer(this.#call((wasm) => wasm.push(8 * type.BYTES_PER_ELEMENT, part.length, of)));
    }
  }

  /** Returns where the module's input begins, with space for so many bytes. */
  #input(bytes: number): number {
    return this.#call((wasm) => wasm.input(bytes)) >>> 0;
  }

  #call(call: (wasm: Exports) => number): number {
    try {
      return call(this.#wasm);
    } catch (cause) {
      throw new SamplezError("stopped", "the WebAssembly module stopped, for want of memory or by a bug", { cause });
    }
  }

  /** The answer to a call; its message as an error if the call failed. */
  #answer(status: number): string {
    const bytes = new Uint8Array(this.#wasm.memory.buffer as ArrayBuffer, this.#wasm.answer_ptr() >>> 0, this.#wasm.answer_len());
    const text = decode(bytes);
    if (status !== 0) throw new SamplezError("refused", text);
    return text;
  }
}

/** Some of an array, each checked. */
function bigInts(name: string, values: readonly Integer[], start: number, length: number): BigInt64Array {
  const big = new BigInt64Array(length);
  for (let i = 0; i < length; i++) {
    const value = values[start + i];
    if (typeof value === "number" ? !Number.isSafeInteger(value) : typeof value !== "bigint" || BigInt.asIntN(64, value) !== value) {
      wipe(big);
      throw new SamplezError("range", `${name}[${start + i}]: must be an integer between -2^63 and 2^63 - 1, beyond 2^53 a BigInt; is ${what(value)}`);
    }
    big[i] = BigInt(value as Integer);
  }
  return big;
}

/** Describes a value that is no such integer, without the value: it may be a sample's. */
function what(value: unknown): string {
  if (typeof value === "bigint") return "a BigInt beyond 64 bits";
  if (typeof value !== "number") return kind(value);
  if (!Number.isFinite(value)) return String(value);
  return Number.isInteger(value) ? "a number beyond 2^53" : "a fraction";
}

/** The first of an array's values, as BigInts. */
function widened(name: string, values: SampleArray, length: number): BigInt64Array {
  typeOf(name, values);
  checkAttached(name, values);
  const big = new BigInt64Array(length);
  for (let i = 0; i < length; i++) big[i] = BigInt(values[i]!);
  return big;
}

function checkAttached(name: string, values: SampleArray): void {
  try {
    new Uint8Array(values.buffer);
  } catch {
    throw new SamplezError("type", `${name} = ${kind(values)}: its buffer is detached, and its values are gone`);
  }
}
