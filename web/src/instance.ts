/** One instance of the module, and the data that cross its border: texts, integers, samples. */

import { typeOf, type SampleArray } from "./arrays.js";
import { Entropy, wiping } from "./entropy.js";
import { SamplezError } from "./errors.js";
import { close, instantiate, loader, type Loaded, type ModuleSource } from "./module.js";
import { failure, hasText, isWidth, LAW, wayFromName, wayFromWidth } from "./options.js";
import { seldom, type Progress } from "./progress.js";
import { samplezFile } from "./samplez-file.js";
import { decode, encode } from "./text.js";

/** Functions of the law; NaN where one has no value, -2^63 for a quantile beyond 64 bits. */
export interface LawFunctions {
  pmf(x: bigint): number;
  logpmf(x: bigint): number;
  cdf(x: bigint): number;
  logcdf(x: bigint): number;
  sf(x: bigint): number;
  logsf(x: bigint): number;
  mass(low: bigint, high: bigint): number;
  ppf(q: number): bigint;
  isf(q: number): bigint;
  mean(): number;
  variance(): number;
  std_dev(): number;
  skewness(): number;
  excess_kurtosis(): number;
  moment(order: number): number;
  entropy(): number;
  entropy_in(base: number): number;
}

interface Exports extends LawFunctions {
  readonly memory: WebAssembly.Memory;
  input(len: number): number;
  answer_ptr(): number;
  answer_len(): number;
  names(): number;
  open(len: number): number;
  open_law(len: number): number;
  open_table(len: number): number;
  sparse(weight: bigint, bits: number, count: number): number;
  open_stream(len: number): number;
  figure(kind: number): number;
  fill(bits: number, first: bigint, len: number): number;
  around_doubles(len: number, bits: number, count: number): number;
  around_texts(first: bigint, bits: number, count: number): number;
  output(): number;
}

/** Loads the module, or takes the one that is given. */
export const load: (simd: boolean | undefined, given?: ModuleSource) => Promise<Loaded> = /* @__PURE__ */ loader(["samplez-simd.wasm", "samplez.wasm"], samplezFile);

/** The way out from an unknown name in a recipe, from a misspelt method or source, from a width that `strips` lacks, or from a number of more than 64 bits that `BigGaussian`
 * takes: a centre, or a width from 2^-60 on, of so few digits that they surely fit 4096 bits. */
