import { freshSeed } from "./entropy.js";
import { SamplezError, type ErrorKind, invalid } from "./errors.js";
import type { ModuleOptions } from "./module.js";
import type { MethodName, SourceName } from "./name-types.js";
import { isBytes, kind } from "./shown.js";
import { WORDS } from "./words.js";

/** An exact number: a decimal, a fraction or scientific notation as text, such as `"16/5"`. A number stands for its shortest decimal,
 * so 3.2 is 16/5. For the double itself write its fraction, such as `"3602879701896397/1125899906842624"`. */
export type Exact = string | number | bigint;

/** One of these properties, without the others. */
export type OneOf<T> = { [K in keyof T]: Pick<T, K> & { [Other in Exclude<keyof T, K>]?: never } }[keyof T];

/** The width σ in one of the four forms in which the literature states it. */
export type Width = OneOf<{ sigma: Exact; sigmaSquared: Exact; kSigma2: Exact; s: Exact }>;

/** A law that is not a Gaussian, about 0:
 *
 * - `ternary: true`: uniform on -1, 0 and 1.
 * - `centeredBinomial: eta`: the sum of `eta` fair bits minus the sum of as many others, from 1 to 2^20.
 * - `tuniform: b`: TFHE's TUniform(b), uniform on -2^b to 2^b with half the mass at each end, from 0 to 62.
 * - `skellam: variance`: the difference of two Poisson variables of equal mean, from 2^-16 to 2^20, for `verify` to 2^26.
 * - `discreteLaplace: scale`: P(X = x) is proportional to exp(-|x|/scale), from 2^-16 to 2^50. For ε-differential privacy the scale is
 *   the sensitivity over ε. The recipe `laplace=3/2,clip=20` is this, given that |x| <= 20. */
export type OtherLaw = OneOf<{ ternary: true; centeredBinomial: number; tuniform: number; skellam: Exact; discreteLaplace: Exact }>;

/** The options that state such a law, in the module's order. */
export const OTHER = ["ternary", "centeredBinomial", "tuniform", "skellam", "discreteLaplace"];

/** The law and the table; the library's documentation describes the parameters of each method. */
export type Law = Width & {
  /** The centre c; 0 if absent. */
  center?: Exact | undefined;
  /** `"auto"` (if absent) lets the planner choose. */
  method?: MethodName | "auto" | undefined;
  /** Precision of a table in bits, 1 to 256. */
  precision?: number | undefined;
  /** The largest table that may be built, in bytes. */
  memory?: number | undefined;
  /** Rectangles of the Ziggurat, 2 to 65536. If absent, 256 or as many as fit, and by `auto` up to 1024. */
  rectangles?: number | undefined;
  /** Where the support of the Ziggurat and of the rejections ends, in σ; 14 if absent. */
  tail?: Exact | undefined;
  /** Bits of the Ziggurat's vertical coordinate, from the precision to 512; 32 more than the precision if absent. */
  omega?: number | undefined;
  /** Sets precision, tail and omega of the Ziggurat for a statistical distance of at most 2^-`distance`, 1 to 240. */
  distance?: number | undefined;
  /** Whether the Ziggurat decides by chords where it can. */
  chord?: boolean | undefined;
  /** Whether the Ziggurat stores every density. */
  pdfTable?: boolean | undefined;
  /** Whether the law must be exact; if absent, `auto` prefers an exact method. */
  exact?: boolean | undefined;
  /** Whether `bernoulli` and the `du-wei` methods save random bits at the cost of time. */
  frugal?: boolean | undefined;
  /** Refused if true: WebAssembly promises no constant time. Name the method for the same integers as in native code. */
  constantTime?: boolean | undefined;
  /** Whether `auto` may choose a method whose running time reveals samples. */
  variableTime?: boolean | undefined;
  /** The maximum setup time in seconds, by the planner's estimate; a text or a number. */
  setupTime?: Exact | undefined;
};

/** A law, a method and options in one text, such as `"sigma=3.2,method=cdt,precision=72"`, as every language reads it. */
export type Recipe = { recipe: string };

/** 32 bytes or 64 hexadecimal digits; or a short seed, a whole number below 2^64 (beyond 2^53 as a bigint). A short seed gives the same
 * samples in every language. Use it for reproducible results, not for secrets. */
