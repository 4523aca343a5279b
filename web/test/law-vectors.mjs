// The vectors of the law, kat/law-distribution.csv and kat/law-rounded.csv, judged by any copy of the package, in Node and in browsers.
// @ts-check

import { FORMS } from "./vectors.mjs";

/** @typedef {import("../dist/index.js").DiscreteGaussian} Gaussian */

/** What the kinds of values are, of one argument or two, as texts. Skewness and kurtosis may be off by 2^-400.
 * @type {Record<string, (d: Gaussian, a: string, b: string) => number | bigint>} */
const KINDS = {
  pmf: (d, a) => d.pmf(BigInt(a)),
  logpmf: (d, a) => d.logpmf(BigInt(a)),
  cdf: (d, a) => d.cdf(BigInt(a)),
  logcdf: (d, a) => d.logcdf(BigInt(a)),
  sf: (d, a) => d.sf(BigInt(a)),
  logsf: (d, a) => d.logsf(BigInt(a)),
  mass: (d, a, b) => d.mass(BigInt(a), BigInt(b)),
  ppf: (d, a) => d.ppfBigInt(Number(a)),
  isf: (d, a) => d.isfBigInt(Number(a)),
  median: (d) => d.ppfBigInt(0.5),
  mean: (d) => d.mean(),
  var: (d) => d.var(),
  std: (d) => d.std(),
  skew: (d) => d.stats("s")[0] ?? NaN,
  kurtosis: (d) => d.stats("k")[0] ?? NaN,
  moment: (d, a) => d.moment(Number(a)),
  nats: (d) => d.entropy(),
  entropy: (d, a) => d.entropy(Number(a) || 2),
};

/** How many of each kind have been compared, the lines that this package does not give to the last bit, and the laws that no method
 * samples, which it does not compute.
 * @param {typeof import("../dist/index.js")} samplez @param {string} csv @param {boolean} simd */
export async function checkLaw(samplez, csv, simd) {
  const [head = "", ...lines] = csv.trimEnd().split("\n");
  const names = head.split(",");
  /** @type {Record<string, number>} */
  const seen = {};
  const [failures, none] = [/** @type {string[]} */ ([]), /** @type {string[]} */ ([])];
  let law = "";
  /** @type {Gaussian | undefined} */
  let d;
  for (const line of lines) {
    const fields = line.split(",");
    const field = (/** @type {string} */ name) => fields[names.indexOf(name)] ?? "";
    const form = FORMS[/** @type {keyof typeof FORMS} */ (field("form"))];
    const own = [form, field("q"), field("center")].join();
    if (own !== law) {
      d?.dispose();
      // Of any sampler: the law is the one that is asked for. Some have none.
      const options = /** @type {any} */ ({ [form]: field("q"), center: field("center"), simd });
      d = await samplez.DiscreteGaussian.create({ ...options, variableTime: true }).catch((error) => {
        if (!String(error).startsWith("Error: no method for ")) throw error;
        return undefined;
      });
      if (d === undefined) none.push(own);
      law = own;
    }
    if (d === undefined) continue;
    const kind = field("kind");
    const [got, want] = [value(d, kind, field("a"), field("b")), field("value")];
    const close = ["skew", "kurtosis"].includes(kind) && Math.abs(Number(got) - Number(want)) <= 2 ** -400;
    if (!(typeof got === "bigint" ? String(got) === want : Object.is(got, real(want)) || close)) failures.push(`${line}: ${got}`);
    seen[kind] = (seen[kind] ?? 0) + 1;
  }
  return { seen, failures, none };
}

/** A number as Python writes it. */
const real = (/** @type {string} */ text) => Number(text.replace("inf", "Infinity"));

/** NaN for a quantile beyond 64 bits.
 * @param {Gaussian} d @param {string} kind @param {string} a @param {string} b */
function value(d, kind, a, b) {
  try {
    return KINDS[kind]?.(d, a, b);
  } catch (error) {
    return String(error).includes("beyond 64 bits") ? NaN : String(error);
  }
}
