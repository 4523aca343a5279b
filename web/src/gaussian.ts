import { description, type Certificate, type Description, type Plan } from "./certificate.js";
import { checkCount, notNumber, ONE_LAW } from "./errors.js";
import { Instance } from "./instance.js";
import { integer, type Integer } from "./integers.js";
import { entropy, expectation, moment, quantile, quantileBigInt, stats, valueAt } from "./law.js";
import type { SourceName } from "./name-types.js";
import { checkOptions, request, seedBytes, type Options } from "./options.js";
import { checkProgress, type Progress } from "./progress.js";
import { Samples } from "./samples.js";

/**
 * An array of samples of D_{Z,σ,c}, which is not stored. Sample number i is a function of the options, the seed and i: the same here,
 * in another worker and in the native library.
 *
 * ```js
 * const d = await DiscreteGaussian.create({ sigma: "3.2" });
 * const noise = d.fill(new Int16Array(1e6));
 * ```
 */
export class DiscreteGaussian extends Samples {
  readonly #description: Description;

  private constructor(instance: Instance, made: Description) {
    super(instance, made, "DiscreteGaussian");
    this.#description = made;
  }

  /** Builds a sampler. An impossible choice is an error that names the argument, its value and the allowed values. A large table takes
   * seconds, for which this thread is not free: a page uses {@link WorkerGaussian}. While a table is built, `onProgress` gets the number of
   * rows that are computed, and that of all, about 20 times a second. The share `done / of` rises. An error that it throws is the call's. */
  static async create(options: Options, progress: { onProgress?: Progress | undefined } = {}): Promise<DiscreteGaussian> {
    checkCount(arguments, 2);
    const text = request(options);
    checkOptions("progress", progress, ["onProgress"], "; WorkerGaussian.create takes a signal and does not block");
    const { onProgress } = progress;
    checkProgress(onProgress);
    const seed = seedBytes(options);
    const instance = await Instance.create(options.simd, options.module, onProgress);
    return new DiscreteGaussian(instance, description(instance.open(text, seed)));
  }

  /** The method in use and, if the planner chose it, the reason. */
  get plan(): Plan {
    return this.#description.plan;
  }

  /** The recipe with the method and the options in use. It gives the same samples in every language. */
  get recipe(): string {
    return this.#description.recipe;
  }

  /** The width σ as a double. */
  get sigma(): number {
    return this.#description.sigma;
  }

  /** Returns the certificate: the law, its distance from the ideal one, and its cost. */
  certificate(): Certificate {
    return this.#description.certificate;
  }

  /** Returns P(X = x) of D_{Z,σ,c}, correctly rounded: the double nearest to the exact value. 0 between integers. */
  pmf(x: number | bigint): number {
    checkCount(arguments, 1, ONE_LAW);
    return valueAt(this.live(), "pmf", x);
  }

  /** ln P(X = x), correctly rounded, also where {@link pmf} is 0 as a double. */
  logpmf(x: number | bigint): number {
    checkCount(arguments, 1, ONE_LAW);
    return valueAt(this.live(), "logpmf", x);
  }

  /** P(X <= x), correctly rounded, in time independent of σ. */
  cdf(x: number | bigint): number {
    checkCount(arguments, 1, ONE_LAW);
    return valueAt(this.live(), "cdf", x);
  }

  /** ln P(X <= x), correctly rounded. */
  logcdf(x: number | bigint): number {
    checkCount(arguments, 1, ONE_LAW);
    return valueAt(this.live(), "logcdf", x);
  }

  /** P(X > x), correctly rounded, in the far tail too. */
  sf(x: number | bigint): number {
    checkCount(arguments, 1, ONE_LAW);
    return valueAt(this.live(), "sf", x);
  }

  /** ln P(X > x), correctly rounded. */
  logsf(x: number | bigint): number {
    checkCount(arguments, 1, ONE_LAW);
    return valueAt(this.live(), "logsf", x);
  }

  /** P(low <= X <= high), correctly rounded. */
  mass(low: Integer, high: Integer): number {
    checkCount(arguments, 2, ONE_LAW);
    const ends = [integer("low", low), integer("high", high)] as const;
    return this.live().law((law) => law.mass(...ends));
  }

