// The shared vectors, kat/streams.csv, judged by any copy of the package, in Node and in browsers.
// @ts-check

/** @typedef {typeof import("../dist/index.js")} Package */

export const FORMS = { sigma: "sigma", "sigma-squared": "sigmaSquared", "k-sigma2": "kSigma2", s: "s" };

/** The vectors' options, addresses and hashes.
 * @param {string} csv */
export function parse(csv) {
  const lines = csv.trimEnd().split("\n").slice(1);
  return lines.map((line) => {
    const fields = line.split(",");
    if (fields.length !== 11) throw new Error(`11 fields: ${line}`);
    const [width, value, center, method, precision, source, seed, first, count, sha256, head] =
      /** @type {[string, string, string, string, string, string, string, string, string, string, string]} */ (fields);
    const form = FORMS[/** @type {keyof typeof FORMS} */ (width)];
    const table = precision === "0" ? {} : { precision: Number(precision) };
    const options = /** @type {import("../dist/index.js").Options} */ (
      /** @type {unknown} */ ({ [form]: value, center, method, source, seed, ...table })
    );
    return { line, options, first: BigInt(first), count: Number(count), sha256, head };
  });
}

/** @param {ArrayBuffer} bytes */
async function digest(bytes) {
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...sum].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The lines that this package does not draw, and the vectors' number.
 * @param {Package} samplez @param {string} csv @param {boolean} simd */
export async function check(samplez, csv, simd) {
  /** @type {string[]} */
  const failures = [];
  const vectors = parse(csv);
  for (const { line, options, first, count, sha256, head } of vectors) {
    const d = await samplez.DiscreteGaussian.create({ ...options, simd });
    const samples = d.fillAt(first, new BigInt64Array(count));
    const right = (await digest(samples.buffer)) === sha256 && samples.slice(0, head.split(" ").length).join(" ") === head;
    if (!right || d.simd !== simd) failures.push(line);
  }
  return { count: vectors.length, failures };
}
