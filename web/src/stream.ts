import { typeOf, wipe, type SampleArray } from "./arrays.js";
import { DISPOSE } from "./disposable.js";
import { checkCount, checkMade, NO_OPTIONS, notNumber, SamplezError, invalid } from "./errors.js";
import { Instance } from "./instance.js";
import type { RoundMethodName, SourceName } from "./name-types.js";
import { checkOptions, request, seedBytes, slip, type Exact, type StreamOptions, wayFromWidth } from "./options.js";
import { shown, viewKind } from "./shown.js";

/** A number for each integer that is drawn: doubles, or exact numbers of any kind. */
export type Numbers = Float64Array | readonly Exact[];

/** Integers that the module makes at a time: whole pieces in which the library sorts widths. */
const CHUNK = 8 * 8192;
/** A method of `round`, by the module. */
interface RoundMethod {
  readonly name: RoundMethodName;
  readonly timing: "unpromised" | "variable";
}
/** Where a call's texts or doubles are, made once for all its chunks. */
type Give = (start: number, length: number, draws: boolean) => void;

/**
 * A stream of random bits, for integers with a centre, and perhaps a σ, each. Each draw depends on the ones before.
 *
 * ```js
 * const stream = await Stream.create();
 * stream.round([10.3, -0.1], "3.2");
 * ```
 */
export class Stream {
  readonly #instance: Instance;
  readonly #methods: readonly RoundMethod[];
  /** The name of the source of random bits. */
  readonly source: SourceName;
  #open = true;

