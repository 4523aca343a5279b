/** A small download, for a table that was built ahead: {@link CoreGaussian}. */

import { copy, narrowest, typeOf, wipe, type SampleArray } from "../arrays.js";
import { DISPOSE } from "../disposable.js";
import { freshSeed } from "../entropy.js";
import { checkCount, checkMade, NO_OPTIONS, SamplezError, invalid } from "../errors.js";
import { address, checkEnd, type Integer } from "../integers.js";
import { because, close, hasSimd, instantiate, loader, type ModuleSource } from "../module.js";
import type { Seed } from "../options.js";
import { isBytes } from "../shown.js";
import { decode } from "../text.js";
import { lazyFile } from "./lazy-file.js";
import { pooledFile } from "./pooled-file.js";
import { HEAD, sum } from "./sum.js";

/** The part of the package `samplez` that {@link CoreGaussian} needs: its `DiscreteGaussian`. */
export interface Full {
  readonly DiscreteGaussian: { create(options: { recipe: string; seed: Uint8Array | string | bigint; source: "chacha20" }): Promise<Whole> };
}

/** A sampler of the full package. */
interface Whole {
  readonly recipe: string;
  fillAt(first: bigint, array: SampleArray): unknown;
  dispose(): void;
}

/** The options of {@link CoreGaussian.create}. */
export interface CoreOptions {
  /** The bytes that `buildTable` of `samplez/core/table` returned, of the same version. Take them from where you take code. A forged
   * table with a recomputed checksum is accepted, and its samples have another distribution. */
  table: Uint8Array;
  /** Determines the samples; a fresh one from `crypto.getRandomValues` if absent. */
  seed?: Seed | undefined;
  /** The WebAssembly module of the table's kernel; loaded from the place of the script if absent. */
  module?: ModuleSource | undefined;
  /** Loads the package `samplez` for a block that may need the exact remainder; `() => import("samplez")` if absent. */
  full?: (() => Promise<Full>) | undefined;
}

interface Exports {
  readonly memory: WebAssembly.Memory;
  input(len: number): number;
  version(): number;
  open(len: number): number;
  fill(block: bigint): number;
  output(): number;
}

/** The module's answers. */
const [OK, REMAINDER] = [0, 1];
const BLOCK = 8192;
const TABLE = "expected the bytes that buildTable of samplez/core/table returned";

const loaders = [
  /* @__PURE__ */ loader(["samplez-pooled.wasm"], pooledFile),
  /* @__PURE__ */ loader(["samplez-lazy.wasm"], lazyFile),
];

/**
 * An array of samples of D_{Z,σ,c} with addresses, by a module of 33 KB gzipped. `DiscreteGaussian` with this `recipe` and seed has the same
 * samples.
 *
 * ```js
 * const d = await CoreGaussian.create({ table });
 * const noise = await d.fill(new Int8Array(1e6));
 * ```
 *
 * It is exact. A block of 8192 samples needs the exact remainder with a probability of 2^-107 at σ = 3.2, and 2^-96 at σ = 150. This
 * block is drawn by the full package, which is loaded then. An observer of the network sees this. With a `precision` far below the default of
 * 128 bits it happens often, and reveals something of the seed. JavaScript promises no constant time.
 */
export class CoreGaussian {
  readonly #wasm: Exports;
  readonly #seed: Exclude<Seed, number>;
  readonly #load: () => Promise<Full>;
  readonly #range: readonly [bigint, bigint];
  #full: Promise<Whole> | undefined;
  #position = 0n;
  #open = true;
  /** The recipe of the table's distribution, which every language takes. */
  readonly recipe: string;
  /** `dispose()`, which `using` calls at the end of a block. */
  declare readonly [DISPOSE]: () => void;

  private constructor(wasm: Exports, { recipe, range }: Table, seed: Exclude<Seed, number>, load: () => Promise<Full>) {
    checkMade(this, typeof wasm?.fill === "function", "CoreGaussian");
    Object.defineProperty(this, DISPOSE, { value: () => this.dispose() });
    this.#wasm = wasm;
    this.#seed = seed;
    this.#load = load;
    this.#range = range;
    this.recipe = recipe;
  }

