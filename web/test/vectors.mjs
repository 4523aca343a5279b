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

/** The lines that this package does not draw, and their number. A line that comes right in a new instance, of the same module with the
 * same bytes, is told apart, with what was wrong.
 * @param {Package} samplez @param {string} csv @param {boolean} simd */
export async function check(samplez, csv, simd) {
  /** @type {string[]} */
  const failures = [];
  /** @type {string[]} */
  const faults = [];
  const vectors = parse(csv);
  for (const { line, options, first, count, sha256, head } of vectors) {
    const draw = async () => {
      const d = await samplez.DiscreteGaussian.create({ ...options, simd });
      const samples = d.fillAt(first, new BigInt64Array(count));
      const right = (await digest(samples.buffer)) === sha256 && samples.slice(0, head.split(" ").length).join(" ") === head;
      return { samples, right, asked: d.simd === simd };
    };
    const { samples, right, asked } = await draw();
    if (right && asked) continue;
    const again = asked && (await draw());
    if (again && again.right && again.asked) faults.push(`${line}: ${difference(samples, again.samples)}`);
    else failures.push(line);
  }
  return { count: vectors.length, failures, faults };
}

/** @param {BigInt64Array} seen @param {BigInt64Array} right */
function difference(seen, right) {
  const at = [...right.keys()].filter((i) => seen[i] !== right[i]);
  const shown = at.slice(0, 5).map((i) => `${seen[i]} for ${right[i]}`);
  return at.length === 0 ? "no integer differs, its sum did" : `${at.length} differ, from number ${at[0]} on: ${shown.join(", ")}`;
}
