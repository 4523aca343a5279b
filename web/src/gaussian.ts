import { copy, narrowest, typeOf, wipe, type SampleArray } from "./arrays.js";
import { description, type Certificate, type Description, type Plan } from "./certificate.js";
import { chunks, readable, type ChunkOptions } from "./chunks.js";
import { DISPOSE } from "./disposable.js";
import { checkMade, SamplezError } from "./errors.js";
import { Instance } from "./instance.js";
import { address, checkEnd, integer, type Integer } from "./integers.js";
import { entropy, expectation, moment, quantile, quantileBigInt, stats, valueAt, type ExpectOptions, type Real } from "./law.js";
import type { SourceName } from "./name-types.js";
import { request, seedBytes, type Options } from "./options.js";
import { shown } from "./shown.js";

/** Samples in a block of the stream: the library's `bulk::BLOCK`. */
const BLOCK = 8192;
/** Samples that the module makes at a time. */
const CHUNK = 8 * BLOCK;

/**
 * An array of samples of D_{Z,σ,c} that exists by its addresses. Sample number i is a function of the options, the seed
 * and i: the same here, in another worker and in the native library.
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
    checkMade(instance instanceof Instance, "DiscreteGaussian");
    this.#instance = instance;
    this.#description = made;
    this.#block = new (narrowest(made.typical))(BLOCK);
  }

  /** Builds a sampler. An impossible choice is an error that names the argument, its value and the allowed values. */
  static async create(options: Options): Promise<DiscreteGaussian> {
    const text = request(options);
    const seed = seedBytes(options);
    const instance = await Instance.create(options.simd, options.module);
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

  /** The least and the largest value to expect: values outside have a mass below 2^-128, or are impossible. */
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

  /** P(X = x) of D_{Z,σ,c}, correctly rounded: the double nearest to the exact value. 0 between integers. */
  pmf(x: Real): number {
    return valueAt(this.#live(), "pmf", x);
  }

  /** ln P(X = x), correctly rounded, also where {@link pmf} is 0 as a double. */
  logpmf(x: Real): number {
    return valueAt(this.#live(), "logpmf", x);
  }

  /** P(X <= x), correctly rounded, in time independent of σ. */
  cdf(x: Real): number {
    return valueAt(this.#live(), "cdf", x);
  }

  /** ln P(X <= x), correctly rounded. */
  logcdf(x: Real): number {
    return valueAt(this.#live(), "logcdf", x);
  }

  /** P(X > x), correctly rounded, in the far tail too. */
  sf(x: Real): number {
    return valueAt(this.#live(), "sf", x);
  }

  /** ln P(X > x), correctly rounded. */
  logsf(x: Real): number {
    return valueAt(this.#live(), "logsf", x);
  }

  /** P(low <= X <= high), correctly rounded. */
  mass(low: Integer, high: Integer): number {
    const ends = [integer("low", low), integer("high", high)] as const;
    return this.#live().law((law) => law.mass(...ends));
  }

  /** The least x with P(X <= x) >= q, of the exact law: -Infinity for 0, Infinity for 1, NaN outside, as SciPy answers. An x beyond
   * 2^53 is refused, and {@link ppfBigInt} gives it. */
  ppf(q: number): number {
    return quantile(this.#live(), "ppf", q);
  }

  /** The same as a BigInt, for 0 < q < 1. */
  ppfBigInt(q: number): bigint {
    return quantileBigInt(this.#live(), "ppf", q);
  }

  /** The least x with P(X > x) <= q; for q near 0 what {@link ppf} of 1 - q has no doubles for. The rest is as there. */
  isf(q: number): number {
    return quantile(this.#live(), "isf", q);
  }

  /** The same as a BigInt, for 0 < q < 1. */
  isfBigInt(q: number): bigint {
    return quantileBigInt(this.#live(), "isf", q);
  }

  /** The least x with P(X <= x) >= 1/2. */
  median(): number {
    return this.ppf(0.5);
  }

  /** {@link ppf} and {@link isf} of (1 - confidence)/2, between which X lies at least so often. */
  interval(confidence: number): [low: number, high: number] {
    if (!(typeof confidence === "number" && confidence >= 0 && confidence <= 1)) {
      throw new SamplezError("range", `confidence = ${shown(confidence)}: must lie between 0 and 1`);
    }
    const tail = (1 - confidence) / 2;
    return [this.ppf(tail), this.isf(tail)];
  }

  /** E[X], correctly rounded. It is not the centre where σ is small. */
  mean(): number {
    return this.#live().law((law) => law.mean());
  }

  /** The variance, correctly rounded. It is not σ² where σ is small. */
  var(): number {
    return this.#live().law((law) => law.variance());
  }

  /** The standard deviation, correctly rounded. It is not σ where σ is small. */
  std(): number {
    return this.#live().law((law) => law.std_dev());
  }

  /** Of mean (`m`), variance (`v`), skewness (`s`) and excess kurtosis (`k`) those that are asked for, in this order. */
  stats(moments = "mv"): number[] {
    return stats(this.#live(), moments);
  }

  /** E[X^order], correctly rounded, for an order from 0 to 32; Infinity where doubles end. */
  moment(order: number): number {
    return moment(this.#live(), order);
  }

  /** E[f(X)] over lb <= X <= ub, adding up f(x)·P(X = x) wherever that probability is a double above 0; given that X lies there,
   * if `conditional`. At most 2^22 values, fewer than σ has from 54,000 on. `f` is x if absent, and takes it as a number. */
  expect(f: (x: number) => number = (x) => x, options: ExpectOptions = {}): number {
    return expectation(this.#live(), f, options);
  }

  /** The entropy in nats, as SciPy gives it, correctly rounded; in bits with the base 2. */
  entropy(base?: number): number {
    return entropy(this.#live(), base);
  }

  /** Returns the law's support, all integers. The sampler's is `certificate().support`. */
  support(): [low: number, high: number] {
    return [-Infinity, Infinity];
  }

  /** Fills the array with the samples number `first`, `first + 1`, …. Fastest from a multiple of 8192 on. */
  fillAt<T extends SampleArray>(first: Integer, array: T): T {
    this.#fill(address(first), array, 0, array.length);
    return array;
  }

  /** Fills the array with the next samples. */
  fill<T extends SampleArray>(array: T): T {
    this.#live();
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
        throw new SamplezError("range", `the samples, ${low} to ${high}, do not fit a number: use sampleBigInt() or a BigInt64Array`);
      }
    }
    return Number(this.#next());
  }

  /** The next sample as a BigInt. */
  sampleBigInt(): bigint {
    return BigInt(this.#next());
  }

  /** The next samples in chunks, each a new array, drawn when it is asked for: `for await (const chunk of d.chunks({ count: 1e9 }))`. Other
   * work of the thread runs between them. */
  chunks<T extends SampleArray = SampleArray>(options: ChunkOptions<T> = {}): AsyncGenerator<T, void, undefined> {
    this.#live();
    return chunks<T>(this.typical, (array) => this.fill(array), options);
  }

  /** The same as a stream, which draws no chunk before its reader asks for it. A stream that is cancelled leaves the sampler as it is, for
   * the next sample. */
  readable<T extends SampleArray = SampleArray>(options: ChunkOptions<T> = {}): ReadableStream<T> {
    return readable(this.chunks<T>(options));
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

  /** Returns the options with which `create` makes the same sampler with another seed: the recipe and the source. */
  toJSON(): { recipe: string; source: SourceName } {
    return { recipe: this.recipe, source: this.source };
  }

  #live(): Instance {
    if (!this.#open) throw new SamplezError("disposed", "this DiscreteGaussian has been disposed of");
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