  /** Loads the module of the table's kernel at the first call. */
  static async create(options: CoreOptions): Promise<CoreGaussian> {
    checkCount(arguments, 1);
    if (typeof options !== "object" || options === null) throw invalid("type", "options", options, "an object");
    const { table: bytesOfTable, seed: given, module, full = () => import("../index.js") as Promise<Full>, ...others } = options;
    for (const name of Object.keys(others)) throw new SamplezError("unknown", `${name}: no such option; there are table, seed, module, full`);
    if (typeof full !== "function") throw new SamplezError("type", "full: expected a function that imports samplez");
    const table = read(bytesOfTable);
    const seed = seedOf(given);
    if (!hasSimd()) throw new SamplezError("load", "samplez/core needs WebAssembly with SIMD instructions, which this engine lacks; use samplez");
    const wasm = (await instantiate(await loaders[table.kind]!(true, module), {})) as unknown as Exports;
    const version = wasm.version() >>> 0;
    if (table.version !== version) throw new SamplezError("other", `table: made by samplez ${dotted(table.version)}, and this is ${dotted(version)}; call buildTable of this version`);
    const bytes = seedBytes(seed);
    const at = wasm.input(bytes.length + table.bytes.length) >>> 0;
    const memory = new Uint8Array(wasm.memory.buffer);
    memory.set(bytes, at);
    memory.set(table.bytes, at + bytes.length);
    if (!isBytes(seed)) bytes.fill(0);
    if (wasm.open(bytes.length) !== OK) throw new SamplezError("other", `table: ${TABLE}`);
    return new CoreGaussian(wasm, table, seed, full);
  }

  /** The address of the next sample of {@link fill}. */
  get position(): bigint {
    return this.#position;
  }

  /** Fills the array with the next samples. After a failure the array is all zeros, and `position` is as before, unless another `fill` has
   * begun since. */
  async fill<T extends SampleArray>(array: T): Promise<T> {
    checkCount(arguments, 1, NO_OPTIONS);
    const first = this.#check(this.#position, array);
    const end = (this.#position += BigInt(array.length));
    return this.#fill(first, array).catch((error) => {
      if (this.#position === end) this.#position = first;
      throw error;
    });
  }

  /** Fills the array with the samples number `first`, `first + 1`, …. After a failure it is all zeros. */
  async fillAt<T extends SampleArray>(first: Integer, array: T): Promise<T> {
    checkCount(arguments, 2, NO_OPTIONS);
    return this.#fill(this.#check(address(first), array), array);
  }

