/** Samples with parameters beyond 64 bits: {@link BigGaussian}. */

import { bigFile } from "./big-file.js";
import { checkPieces, drawn, type ChunkOptions } from "./chunks.js";
import { DISPOSE } from "./disposable.js";
import { Entropy } from "./entropy.js";
import { checkCount, checkMade, DRAWS_ONE, NO_OPTIONS, notNumber, SamplezError } from "./errors.js";
import { close, instantiate, loader, type ModuleOptions, type ModuleSource } from "./module.js";
import type { SourceName } from "./name-types.js";
import { IN_TEXT, OTHER, WIDTHS, failure, checkOptions, hasText, request, seedBytes, wayFromName, type Exact, type Recipe, type Seed, type Width } from "./options.js";
import { decode, encode } from "./text.js";

/** A distribution with parameters beyond 64 bits, and the origin of its random bits. */
export type BigOptions = ModuleOptions & (Recipe | Width & {
  /** The centre c; 0 if absent. */
  center?: Exact | undefined;
}) & {
  /** `"chacha20"` if absent. */
  source?: SourceName | undefined;
  /** Opens the stream; a fresh one from `crypto.getRandomValues` if absent. */
  seed?: Seed | undefined;
};

interface Exports {
  readonly memory: WebAssembly.Memory;
  input(len: number): number;
  answer_ptr(): number;
  answer_len(): number;
  open(len: number): number;
  draw(count: number): number;
  output(): number;
}

/** The module's description of a sampler. */
interface Description {
  readonly recipe: string;
  readonly bits: number;
  readonly timing: "unpromised" | "variable";
  readonly source: SourceName;
}

const NAMES = [...WIDTHS, "center", "recipe", "source", "seed", "module"];
/** Samples that the module makes at a time: whole batches of the library. */
const PART = 4096;
/** The largest number of samples in an array. */
const MOST = 2 ** 24;

const load = /* @__PURE__ */ loader(["samplez-big.wasm"], bigFile);

/**
 * The discrete Gaussian D_{Z,σ,c}, exactly, for σ and c beyond 64 bits. Samples are BigInts.
 *
 * ```js
 * const flood = await BigGaussian.create({ sigma: "1e30", center: "1/3" });
 * const noise = flood.draw(1000);
 * ```
 *
 * A width is at least 2^-60 or a fraction of 64 bits. It has at most 4096 bits in numerator and denominator, a centre 8192, and
 * a number 2048 characters, and a power of ten, decimals included, is at most 2000. A small σ takes such numbers too, for example a computed double as the centre.
 *
 * Samples are a stream without addresses. The first `draw(count)` returns the integers of `samplez sample` with the same seed and
 * count. Single samples of the same seed are other integers.
 */
export class BigGaussian {
  readonly #wasm: Exports;
  readonly #entropy: Entropy;
  readonly #description: Description;
  #open = true;
  /** `dispose()`, which `using` calls at the end of a block. Without a computed name in the class, a bundler can drop the class. */
  declare readonly [DISPOSE]: () => void;

  private constructor(wasm: Exports, entropy: Entropy, text: string, seed: Uint8Array) {
    checkMade(this, entropy instanceof Entropy, "BigGaussian");
    Object.defineProperty(this, DISPOSE, { value: () => this.dispose() });
    this.#wasm = wasm;
    this.#entropy = entropy;
    const bytes = encode(text);
    const to = this.#run(() => wasm.input(bytes.length + seed.length)) >>> 0;
    const memory = new Uint8Array(wasm.memory.buffer);
    memory.set(bytes, to);
    memory.set(seed, to + bytes.length);
    this.#description = JSON.parse(this.#answer(() => wasm.open(bytes.length), hasText(text)));
  }

  /** Loads the module at the first call, and builds a sampler. An impossible parameter is an error with its name, its value and the
   * permitted values. */
  static async create(options: BigOptions): Promise<BigGaussian> {
    checkCount(arguments, 1);
    checkOptions("options", options, NAMES);
    const text = request(options);
    // The caller's bytes may change while the module is loaded.
    const seed = Uint8Array.from(seedBytes(options));
    const { module } = options as { module?: ModuleSource | undefined };
    const entropy = new Entropy();
    const loaded = await load(module === undefined ? false : undefined, module);
    const wasm = (await instantiate(loaded, { samplez: { entropy: entropy.give } })) as unknown as Exports;
    entropy.memory = wasm.memory;
    try {
      return new BigGaussian(wasm, entropy, text, seed);
    } finally {
      seed.fill(0);
    }
  }

