import { copy, narrowest, typeOf, wipe, type SampleArray } from "./arrays.js";
import { chunks, readable, type ChunkOptions } from "./chunks.js";
import { DISPOSE } from "./disposable.js";
import { wiping } from "./entropy.js";
import { checkCount, checkMade, DRAWS_ONE, NO_OPTIONS, SamplezError } from "./errors.js";
import { Instance } from "./instance.js";
import { address, checkEnd, type Integer } from "./integers.js";
import type { SourceName } from "./name-types.js";

/** Samples in a block of the stream: the library's `bulk::BLOCK`. */
const BLOCK = 8192;
/** Samples that the module makes at a time. */
const CHUNK = 8 * BLOCK;

/** The module's description of an array, as far as all samplers have it. */
export interface Made {
  readonly typical: readonly [bigint, bigint];
  readonly source: SourceName;
}

/**
 * An array of samples, which is not stored. Sample number i is a function of the options, the seed and i: the same here, in another
 * worker and in the native library.
 */
export abstract class Samples {
  readonly #instance: Instance;
  readonly #made: Made;
  readonly #name: string;
  /** The block around {@link position}, as far as `fill` and `sample` have had to make it. */
  #block: SampleArray;
  #blockNumber = -1n;
  #position = 0n;
  #open = true;

  protected constructor(instance: Instance, made: Made, name: string) {
    checkMade(this, instance instanceof Instance, name);
    this.#instance = instance;
    this.#made = made;
    this.#name = name;
    this.#block = new (narrowest(made.typical))(BLOCK);
  }

  /** The least and the largest value to expect: values outside have a mass below 2^-128, or are impossible. */
  get typical(): readonly [bigint, bigint] {
    return this.#made.typical;
  }

  /** The name of the source of random bits. */
  get source(): SourceName {
    return this.#made.source;
  }

  /** Whether SIMD instructions are in use. */
  get simd(): boolean {
    return this.#instance.simd;
  }

  /** The address of the next sample of {@link fill} and {@link sample}. */
  get position(): bigint {
    return this.#position;
  }

  /** Fills the array with the samples number `first`, `first + 1`, … This is fastest from a multiple of 8192 on. */
  fillAt<T extends SampleArray>(first: Integer, array: T): T {
    checkCount(arguments, 2, NO_OPTIONS);
    const start = address(first);
    typeOf("array", array);
    this.#fill(start, array, 0, array.length);
    return array;
  }

  /** Fills the array with the next samples. */
  fill<T extends SampleArray>(array: T): T {
    checkCount(arguments, 1, NO_OPTIONS);
    this.live();
    typeOf("array", array);
    let done = 0;
    while (done < array.length) {
      const offset = Number(this.#position % BigInt(BLOCK));
      const whole = Math.floor((array.length - done) / BLOCK) * BLOCK;
      let take: number;
      if (offset === 0 && whole > 0) {
        take = whole;
        this.#fill(this.#position, array, done, take);
      } else {
        take = Math.min(BLOCK - offset, array.length - done);
        if (narrowerThan(array, this.#block)) this.#fill(this.#position, array, done, take); // says what is wrong
        copy(wiping(array, () => this.#current()), offset, take, array, done);
      }
      done += take;
      this.#position += BigInt(take);
    }
    return array;
  }

  /** Returns the next sample. For samples beyond 2^53 use {@link sampleBigInt}. */
  sample(): number {
    checkCount(arguments, 0, DRAWS_ONE);
    if (this.#block instanceof BigInt64Array) {
      const [low, high] = this.typical;
      const limit = BigInt(Number.MAX_SAFE_INTEGER);
      if (low < -limit || high > limit) {
        throw new SamplezError("out-of-range", `the samples, ${low} to ${high}, do not fit a number: use sampleBigInt() or a BigInt64Array`);
      }
    }
    return Number(this.#next());
  }

  /** Returns the next sample as a BigInt. */
  sampleBigInt(): bigint {
    checkCount(arguments, 0, DRAWS_ONE);
    return BigInt(this.#next());
  }

  /** Returns the next samples in chunks, each a new array that is drawn when you ask for it: `for await (const chunk of d.chunks({
   * count: 1e9 }))`. Other work of the thread runs between them. */
  chunks<T extends SampleArray = SampleArray>(options: ChunkOptions<T> = {}): AsyncGenerator<T, void, undefined> {
    this.live();
    checkCount(arguments, 1);
    return chunks<T>(this.typical, (array) => this.fill(array), options);
  }

  /** Returns the next samples as a stream, which draws no chunk before its reader asks for it. A cancelled stream leaves the sampler as
   * it is, for the next sample. */
  readable<T extends SampleArray = SampleArray>(options: ChunkOptions<T> = {}): ReadableStream<T> {
    checkCount(arguments, 1);
    return readable(this.chunks<T>(options));
  }

  /** Wipes the seed and the samples in the module's memory, which is freed with the last reference. */
  dispose(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#instance.close();
    wipe(this.#block);
  }

  /** `dispose()`, which `using` calls at the end of a block. */
  [DISPOSE](): void {
    this.dispose();
  }

  /** The module's instance, unless the sampler has been disposed of. */
  protected live(): Instance {
    if (!this.#open) throw new SamplezError("disposed", `this ${this.#name} has been disposed of`);
    return this.#instance;
  }

  #next(): Integer {
    const block = this.#current();
    const value = block[Number(this.#position & BigInt(BLOCK - 1))] as Integer;
    this.#position += 1n;
    return value;
  }

  /** The block of {@link position}. */
  #current(): SampleArray {
    const number = this.#position / BigInt(BLOCK);
    if (number !== this.#blockNumber || !this.#open) {
      this.#fill(number * BigInt(BLOCK), this.#block, 0, BLOCK);
      this.#blockNumber = number;
    }
    return this.#block;
  }

  #fill(first: bigint, array: SampleArray, start: number, length: number): void {
    const instance = this.live();
    typeOf("array", array);
    checkEnd(first, length);
    // An empty array is checked too.
    for (let done = 0; done < length || done === 0; done += CHUNK) {
      instance.fill(array, start + done, Math.min(CHUNK, length - done), first + BigInt(done));
    }
  }
}

function narrowerThan(array: SampleArray, block: SampleArray): boolean {
  return array.BYTES_PER_ELEMENT < block.BYTES_PER_ELEMENT;
}