  /** Wipes the seed and the samples in the module's memory. */
  dispose(): void {
    if (!this.#open) return;
    this.#open = false;
    close(this.#wasm);
    if (isBytes(this.#seed)) this.#seed.fill(0);
    this.#full?.then((full) => full.dispose(), () => {});
  }

  /** The recipe, and nothing of the seed. */
  toString(): string {
    return `CoreGaussian(${this.recipe})`;
  }

  /** The options with which `DiscreteGaussian.create` makes the same sampler with another seed. */
  toJSON(): { recipe: string; source: "chacha20" } {
    return { recipe: this.recipe, source: "chacha20" };
  }

  #live(): void {
    if (!this.#open) throw new SamplezError("disposed", "this CoreGaussian has been disposed of");
  }

  #check(first: bigint, array: SampleArray): bigint {
    this.#live();
    const type = typeOf("array", array);
    const needed = narrowest(this.#range);
    if (type.BYTES_PER_ELEMENT < needed.BYTES_PER_ELEMENT) {
      throw new SamplezError("other", `array = ${type.name}: the samples range from ${this.#range.join(" to ")}; use ${needed.name}`);
    }
    checkEnd(first, array.length);
    return first;
  }

  async #fill<T extends SampleArray>(first: bigint, array: T): Promise<T> {
    try {
      for (let done = 0; done < array.length; ) {
        this.#live();
        const [block, start] = [(first + BigInt(done)) / BigInt(BLOCK), Number((first + BigInt(done)) % BigInt(BLOCK))];
        const take = Math.min(BLOCK - start, array.length - done);
        const status = this.#draw(block);
        if (status === OK) {
          const samples = new Int16Array(this.#wasm.memory.buffer as ArrayBuffer, this.#wasm.output() >>> 0, BLOCK);
          copy(samples, start, take, array, done);
        } else if (status === REMAINDER) {
          const whole = await this.#whole();
          this.#live();
          drawWhole(whole, first + BigInt(done), array.subarray(done, done + take) as SampleArray);
        } else {
          throw new SamplezError("stopped", "the WebAssembly module stopped, by a bug");
        }
        done += take;
      }
    } catch (error) {
      wipe(array);
      throw error;
    }
    return array;
  }

  #draw(block: bigint): number {
    try {
      return this.#wasm.fill(block);
    } catch (cause) {
      throw new SamplezError("stopped", "the WebAssembly module stopped, for want of memory or by a bug", { cause });
    }
  }

  /** The same sampler of the full package. A failure to load it is not remembered. */
  #whole(): Promise<Whole> {
    if (this.#full === undefined) {
      this.#full = this.#loadWhole();
      this.#full.catch(() => (this.#full = undefined));
    }
    return this.#full;
  }

  async #loadWhole(): Promise<Whole> {
    // dispose() wipes the other one, perhaps before this one is needed.
    const seed = isBytes(this.#seed) ? Uint8Array.from(this.#seed) : this.#seed;
    try {
      const { DiscreteGaussian } = await this.#load();
      if (typeof DiscreteGaussian?.create !== "function") throw new SamplezError("type", "full: expected a function that imports samplez");
      const whole = await DiscreteGaussian.create({ recipe: this.recipe, seed, source: "chacha20" });
      if (whole.recipe === this.recipe) return whole;
      whole.dispose();
      throw new SamplezError("other", `full: expected samplez of the table's version; its recipe is ${whole.recipe}, the table's ${this.recipe}`);
    } catch (cause) {
      throw because("the full package, which has the exact remainder, could not be loaded", cause, "pass full: () => import(…), or call again");
    } finally {
      if (isBytes(seed)) seed.fill(0);
    }
  }
}

/** Samples of the full package, whose errors may be of another copy of this one. */
function drawWhole(whole: Whole, first: bigint, array: SampleArray): void {
  try {
    whole.fillAt(first, array);
  } catch (cause) {
    throw because("the full package, which has the exact remainder, failed", cause, "call again", "stopped");
  }
}

/** A table's parts. */
interface Table {
  readonly kind: number;
  /** The bytes that the module reads. */
  readonly bytes: Uint8Array;
  readonly recipe: string;
  readonly version: number;
  /** The range that an array has to hold. */
  readonly range: readonly [bigint, bigint];
}

function read(given: Uint8Array): Table {
  if (!isBytes(given)) throw new SamplezError("type", `table: ${TABLE}`);
  // The caller's bytes may change while the module is loaded.
  const table = Uint8Array.from(given);
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  if (table.length < HEAD || decode(table.subarray(0, 4)) !== "SZT1" || view.getUint32(4, true) !== sum(table.subarray(8))) {
    throw new SamplezError("other", `table: ${TABLE}, unchanged`);
  }
  const kind = table[8]!;
  const end = HEAD + 4 * view.getUint32(16, true);
  if (kind >= loaders.length || end > table.length) throw new SamplezError("other", `table: ${TABLE}`);
  const range = [20, 24].map((at) => BigInt(view.getInt32(at, true))) as [bigint, bigint];
  return { kind, bytes: table.slice(0, end), recipe: decode(table.slice(end)), version: view.getUint32(32, true), range };
}

const dotted = (version: number): string => `${version >>> 24}.${(version >>> 16) & 255}.${version & 65535}`;

/** A seed of its own: 32 bytes, or a number as a BigInt or a text. */
function seedOf(seed: Seed | undefined): Exclude<Seed, number> {
  const text = typeof seed === "number" && !Number.isSafeInteger(seed) ? undefined : seed;
  if (seed === undefined) return freshSeed();
  if (isBytes(text) && text.length === 32 && text.some((byte) => byte !== text[0])) return Uint8Array.from(text);
  const line = ["string", "number", "bigint"].includes(typeof text) ? String(text) : "";
  if (/^[\da-f]{64}$/i.test(line) && !/^(..)\1*$/i.test(line)) return Uint8Array.from(line.match(/../g)!, (byte) => parseInt(byte, 16));
  if (/^(0|[1-9]\d{0,19})$/.test(line) && BigInt.asUintN(64, BigInt(line)) === BigInt(line)) return BigInt(line);
  const isDead = isBytes(seed) ? seed.length === 32 : /^[\da-f]{64}$/i.test(line);
  if (isDead) throw new SamplezError("other", "seed: 32 equal bytes are a seed that was never set; expected 32 random bytes, or for results to reproduce a number below 2^64");
  const isFar = /^-?[1-9]\d*$/.test(line);
  throw new SamplezError(isFar ? "out-of-range" : isBytes(seed) || line !== "" ? "other" : "type", "seed: expected 32 random bytes, 64 hexadecimal digits, or a whole number below 2^64, beyond 2^53 as a bigint");
}

function seedBytes(seed: Exclude<Seed, number>): Uint8Array {
  if (isBytes(seed)) return seed;
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(seed), true);
  return bytes;
}
