import type { Certificate } from "./certificate.js";
import { checkCount, ONE_LAW, SamplezError, invalid } from "./errors.js";
import { Instance } from "./instance.js";
import { valueAt } from "./law.js";
import { WIDTHS, checkOptions, OTHER, request, seedBytes, type Exact, type OtherLaw, type Recipe, type StreamOptions, type Width } from "./options.js";
import { Samples, type Made } from "./samples.js";
import { kind } from "./shown.js";

interface MadeNoise extends Made {
  readonly recipe: string;
  readonly law: string;
  readonly variance: number;
}

/**
 * Samples of a law that is not a Gaussian, exact given ideal bits. There is no `certificate()`, because an exact law is at distance 0
 * from itself, and WebAssembly promises no timing.
 *
 * ```js
 * const secret = await OtherNoise.create({ ternary: true });
 * const s = secret.fill(new Int8Array(1024));
 * const noise = await OtherNoise.create({ discreteLaplace: 10 });
 * ```
 */
export class OtherNoise extends Samples {
  readonly #made: MadeNoise;

  private constructor(instance: Instance, made: MadeNoise) {
    super(instance, made, "OtherNoise");
    this.#made = made;
  }

  /** Builds a sampler. An impossible choice is an error that names the argument, its value and the allowed values. */
  static async create(options: (OtherLaw | Recipe) & StreamOptions): Promise<OtherNoise> {
    checkCount(arguments, 1);
    const text = request(options, [...OTHER, "recipe"]);
    const seed = seedBytes(options);
    const instance = await Instance.create(options.simd, options.module);
    return new OtherNoise(instance, parsed(instance.openLaw(text, seed)));
  }

  /** The recipe, such as `"skellam=5/2"`. It gives the same samples in every language. */
  get recipe(): string {
    return this.#made.recipe;
  }

  /** P(X = x), correctly rounded from 2^-900 on. 0 between integers. */
  pmf(x: number | bigint): number {
    checkCount(arguments, 1, ONE_LAW);
    return valueAt(this.live(), "pmf", x, (law, x) => law.mass(x, x));
  }

  /** P(X <= x), correctly rounded from 2^-900 on. */
  cdf(x: number | bigint): number {
    checkCount(arguments, 1, ONE_LAW);
    return valueAt(this.live(), "cdf", x, (law, x) => law.mass(-(2n ** 63n), x));
  }

  /** The mean, 0. */
  mean(): number {
    checkCount(arguments, 0, ONE_LAW);
    return 0;
  }

  /** The variance. */
  var(): number {
    checkCount(arguments, 0, ONE_LAW);
    return this.#made.variance;
  }

  /** The law. */
  override toString(): string {
    return `OtherNoise(${this.#made.law})`;
  }
}

/** A table, the law that it aims at, the source and the seed. */
export type TableOptions = Width & StreamOptions & {
  /** The entries: whole numbers of at most 320 bits. */
  entries: readonly Exact[];
  /** The form of the entries, in the words of `samplez certify --form`: `"folded,tail,72"`, `"full,tail,first=-10,64"`, `"frodo"`. */
  form: string;
  /** The centre of the law aimed at; 0 if absent. */
  center?: Exact | undefined;
};

interface MadeTable extends Made {
  readonly certificate: Certificate;
}

/**
 * Samples of your own table, such as the table of a specification. Their law is the table's, and `certificate()` its distance from the
 * law aimed at. Compiled to WebAssembly, the sampler has no promise of constant time.
 *
 * ```js
 * const frodo = [9288, 8720, 7216, 5264, 3384, 1918, 958, 422, 164, 56, 17, 4, 1];
 * const errors = await TableNoise.create({ entries: frodo, form: "frodo", sigma: "2.8" });
 * const e = errors.fill(new Int16Array(640 * 8));
 * ```
 */
export class TableNoise extends Samples {
  readonly #certificate: Certificate;

  private constructor(instance: Instance, made: MadeTable) {
    super(instance, made, "TableNoise");
    this.#certificate = made.certificate;
  }

  /** Builds a sampler. Throws for entries that are no table of this form, and for forms without such a sampler. */
  static async create(options: TableOptions): Promise<TableNoise> {
    checkCount(arguments, 1);
    checkOptions("options", options);
    const { entries, ...others } = options;
    if (!Array.isArray(entries)) throw new SamplezError("type", `entries = ${kind(entries)}: expected an array of whole numbers`);
    if (entries.length < 1 || entries.length > 2 ** 20) throw new SamplezError("out-of-range", `entries: has ${entries.length} elements: expected 1 to 2^20`);
    const wrong = entries.findIndex((entry) => !(typeof entry === "number" ? Number.isSafeInteger(entry) && entry >= 0 : ["bigint", "string"].includes(typeof entry) && /^[0-9]+$/.test(String(entry))));
    if (wrong >= 0) throw invalid("out-of-range", `entries[${wrong}]`, entries[wrong], "a whole number from 0 to 2^320 - 1, beyond 2^53 a bigint or a text");
    const given = { ...others, entries: entries.join(" ") };
    const text = request(given, [...WIDTHS, "center", "recipe", "form", "entries"]);
    const seed = seedBytes(options);
    const instance = await Instance.create(options.simd, options.module);
    try {
      return new TableNoise(instance, parsed(instance.openTable(text, seed)));
    } catch (cause) {
      // As typed: "falcon", and not the form that it means.
      if (!(cause instanceof SamplezError) || cause.argument !== "form") throw cause;
      throw new SamplezError(cause.kind, cause.message.replace(`form = ${cause.value}: `, () => `form = ${others.form}: `));
    }
  }

  /** The distance of the table's law from the law aimed at. `method` is null. */
  certificate(): Certificate {
    return this.#certificate;
  }

  /** The law aimed at. */
  override toString(): string {
    return `TableNoise(${this.#certificate.law})`;
  }
}

/** The module's description, with its ends as integers. */
function parsed<T extends Made>(json: string): T {
  const made = JSON.parse(json);
  const ends = made.support.map(BigInt);
  const certificate = made.certificate && Object.freeze({ ...made.certificate, support: Object.freeze({ min: ends[0], max: ends[1] }) });
  return { ...made, certificate, typical: Object.freeze(made.typical.map(BigInt)) };
}
