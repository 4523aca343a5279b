import { copy, narrowest, typeOf, wipe, type SampleArray } from "./arrays.js";
import { description, type Certificate, type Description, type Plan } from "./certificate.js";
import { DISPOSE } from "./disposable.js";
import { Instance } from "./instance.js";
import { address, checkEnd, integer, type Integer } from "./integers.js";
import type { SourceName } from "./name-types.js";
import { request, seedBytes, type Options } from "./options.js";

/** Samples in a block of the stream: the library's `bulk::BLOCK`. */
const BLOCK = 8192;
/** Samples that the module makes at a time. */
const CHUNK = 8 * BLOCK;

/**
 * An array of samples of D_{Z,σ,c} that exists by its addresses: sample number i is a function of the options, the
 * seed and i, the same here, in another worker and in the native library.
 *
 * ```js
 * const d = await DiscreteGaussian.create({ sigma: "3.2" });
 * const noise = d.fill(new Int16Array(1e6));
 * ```
 */
export class DiscreteGaussian {
  readonly #instance: Instance;
  readonly #description: Description;
  /** The block around {@link position}, as far as `fill` and `sample` have had to make it. */
  #block: SampleArray;
  #blockNumber = -1n;
  #position = 0n;
  #open = true;

  private constructor(instance: Instance, made: Description) {
    this.#instance = instance;
    this.#description = made;
    this.#block = new (narrowest(made.typical))(BLOCK);
  }

  /** Builds a sampler. An impossible choice is an error that names the argument, its value and what is allowed. */
  static async create(options: Options): Promise<DiscreteGaussian> {
    const text = request(options);
    const seed = seedBytes(options);
    const instance = await Instance.create(options.simd);
    return new DiscreteGaussian(instance, description(instance.open(text, seed)));
  }

  /** The chosen method and, if the planner chose it, why. */
  get plan(): Plan {
    return this.#description.plan;
  }

  /** The recipe that names the method and the options in use: it makes the same samples, in every language. */
  get recipe(): string {
    return this.#description.recipe;
  }

  /** The width σ as a double. */
  get sigma(): number {
    return this.#description.sigma;
  }

  /** The mean of the ideal law, correctly rounded. */
  get mean(): number {
    return this.#description.mean;
  }

  /** The variance of the ideal law, correctly rounded. */
  get variance(): number {
    return this.#description.variance;
  }

  /** The least and the largest value to expect: what is outside has a mass below 2^-128, or cannot come out. */
  get typical(): readonly [bigint, bigint] {
    return this.#description.typical;
  }

  /** The name of the source of random bits. */
  get source(): SourceName {
    return this.#description.source;
  }

  /** Whether the seed determines the samples. */
  get seeded(): boolean {
    return this.#description.seeded;
  }

  /** Whether SIMD instructions are in use. */
  get simd(): boolean {
    return this.#instance.simd;
  }

  /** The address of the next sample of {@link fill} and {@link sample}. */
  get position(): bigint {
    return this.#position;
  }

  /** The law, its distance from the ideal one, and its cost. */
  certificate(): Certificate {
    return this.#description.certificate;
  }

  /** P(X = x) of the ideal law, correctly rounded: the double nearest to the exact value. */
  pmf(x: Integer): number {
    return this.#live().pmf(integer("x", x));
  }

  /** P(X <= x) of the ideal law, correctly rounded. */
  cdf(x: Integer): number {
    return this.#live().cdf(integer("x", x));
  }

  /** P(low <= X <= high) of the ideal law, correctly rounded. */
  mass(low: Integer, high: Integer): number {
    return this.#live().mass(integer("low", low), integer("high", high));
  }

  /** Fills the array with the samples number `first`, `first + 1`, …. Fastest from a multiple of 8192 on. */
  fillAt<T extends SampleArray>(first: Integer, array: T): T {
    this.#fill(address(first), array, 0, array.length);
    return array;
  }

  /** Fills the array with the next samples. */
  fill<T extends SampleArray>(array: T): T {
    this.#live();
    typeOf(array);
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
        copy(this.#current().subarray(offset, offset + take), array, done);
      }
      done += take;
      this.#position += BigInt(take);
    }
    return array;
  }

  /** The next sample. Where samples exceed 2^53 it is {@link sampleBigInt} that gives them. */
  sample(): number {
    if (this.#block instanceof BigInt64Array) {
      const [low, high] = this.#description.typical;
      const limit = BigInt(Number.MAX_SAFE_INTEGER);
      if (low < -limit || high > limit) {
        throw new RangeError(`the samples, ${low} to ${high}, do not fit a number: use sampleBigInt() or a BigInt64Array`);
      }
    }
    return Number(this.#next());
  }

  /** The next sample as a BigInt. */
  sampleBigInt(): bigint {
    return BigInt(this.#next());
  }

  /** Wipes the seed and the samples that are held here. The memory goes with the last reference in any case. */
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

  /** The recipe, and nothing of the seed. */
  toString(): string {
    return `DiscreteGaussian(${this.recipe})`;
  }

  #live(): Instance {
    if (!this.#open) throw new Error("this DiscreteGaussian has been disposed of");
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
    const instance = this.#live();
    const type = typeOf(array);
    checkEnd(first, length);
    // An empty array is checked too.
    for (let done = 0; done < length || done === 0; done += CHUNK) {
      const take = Math.min(CHUNK, length - done);
      const memory = instance.fill(8 * type.BYTES_PER_ELEMENT, first + BigInt(done), take);
      array.set(new type(memory, instance.output, take) as never, start + done);
    }
  }
}

function narrowerThan(array: SampleArray, block: SampleArray): boolean {
  return array.BYTES_PER_ELEMENT < block.BYTES_PER_ELEMENT;
}