function wayFrom(error: SamplezError): string {
  const { kind, argument = "", value = "", message } = error;
  if (message.endsWith("from 1 to 2^26")) return wayFromWidth(Number(value), kind !== "out-of-range");
  if (kind === "unknown" || argument === "recipe") return wayFromName(error, LAW);
  const digits = Array.from(value.matchAll(/(?:e[+-]?|\()(\d+)/gi), ([, zeros]) => Number(zeros)).reduce((sum, zeros) => sum + zeros, value.length);
  if (digits > 1200) return "";
  const [name = "", [numerator = NaN, denominator = 1]] = [argument.split("[")[0], value.split("/").map(Number)];
  const isBig = /^centers?$/.test(name) || (isWidth(name) && numerator / denominator >= (/^sigma_?s/.test(name) ? 2 ** -120 : 2 ** -60));
  return kind === "too-long" && isBig ? "; BigGaussian takes numbers of up to 4096 bits" : "";
}

export class Instance {
  readonly #wasm: Exports;
  readonly #entropy: Entropy;
  readonly simd: boolean;
  #isText = false;

  private constructor(wasm: Exports, entropy: Entropy, simd: boolean) {
    this.#wasm = wasm;
    this.#entropy = entropy;
    this.simd = simd;
  }

  /** An instance with SIMD instructions or without (`undefined`: where there are any), or of the module that is given. */
  static async create(simd: boolean | undefined, module: ModuleSource | undefined, onProgress: Progress = () => {}): Promise<Instance> {
    const loaded = await load(simd, module);
    const entropy = new Entropy();
    const report = seldom(onProgress);
    const progress: Progress = (done, of) => {
      try {
        report(done, of);
      } catch (error) {
        // The call ends here, and its instance: nothing in it is used again.
        new Uint8Array(entropy.memory!.buffer).fill(0);
        entropy.failure = error;
        throw error;
      }
    };
    const wasm = (await instantiate(loaded, { samplez: { entropy: entropy.give, progress } })) as unknown as Exports;
    entropy.memory = wasm.memory;
    return new Instance(wasm, entropy, loaded.simd);
  }

  names(): string {
    return this.#answer(() => this.#wasm.names());
  }

  /** Builds an array; `seed` is empty if the request names one. */
  open(request: string, seed: Uint8Array): string {
    const length = this.#give(request, seed);
    return this.#answer(() => this.#wasm.open(length));
  }

  /** Builds the array of another distribution than a Gaussian, likewise. */
  openLaw(request: string, seed: Uint8Array): string {
    const length = this.#give(request, seed);
    return this.#answer(() => this.#wasm.open_law(length), (error) => (error.argument === "recipe" ? "" : wayFrom(error)));
  }

  /** Builds the array of a table, likewise. */
  openTable(request: string, seed: Uint8Array): string {
    const length = this.#give(request, seed);
    return this.#answer(() => this.#wasm.open_table(length));
  }

  /** One ternary vector of the stream. */
  sparse(array: SampleArray, weight: bigint): void {
    this.#take(array, 0, array.length, (bits) => this.#wasm.sparse(weight, bits, array.length));
  }

  figure(kind: number, request: string): string {
    this.#give(request, new Uint8Array(0));
    return this.#answer(() => this.#wasm.figure(kind));
  }

  /** Opens a stream; `seed` is empty if the request names one. */
  openStream(request: string, seed: Uint8Array): string {
    const length = this.#give(request, seed);
    return this.#answer(() => this.#wasm.open_stream(length));
  }

  /** Samples `first`, … to an array, from `start` on. */
  fill(array: SampleArray, start: number, length: number, first: bigint): void {
    this.#take(array, start, length, (bits) => this.#wasm.fill(bits, first, length));
  }

  /** Fills the array with the stream's next integers, around doubles. `head` is a method of rounding or nothing, a tab
   * and σ or nothing. `numbers` are the widths, unless `head` has σ, and the centres. */
  aroundDoubles(array: SampleArray, start: number, length: number, head: string, numbers: readonly Float64Array[]): void {
    const bytes = new Uint8Array(8 * numbers.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const { buffer, byteOffset, byteLength } of numbers) {
      bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
      at += byteLength;
    }
    const given = this.#give(head, bytes);
    bytes.fill(0);
    this.#take(array, start, length, (bits) => this.#wasm.around_doubles(given, bits, length));
  }

  /** The same around texts, a line each: a method of rounding, a tab and σ or nothing. Then the widths, unless σ is
   * given, and the centres. */
  aroundTexts(array: SampleArray, start: number, length: number, lines: string): void {
    this.#give(lines, new Uint8Array(0));
    this.#take(array, start, length, (bits) => this.#wasm.around_texts(BigInt(start), bits, length));
  }

  /** A value of the law. */
  law<T>(value: (law: LawFunctions) => T): T {
    return this.#run(() => value(this.#wasm));
  }

  /** Wipes what is secret. */
  close(): void {
    close(this.#wasm);
  }

  /** Writes an input; returns the length of its text. */
  #give(text: string, rest: Uint8Array): number {
    this.#isText = hasText(text);
    const request = encode(text);
    const to = this.#wasm.input(request.length + rest.length) >>> 0;
    const memory = new Uint8Array(this.#wasm.memory.buffer);
    memory.set(request, to);
    memory.set(rest, to + request.length);
    return request.length;
  }

  /** Integers that a call gives, with so many bits each, to an array. If the host gives no random bytes, the whole array is wiped. */
  #take(array: SampleArray, start: number, length: number, call: (bits: number) => number): void {
    const type = typeOf("array", array);
    wiping(array, () => this.#answer(() => call(8 * type.BYTES_PER_ELEMENT)));
    array.set(new type(this.#wasm.memory.buffer as ArrayBuffer, this.#wasm.output() >>> 0, length) as never, start);
  }

  /** Makes a call, and reports its failure by its kind. */
  #run<T>(call: () => T): T {
    try {
      return call();
    } catch (cause) {
      this.#entropy.check();
      const text = "the WebAssembly module stopped, for want of memory or by a bug; a smaller memory may help";
      throw new SamplezError("stopped", text, { cause });
    }
  }

  /** The answer to a call; its message as an error if the call failed. */
  #answer(call: () => number, way = wayFrom): string {
    const status = this.#run(call);
    const length = this.#wasm.answer_len();
    if (status === 0 && length === 0) return ""; // a fill, which need not wait for a decoder
    const at = this.#wasm.answer_ptr() >>> 0;
    const text = decode(new Uint8Array(this.#wasm.memory.buffer as ArrayBuffer, at, length));
    if (status !== 0) {
      this.#entropy.check();
      throw failure(text, way, this.#isText);
    }
    return text;
  }
}