  /** Returns the least x with P(X <= x) >= q, of the exact law: -Infinity for 0, Infinity for 1, NaN outside, as in SciPy. An x beyond
   * 2^53 is refused: {@link ppfBigInt} returns it. The double of {@link cdf} may be rounded up, and then ppf(cdf(x)) is x + 1. */
  ppf(q: number): number {
    checkCount(arguments, 1, ONE_LAW);
    return quantile(this.live(), "ppf", q);
  }

  /** The same as a BigInt, for 0 < q < 1. */
  ppfBigInt(q: number): bigint {
    checkCount(arguments, 1, ONE_LAW);
    return quantileBigInt(this.live(), "ppf", q);
  }

  /** Returns the least x with P(X > x) <= q. For q near 0 it finds values that {@link ppf} of 1 - q cannot. The rest is as there. */
  isf(q: number): number {
    checkCount(arguments, 1, ONE_LAW);
    return quantile(this.live(), "isf", q);
  }

  /** The same as a BigInt, for 0 < q < 1. */
  isfBigInt(q: number): bigint {
    checkCount(arguments, 1, ONE_LAW);
    return quantileBigInt(this.live(), "isf", q);
  }

  /** The least x with P(X <= x) >= 1/2. */
  median(): number {
    checkCount(arguments, 0, ONE_LAW);
    return quantile(this.live(), "ppf", 0.5, "median()");
  }

  /** Returns {@link ppf} and {@link isf} of (1 - confidence)/2. X lies between them with at least this probability. */
  interval(confidence: number): [low: number, high: number] {
    checkCount(arguments, 1, ONE_LAW);
    if (!(typeof confidence === "number" && confidence >= 0 && confidence <= 1)) {
      throw notNumber("confidence", confidence, "a number between 0 and 1");
    }
    const [tail, of] = [(1 - confidence) / 2, `confidence = ${confidence}`];
    return [quantile(this.live(), "ppf", tail, of), quantile(this.live(), "isf", tail, of)];
  }

  /** E[X], correctly rounded. It is not the centre where σ is small. */
  mean(): number {
    checkCount(arguments, 0, ONE_LAW);
    return this.live().law((law) => law.mean());
  }

  /** The variance, correctly rounded. It is not σ² where σ is small. */
  var(): number {
    checkCount(arguments, 0, ONE_LAW);
    return this.live().law((law) => law.variance());
  }

  /** The standard deviation, correctly rounded. It is not σ where σ is small. */
  std(): number {
    checkCount(arguments, 0, ONE_LAW);
    return this.live().law((law) => law.std_dev());
  }

  /** Returns the requested ones of mean (`m`), variance (`v`), skewness (`s`) and excess kurtosis (`k`), in this order. */
  stats(moments = "mv"): number[] {
    checkCount(arguments, 1, ONE_LAW);
    return stats(this.live(), moments);
  }

  /** E[X^order], correctly rounded, for an order from 0 to 32; Infinity where doubles end. */
  moment(order: number): number {
    checkCount(arguments, 1, ONE_LAW);
    return moment(this.live(), order);
  }

  /** Returns E[f(X)] over lb <= X <= ub: the sum of f(x)·P(X = x) wherever that probability is a double above 0. If `conditional`, it
   * is the expectation given that X lies there. At most 2^22 values are summed; above σ = 54,500 a law has more. `f` gets x as a
   * number, and is the identity if absent. */
  expect(f: (x: number) => number = (x) => x, options: { lb?: number | undefined; ub?: number | undefined; conditional?: boolean | undefined } = {}): number {
    checkCount(arguments, 2, ONE_LAW);
    return expectation(this.live(), f, options);
  }

  /** The entropy in nats, as SciPy gives it, correctly rounded; in bits with the base 2. */
  entropy(base?: number): number {
    checkCount(arguments, 1, ONE_LAW);
    return entropy(this.live(), base);
  }

  /** Returns the law's support, all integers. The sampler's is `certificate().support`. */
  support(): [low: number, high: number] {
    checkCount(arguments, 0, ONE_LAW);
    return [-Infinity, Infinity];
  }

  /** Returns the recipe, without the seed. */
  override toString(): string {
    return `DiscreteGaussian(${this.recipe})`;
  }

  /** Returns the options with which `create` makes the same sampler with another seed: the recipe and the source. */
  toJSON(): { recipe: string; source: SourceName } {
    return { recipe: this.recipe, source: this.source };
  }
}