  /** The distribution as a text, in lowest terms. `create` takes it. */
  get recipe(): string {
    return this.#description.recipe;
  }

  /** The size of a sample: it is an integer from -2^(bits - 1) to 2^(bits - 1) - 1. */
  get bits(): number {
    return this.#description.bits;
  }

  /** The class of the running time. WebAssembly promises none. It is `"variable"` for a number beyond 64 bits with σ <= 1/64. */
  get timing(): "unpromised" | "variable" {
    return this.#description.timing;
  }

  /** The name of the source of random bits. */
  get source(): SourceName {
    return this.#description.source;
  }

  /** Draws the next sample. */
  sample(): bigint {
    checkCount(arguments, 0, DRAWS_ONE);
    return this.#draw(1)[0]!;
  }

  /** Draws the next samples, at most 2^24. */
  draw(count: number): bigint[] {
    checkCount(arguments, 1, NO_OPTIONS);
    if (!Number.isInteger(count) || count < 0 || count > MOST) {
      throw notNumber("count", count, `an integer from 0 to 2^24${typeof count === "number" ? "; chunks() draws more" : ""}`);
    }
    return this.#draw(count);
  }

  /** Draws the next samples in chunks: `for await (const chunk of flood.chunks({ count: 1e9 }))`. Each chunk is a new array, drawn when it
   * is asked for. Other work of the thread runs between chunks. If `length` is a multiple of 512, the integers are those of one
   * {@link draw}. It is 4096 if absent, and at most 2^24. */
  chunks(options: Omit<ChunkOptions, "type"> = {}): AsyncGenerator<bigint[], void, undefined> {
    this.#live();
    checkCount(arguments, 1);
    checkOptions("options", options, ["length", "count", "signal"]);
    const { length = PART, ...others } = options;
    return drawn((length) => this.#draw(length), checkPieces({ length, ...others }, MOST));
  }

  /** Wipes the generator and the last samples in the module's memory. BigInts that you have are yours to drop. */
  dispose(): void {
    if (!this.#open) return;
    this.#open = false;
    close(this.#wasm);
  }

  /** The recipe, and nothing of the seed. */
  toString(): string {
    return `BigGaussian(${this.recipe})`;
  }

  /** The options with which `create` makes the same sampler with another seed. */
  toJSON(): { recipe: string; source: SourceName } {
    return { recipe: this.recipe, source: this.source };
  }

  #live(): void {
    if (!this.#open) throw new SamplezError("disposed", "this BigGaussian has been disposed of");
  }

  #draw(count: number): bigint[] {
    this.#live();
    const samples: bigint[] = [];
    const limbs = this.bits / 64;
    for (let left = count; left > 0; left -= PART) {
      const some = Math.min(left, PART);
      this.#answer(() => this.#wasm.draw(some));
      const words = new BigUint64Array(this.#wasm.memory.buffer as ArrayBuffer, this.#wasm.output() >>> 0, some * limbs);
      for (let end = limbs; end <= words.length; end += limbs) samples.push(integer(words, end - limbs, end));
    }
    return samples;
  }

  #run<T>(call: () => T): T {
    try {
      return call();
    } catch (cause) {
      this.#entropy.check();
      throw new SamplezError("stopped", "the WebAssembly module stopped, for want of memory or by a bug", { cause });
    }
  }

  /** Returns the answer to a call. If the call failed, throws its message. */
  #answer(call: () => number, isText = false): string {
    const status = this.#run(call);
    const at = this.#wasm.answer_ptr() >>> 0;
    const text = decode(new Uint8Array(this.#wasm.memory.buffer as ArrayBuffer, at, this.#wasm.answer_len()));
    if (status === 0) return text;
    this.#entropy.check();
    throw failure(text, (error) => (error.kind === "unknown" || ["recipe", ...OTHER, ...IN_TEXT].includes(error.argument ?? "") ? wayFromName(error, [...WIDTHS, "center"]) : ""), isText);
  }
}

/** The integer of words in two's complement, the lowest first. */
function integer(words: BigUint64Array, start: number, end: number): bigint {
  let value = BigInt.asIntN(64, words[end - 1]!);
  for (let at = end - 2; at >= start; at--) value = (value << 64n) | words[at]!;
  return value;
}