export type Seed = Uint8Array | string | number | bigint;

/** Where random bits come from. */
export interface StreamOptions extends ModuleOptions {
  /** `"chacha20"` if absent. */
  source?: SourceName | undefined;
  /** Where the samples come from; a fresh one from `crypto.getRandomValues` if absent. */
  seed?: Seed | undefined;
  /** Whether to use SIMD instructions; if absent, where there are any. The samples are the same. */
  simd?: boolean | undefined;
}

/** The options that make an array of samples. */
export type Options = (Law | Recipe) & StreamOptions;

/** The options that state a width. */
export const WIDTHS = ["sigma", "sigmaSquared", "kSigma2", "s"];
/** The options that state a distribution, in the module's order. */
export const LAW = [
  ...WIDTHS, "center", "method", "precision", "memory", "rectangles", "tail", "omega", "distance", "chord", "pdfTable", "frugal",
  "exact", "constantTime", "variableTime", "setupTime", "recipe",
];

/** Distributions that a recipe's text spells otherwise. */
export const IN_TEXT = ["centered_binomial", "cbd", "laplace"];

const plain = (name: string): string => name.replace(/[-_]/g, "").toLowerCase();

/** Whether it is a width, as options or a recipe's text spell it. */
export const isWidth = (name: string): boolean => WIDTHS.some((known) => plain(known) === plain(name));

/** The name of these that differs in capitals, hyphens or underscores alone. */
export function slip(name: string, names: readonly string[]): string {
  const same = names.find((known) => plain(known) === plain(name));
  return same === undefined ? "" : `; did you mean ${same}?`;
}

/** Words whose value differs from the option's. */
const VALUES: Partial<Record<string, string>> = { alpha: " for α·q", noiserate: " for α·q", errorrate: " for α·q", geometric: " for its scale", doublegeometric: " for its scale", binomial: " for half of n" };

/** The end of an error about an unknown option: the option of these that states the same quantity, or another way out. */
export function wayOut(name: string, names: readonly string[], value?: unknown): string {
  const [typed, same] = [plain(name), slip(name, names)];
  if (same !== "") return same;
  for (const line of WORDS.split("\n")) {
    const [words = "", options = "", otherwise, beside] = line.split("|");
    const group = words.split(" ");
    if (!group.includes(typed)) continue;
    const isMeant = beside === undefined || names.includes(beside);
    const option = isMeant ? [...options.split(" "), ...group].find((known) => names.includes(known)) : undefined;
    // A generator is a source, and a number is a seed.
    const isSeed = option === "source" && names.includes("seed") && ["number", "bigint"].includes(typeof value);
    if (option === "count" && names.includes("length")) return "; write count for all samples, or length for a chunk";
    return option !== undefined ? `; write ${isSeed ? "seed" : option}${VALUES[typed] ?? ""}` : otherwise ? `; ${place(otherwise, names)}` : "";
  }
  return names.includes("against") && LAW.includes(name) ? "; it shapes a sampler, so leave it out"
    : names.includes("sigma") && OTHER.includes(name) ? `; OtherNoise.create takes ${name}`
    : [...WIDTHS, "center"].includes(name) && names.includes("source") ? `; ${names.includes("ternary") ? "DiscreteGaussian.create takes" : "round and sample take"} ${name}` : "";
}

/** The advice with the place of an option in JavaScript: other languages give a seed, a source and threads to the call that draws. */
function place(advice: string, names: readonly string[]): string {
  if (names.includes("against")) {
    return advice.startsWith("only laplace is cut") ? 'of a cut law pass the weights as whole numbers, such as recipe: "weights=-1: 1 2 1"'
      : advice.endsWith("that draws") ? "verify draws no samples, so leave it out" : advice;
  }
  const [, what = ""] = /^the (seed|source|number of threads) .*belongs to the call that draws$/.exec(advice) ?? [];
  if (what === "") return advice;
  if (what === "number of threads") return "fillParallel takes workers in its third argument";
  if (what === "source" && names.includes("seed")) return "write seed";
  return names.includes("set") ? `keygen and the other operations take the seed` : `${names.includes("workers") ? "the second argument" : "create"} takes the ${what}`;
}

/** The way out from an unknown name in a recipe, from a value that is none of the names in the message, or from another distribution, which
 * `taker` takes. */
