// What the command says of integers, judged by any copy of the package, in Node and in browsers.
// @ts-check

/** @typedef {import("../dist/index.js").Report} Report */
/** @typedef {import("../dist/index.js").SampleArray} SampleArray */

/** Each value of an array, changed. @param {(x: number, i: number) => number} change
 * @returns {(samples: any) => any} */
const each = (change) => (samples) => samples.map((/** @type {any} */ x, /** @type {number} */ i) => change(x, i));
/** @param {any} samples */
const asDrawn = (samples) => samples;

/** Integers, drawn by a recipe under the seed 7, so many, into such an array, and changed; the law that they are judged by; whether they
 * are consistent; the SHA-256 of {@link canonical} of what `samplez verify --json` says of them, which test/verify.test.mjs asks it for.
 * @type {{ name: string, from: string, type: "Int8Array" | "Int16Array" | "Int32Array" | "BigInt64Array", count: number, change: (samples: any) => any, law: any, consistent: boolean, sha256: string }[]} */
export const CASES = [
  { name: "few", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 100, change: asDrawn, law: { sigma: "3.2" }, consistent: true, sha256: "944b539b138bd084fe171b2debed6592d2c354ce3b2c83a6385faa8d967b38fc" },
  { name: "many", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 1_000_000, change: asDrawn, law: { sigma: "3.2" }, consistent: true, sha256: "c0f54f0f7974cfceb36770450afb7730a0ed886284f8c45652db1f2ef3228adc" },
  { name: "a centre", from: "sigma=3.2,center=1/3,variable_time=true,exact=false", type: "Int16Array", count: 200_001, change: asDrawn, law: { sigma: 3.2, center: "1/3" }, consistent: true, sha256: "e23abde56eccaa400dd960bdcba743345bbe7a868f5896350cf19c560759e468" },
  { name: "few values", from: "sigma=1/2,variable_time=true,exact=false", type: "Int8Array", count: 300_000, change: asDrawn, law: { sigmaSquared: "0.25" }, consistent: true, sha256: "fc8222f4debe32b1e2c85ab68136e73a748c62ddad8efdef9092668bcf67cdb9" },
  { name: "wide", from: "sigma=215,variable_time=true,exact=false", type: "Int16Array", count: 300_000, change: asDrawn, law: { recipe: "sigma=215,method=cdt,precision=72" }, consistent: true, sha256: "c3d33eda707030db0bc04ffa9346dd697fdaf9df71c70e02d469eaab9878b437" },
  { name: "wider", from: "sigma=1e6,variable_time=true,exact=false", type: "Int32Array", count: 200_000, change: asDrawn, law: { sigma: 1e6 }, consistent: true, sha256: "1884df8ac7c2f12df267938e2212feb6864d5ff66ad6b34fb8b6c22df08bf718" },
  { name: "widest", from: "sigma=1e12,center=1e15,variable_time=true,exact=false", type: "BigInt64Array", count: 100_000, change: asDrawn, law: { sigma: "1e12", center: 10n ** 15n }, consistent: true, sha256: "fe0b2637c293595068e657961ad68ca6cb915acd36485beba28594073c8e5f4e" },
  { name: "k", from: "k_sigma2=254,variable_time=true,exact=false", type: "Int16Array", count: 100_000, change: asDrawn, law: { kSigma2: 254 }, consistent: true, sha256: "3c655c60ca2b7b4ffb7b6b684a04299967201c85a7a8fdc1bb7620e28fcd893d" },
  { name: "a wrong sigma", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 100_000, change: asDrawn, law: { sigma: "3.3" }, consistent: false, sha256: "203f2043baa263e4281d6dee8379389bef06d77fc306db3206dbb29398145e07" },
  { name: "another centre", from: "sigma=215,variable_time=true,exact=false", type: "Int32Array", count: 100_000, change: asDrawn, law: { s: "539", center: 5 }, consistent: false, sha256: "a469825d66217d249ddbb4421f08f1831a3033b5acc5541d546f72e830022d1f" },
  { name: "a sign too often", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 100_000, change: each((x, i) => (i % 50 === 0 ? Math.abs(x) : x)), law: { sigma: "3.2" }, consistent: false, sha256: "cdf697b9197a85c6c32e499e97a9433a10ed3f44c06b006030976bd8f25faed4" },
  { name: "in order", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 100_000, change: (samples) => samples.sort(), law: { sigma: "3.2" }, consistent: false, sha256: "36e15ca6c4bdd27e3d1403eb69af41b8cfeaba15e809d0708122a3cee514c65c" },
  { name: "copied", from: "sigma=215,variable_time=true,exact=false", type: "Int16Array", count: 100_000, change: (samples) => samples.copyWithin(60_000, 20_000, 30_000), law: { sigma: 215 }, consistent: false, sha256: "b5bf04b2986798e6f795bf6ce7ec2ad9201120650d043ede9308d1ad38bcc257" },
];

/** @param {Pick<typeof import("../dist/index.js"), "DiscreteGaussian">} samplez @param {typeof CASES[number]} found */
export async function drawn({ DiscreteGaussian }, { from, type, count, change }) {
  const d = await DiscreteGaussian.create({ recipe: from, seed: 7 });
  const array = /** @type {any} */ (new { Int8Array, Int16Array, Int32Array, BigInt64Array }[type](count));
  return /** @type {SampleArray} */ (change(d.fill(array)));
}

/** A report as a text, its members in the order of their names.
 * @param {unknown} report @returns {string} */
export const canonical = (report) =>
  JSON.stringify(report, (_, value) =>
    value === null || typeof value !== "object" || Array.isArray(value) ? value : Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))),
  );

/** @param {string} text */
export async function sha256(text) {
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...sum].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Those that two workers judge too. */
const SHARED = ["wide", "copied"];

/** The number of cases, and those of which this copy says something else, on one thread or two.
 * @param {Pick<typeof import("../dist/index.js"), "DiscreteGaussian" | "verify">} samplez */
export async function checkVerdicts(samplez, cases = CASES) {
  const wrong = [];
  for (const found of cases) {
    for (const threads of SHARED.includes(found.name) ? [1, 2] : [1]) {
      const { m: _, shared: __, ...report } = await samplez.verify(await drawn(samplez, found), { ...found.law, threads });
      if (report.consistent !== found.consistent || (await sha256(canonical(report))) !== found.sha256) wrong.push(`${found.name}, ${threads}`);
    }
  }
  return { count: cases.length, wrong };
}