  private constructor(instance: Instance, description: string) {
    checkMade(this, instance instanceof Instance, "Stream");
    this.#instance = instance;
    ({ roundMethods: this.#methods, source: this.source } = JSON.parse(description));
  }

  /** Opens the stream of a source and a seed, from its beginning. */
  static async create(options: StreamOptions = {}): Promise<Stream> {
    checkCount(arguments, 1);
    const text = request(options, []);
    const seed = seedBytes(options);
    const instance = await Instance.create(options.simd, options.module);
    return new Stream(instance, instance.openStream(text, seed));
  }

  /** Whether SIMD instructions are in use. */
  get simd(): boolean {
    return this.#instance.simd;
  }

  /**
   * For each centre c, draws an integer of D_{Z,σ,c}. The command `samplez round` draws the same integers under the
   * same seed, and so does Python's `samplez.round`. The width σ is one number for all, or an array with one for each. The integers go into
   * `out`, or a new BigInt64Array. All methods are exact: `"strips"` takes σ from 1 to 2^26, `"karney"` takes every rational σ and centre in
   * variable time, and `"auto"` (if absent) is `"strips"` where it takes σ.
   *
   * WebAssembly promises nothing about time. In native code the default's time does not depend on the integers where σ is from 1 to 2^26.
   *
   * In an array of numbers only, each stands for the double itself, if an isochronous method draws all integers. Otherwise a number
   * stands for the shortest decimal that reads back as it. If a call fails, `out` is all zeros. A refused argument leaves the stream as it was.
   */
  round<T extends SampleArray = BigInt64Array>(centers: Numbers, sigma: Exact | Numbers, options: { method?: RoundMethodName | undefined; out?: T | undefined } = {}): T {
    checkCount(arguments, 3);
    checkOptions("options", options, ["method", "out"]);
    const { method: name = this.#auto.name, out } = options;
    const method = this.#methods.find((method) => method.name === name);
    if (method === undefined) {
      const names = this.#methods.map(({ name }) => name);
      throw invalid("unknown", "method", name, `one of ${names.join(", ")}${slip(shown(name), names)}`);
    }
    const around = numbers("centers", centers);
    const isochronous = method.timing !== "variable" || (method === this.#auto && isWide(sigma));
    const doubles = isochronous && areDoubles(around) && (!isMany(sigma) || areDoubles(numbers("sigma", sigma)));
    return this.#draw(name, sigma, around, doubles, out);
  }

  /**
   * Draws samples of D_{Z,σ,c} with a σ, or a centre, or both, for each; one of them at least is an array. Each law is exact, for 1 <=
   * σ <= 2^26 and |c| < 2^62. In native code the time does not depend on the samples, but reveals a single σ, and the octave of each σ of an
   * array. WebAssembly promises nothing about time.
   * Python's `samplez.sample` draws the same samples.
   *
   * The samples go into `out`, or a new BigInt64Array. A number in an array is the double that it is, and with `exact` the shortest decimal that reads back as it. `exact` admits every
   * rational σ, and for σ below 1 or above 2^26 the time depends on the samples.
   */
  sample<T extends SampleArray = BigInt64Array>(sigma: Exact | Numbers, centers: Exact | Numbers = 0, options: { exact?: boolean | undefined; out?: T | undefined } = {}): T {
    checkCount(arguments, 3);
    checkOptions("options", options, ["exact", "out"]);
    const { exact = false, out } = options;
    if (typeof exact !== "boolean") throw invalid("type", "exact", exact, "true or false");
    if (!isMany(sigma) && !isMany(centers)) throw new SamplezError("type", "sigma, centers: expected an array as one of them; for one σ and one centre, use DiscreteGaussian");
    if (!exact && !isMany(centers)) double("centers", centers, isCenter, CENTER);
    const around = isMany(centers) ? numbers("centers", centers) : new Array<Exact>(numbers("sigma", sigma as Numbers).length).fill(centers);
    return this.#draw(exact ? this.#auto.name : "", sigma, around, !exact, out);
  }

  /**
   * Fills the array with one ternary vector: of its entries in -1, 0 and 1 exactly `weight` are not 0. It is uniform over all such vectors.
   * Every language draws the same vector. If a call fails, the array is all zeros.
   */
  sparseTernary<T extends SampleArray>(array: T, weight: number): T {
    checkCount(arguments, 2, NO_OPTIONS);
    if (!this.#open) throw new SamplezError("disposed", "this Stream has been disposed of");
    typeOf("array", array);
    if (array.length === 0) throw new SamplezError("out-of-range", "array: has no elements: expected at least 1");
    if (!Number.isSafeInteger(weight) || weight < 1 || weight > array.length) {
      throw notNumber("weight", weight, `a whole number from 1 to ${array.length}, the length of the array`);
    }
    try {
      this.#instance.sparse(array, BigInt(weight));
    } catch (error) {
      wipe(array);
      throw error;
    }
    return array;
  }

  /** Wipes the generator and its output. The memory goes with the last reference in any case. */
  dispose(): void {
    this.#open = false;
    this.#instance.close();
  }

  /** `dispose()`, which `using` calls at the end of a block. */
  [DISPOSE](): void {
    this.dispose();
  }

  /** The source, and nothing of the seed. */
  toString(): string {
    return `Stream(${this.source})`;
  }

  /** Returns the options with which `create` opens a stream of the same source with another seed. */
  toJSON(): { source: SourceName } {
    return { source: this.source };
  }

  /** The method that takes another one by σ. It is the first. */
  get #auto(): RoundMethod {
    return this.#methods[0]!;
  }

  #draw<T extends SampleArray>(method: string, sigma: Exact | Numbers, centers: Numbers, doubles: boolean, out: T | undefined): T {
    if (!this.#open) throw new SamplezError("disposed", "this Stream has been disposed of");
    const sigmas = isMany(sigma) ? numbers("sigma", sigma) : undefined;
    if (sigmas !== undefined && sigmas.length !== centers.length) {
      throw new SamplezError("out-of-range", `sigma: has ${sigmas.length} elements: expected ${centers.length}, as there are centers`);
    }
    const array = out === undefined ? new BigInt64Array(centers.length) : out;
    typeOf("out", array);
    if (array.length !== centers.length) throw new SamplezError("out-of-range", `out: has ${array.length} elements: expected ${centers.length}, as there are centers`);
    const one = sigmas === undefined ? text("sigma", sigma as Exact) : "";
    const give = doubles ? this.#doubles(array, method, one, sigmas, centers) : this.#texts(array, method, one, sigmas, centers);
    try {
      // Without a centre σ is checked.
      const each = (draws: boolean): void => {
        for (let done = 0; done < array.length || done === 0; done += CHUNK) give(done, Math.min(CHUNK, array.length - done), draws);
      };
      // A chunk is checked before it is drawn.
      if (array.length > CHUNK) each(false);
      each(true);
    } catch (error) {
      wipe(array);
      throw error;
    }
    return array as T;
  }

  #doubles(array: SampleArray, method: string, sigma: string, sigmas: Numbers | undefined, centers: Numbers): Give {
    const many = [
      ...(sigmas === undefined ? [] : [within("sigma", sigmas, (x) => x >= 1 && x <= 2 ** 26, "a number from 1 to 2^26", method === "strips")]),
      within("centers", centers, isCenter, CENTER),
    ];
    return (start, length, draws) => {
      if (!draws) return; // checked above
      const parts = many.map((array) => array.subarray(start, start + length));
      this.#instance.aroundDoubles(array, start, length, `${method}\t${sigma}`, parts);
    };
  }

  #texts(array: SampleArray, method: string, sigma: string, sigmas: Numbers | undefined, centers: Numbers): Give {
    const lines = (name: string, many: Numbers, start: number, length: number) =>
      Array.from(many.slice(start, start + length), (value: Exact, i) => text(`${name}[${start + i}]`, value));
    return (start, length, draws) => {
      const widths = sigmas === undefined ? [] : lines("sigma", sigmas, start, length);
      const all = [`${method}\t${sigma}`, ...widths, ...lines("centers", centers, start, length)];
      this.#instance.aroundTexts(array, start, draws ? length : 0, all.join("\n"));
    };
  }
}

const isMany = (values: Exact | Numbers): values is Numbers => typeof values === "object" && values !== null;

/** An array of numbers of a kind that is taken. */
function numbers(name: string, values: Numbers): Numbers {
  if (isDoubles(values) || Array.isArray(values)) return values;
  throw invalid("type", name, values, "an array or a Float64Array");
}

const isDoubles = (values: unknown): values is Float64Array => viewKind(values) === "Float64Array";

const areDoubles = (values: Numbers): boolean => isDoubles(values) || values.every((value) => typeof value === "number");

/** Whether every σ is from 1 to 2^26. One may be a fraction, such as 16/5. */
function isWide(sigma: Exact | Numbers): boolean {
  if (isMany(sigma)) return numbers("sigma", sigma).every((value: Exact) => typeof value === "number" && value >= 1 && value <= 2 ** 26);
  const [numerator, denominator = "1"] = String(sigma).split("/");
  const value = Number(numerator) / Number(denominator);
  return value >= 1 && value <= 2 ** 26;
}

/** The centres that doubles may be. */
const isCenter = (x: number): boolean => Math.abs(x) < 2 ** 62;
const CENTER = "a number between -2^62 and 2^62";

/** Refuses what is no double that is allowed. Of texts and bigints, `sample` takes a σ for all, and others with `exact`. */
function double(name: string, x: unknown, allows: (x: number) => boolean, allowed: string, byMethod = false): void {
  if (typeof x !== "number") throw invalid("type", name, x, `${allowed}${["string", "bigint"].includes(typeof x) ? `; pass exact: true for a ${typeof x === "string" ? "text" : "bigint"}` : ""}`);
  if (!allows(x)) throw invalid(!Number.isFinite(x) ? "not-a-number" : byMethod ? "unsupported" : "out-of-range", name, x, allowed + (name.startsWith("sigma") ? wayFromWidth(x, byMethod) : ""));
}

/** Doubles that are allowed; by a method alone, if another one has other limits. */
function within(name: string, values: Numbers, allows: (x: number) => boolean, allowed: string, byMethod = false): Float64Array {
  for (let i = 0; i < values.length; i++) double(`${name}[${i}]`, values[i], allows, allowed, byMethod);
  return isDoubles(values) ? values : Float64Array.from(values as readonly number[]);
}

/** A number as a line of text. */
function text(name: string, value: Exact): string {
  if (!["string", "number", "bigint"].includes(typeof value)) throw invalid("type", name, value, "a text or a number");
  const line = String(value);
  if (/[\t\r\n]/.test(line)) throw invalid("other", name, line, "one line without tabs");
  return line;
}