export const wayFromName = ({ kind, argument = "", value = "", message }: SamplezError, names: readonly string[], taker = "OtherNoise.create"): string =>
  kind === "unsupported" && argument === "recipe" ? `; ${taker} takes this recipe`
  : kind === "unknown" && ["weights", "copies"].includes(argument) ? "; only verify takes sums and tables of weights"
  : OTHER.includes(argument) ? `; ${taker} takes ${argument}`
  : IN_TEXT.includes(argument) && kind === "unsupported" ? `; ${taker} takes this recipe`
  : [...names, "source"].includes(argument) && !message.includes(" of sigma, ") ? slip(value, message.replace(/.* of /, "").split(", "))
  : wayOut(argument, names).replace(/(?<=(write|mean) \w*)[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The way out from a width that `Stream.sample` or the method `strips` lacks. */
export const wayFromWidth = (sigma: number, byMethod: boolean): string => (sigma > 0 && sigma < Infinity ? (byMethod ? "; leave method out" : "; pass exact: true") : "");

/** Whether a text has the form of a number. */
export const isNumber = (text: string): boolean => text.split("/", 3).every((part, i) => i < 2 && (i === 0 ? /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i : /^(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i).test(part));

/** Whether it is one that the library reads. */
function isRead(text: string): boolean {
  const [over, under = 1] = text.split("/").map(Number);
  return isNumber(text) && Math.abs(over!) / under < 2 ** 63;
}

/** The options whose values are whole numbers, so that a comma is no decimal point. */
const WHOLE = ["precision", "memory", "rectangles", "threads", "modulus", "count", "centeredbinomial", "cbd", "tuniform", "clip"];

/** The end of an error about a number of another notation, if its meaning is plain: how to write it. The library's `meant`, which would take 4 KB of
 * each module, has the same answers. */
export function meant(argument: string, value: string, isText = false): string {
  const write = (text: string): string => (isRead(text) ? `; write ${text}` : "");
  const text = value.trim();
  if (isRead(text)) return text === value ? "" : `; write ${text}`;
  const [, base, exponent] = /^(\d{1,39}) *(?:\^|\*\*) *(\d{1,4})$/.exec(text) ?? [];
  if (base !== undefined && exponent !== undefined) {
    const number = BigInt(base) ** BigInt(exponent);
    return number < 1n << 128n ? `; write ${number}` : "";
  }
  if (/^0x[0-9a-f]{1,32}$/i.test(text)) return `; write ${BigInt(text)}`;
  if (plain(argument) === "setuptime") {
    const [, number, unit = ""] = /^([-+.e\d]+) *(ms|us|µs|ns|s)$/.exec(text) ?? [];
    return number === undefined ? "" : write(number + ({ ms: "e-3", us: "e-6", "µs": "e-6", ns: "e-9" }[unit] ?? ""));
  }
  if (argument === "sigma") {
    const plain = text.replace(/[\s*]/g, "");
    const [, squared] = /^sqrt\((.*)\)$/.exec(plain) ?? [];
    if (squared !== undefined && isRead(squared)) return `; write ${squared} for ${isText ? "sigma_squared" : "sigmaSquared"}`;
    const [, s] = /^(.*)\/(?:sqrt\(2pi\)|√\(2π\))$/.exec(plain) ?? [];
    if (s !== undefined && isRead(s)) return `; write ${s} for s`;
  }
  const [whole = "", ...groups] = text.replace(/[\s_]/g, "").replace(/−/g, "-").split(",");
  if (groups.length === 0) return write(whole);
  const joined = whole + groups.join("");
  const areThousands = groups.every((group) => group.length === 3);
  if (WHOLE.includes(plain(argument))) return areThousands ? write(joined) : "";
  // One comma before three digits is a separator of thousands to some, and a decimal point to others.
  const point = `${whole}.${groups.join(",")}`;
  if (areThousands && groups.length === 1 && !/^-?0$/.test(whole) && isRead(point)) return `; write ${joined} or ${point}, as you mean the comma`;
  return write(areThousands && groups.length > 1 ? joined : point);
}

/** The error of a module's answer: the kind of the failure, a tab and the message. `wayFrom` adds a way out. In a recipe's text names are those of
 * every language. */
export function failure(answer: string, wayFrom = (_: SamplezError): string => "", isText = false): SamplezError {
  const [kind = "", ...rest] = answer.split("\t");
  const error = new SamplezError(kind as ErrorKind, rest.join("\t"));
  const way = wayFrom(error) || (error.kind === "not-a-number" ? meant(error.argument ?? "", error.value ?? "", isText) : "");
  return way === "" ? error : new SamplezError(error.kind, error.message + way);
}

/** Refuses a value that is no object, and an option with none of these names. `noSignal` says where a signal goes instead. */
export function checkOptions(argument: string, options: object, names?: readonly string[], noSignal = ""): void {
  if (typeof options !== "object" || kind(options) !== "Object") {
    throw invalid("type", argument, options, `an object${["sigma: 3.2", "ternary: true"].filter((law) => names?.includes(law.split(":")[0]!)).slice(0, 1).map((law) => `, such as { ${law} }`).join("")}`);
  }
  const keys = Object.keys(options);
  if (names?.includes("recipe") && keys.length === 0 && "recipe" in options) throw invalid("type", argument, options, "an object of options; of a sampler d pass { recipe: d.recipe }");
  const unknown = keys.find((key) => names !== undefined && !names.includes(key));
  if (unknown !== undefined) throw new SamplezError("unknown", `${unknown}: no such option; there are ${names?.join(", ")}${unknown === "signal" ? noSignal : wayOut(unknown, names ?? [], (options as Record<string, unknown>)[unknown])}`);
}

/** Refuses what is no signal, from whatever realm. */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal !== undefined && kind(signal) !== "AbortSignal") throw invalid("type", "signal", signal, "an AbortSignal");
}

/** Writes options as lines of `key<TAB>value`, which the module reads. Refuses an option that is neither in `names` nor an option of a
 * stream. `module` and `simd` are not written: JavaScript uses them. */
export function request(options: Options | StreamOptions, names: readonly string[] = LAW): string {
  checkOptions("options", options, [...names, "source", "seed", "module", "simd"], names === LAW ? "; WorkerGaussian.create and fillParallel take a signal in the last argument" : "");
  const { simd, module: _, ...others } = options;
  if (simd !== undefined && typeof simd !== "boolean") throw invalid("type", "simd", simd, "true or false");
  const { seed, source } = others;
  if (seed !== undefined && source === UNSEEDED) throw new SamplezError("other", "seed: expected no seed, because source = os takes none; leave one of them out");
  if (!["string", "number", "bigint"].includes(typeof seed)) delete others.seed;
  return lines(others);
}

/** Whether a request has a recipe's text. */
export const hasText = (request: string): boolean => /^recipe\t/m.test(request);

/** Options as lines of `key<TAB>value`. */
export function lines(options: object): string {
  const lines = Object.entries(options).map(([key, value]) => {
    if (value === undefined) return "";
    if (["object", "function", "symbol"].includes(typeof value) && value !== null) {
      throw new SamplezError("type", `${key} = ${kind(value)}: expected a text, a number or a boolean`);
    }
    const text = String(value);
    if (/[\t\r\n]/.test(key + text)) throw new SamplezError("other", `${key}${key === "seed" ? "" : ` = ${text}`}: expected one line without tabs`);
    return `${key}\t${text}\n`;
  });
  return lines.join("");
}

/** The source that takes no seed. */
const UNSEEDED = "os";

/** The seed of a worker's stream: the given one, or a fresh one for a source that takes one. */
export const workerSeed = ({ seed, source }: StreamOptions): Seed | undefined => seed ?? (source === UNSEEDED ? undefined : freshSeed());

/** The seed as bytes, unless it comes with the request. */
export function seedBytes({ seed }: { seed?: Seed | undefined }): Uint8Array {
  if (seed === undefined) return freshSeed();
  if (["number", "bigint"].includes(typeof seed) && (seed as number | bigint) < 0) throw new SamplezError("out-of-range", "seed: expected a whole number from 0 to 2^64 - 1, 64 hexadecimal digits, or 32 bytes");
  if (typeof seed === "string" || typeof seed === "bigint" || Number.isSafeInteger(seed)) return new Uint8Array(0);
  if (isBytes(seed)) return seed;
  throw new SamplezError("type", `seed: expected 32 bytes as a Uint8Array, 64 hexadecimal digits, or a whole number below 2^64, beyond 2^53 as a bigint`);
}
