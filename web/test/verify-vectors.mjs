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
  { name: "few", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 100, change: asDrawn, law: { sigma: "3.2" }, consistent: true, sha256: "63b144e68901b854f838f8b3ba45da3753b20e10ecb39d377083454c715d8068" },
  { name: "many", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 1_000_000, change: asDrawn, law: { sigma: "3.2" }, consistent: true, sha256: "7f4ab308420430880dc47ed8284e60a062b78e8de9d37425df9e00b50c704a12" },
  { name: "a centre", from: "sigma=3.2,center=1/3,variable_time=true,exact=false", type: "Int16Array", count: 200_001, change: asDrawn, law: { sigma: 3.2, center: "1/3" }, consistent: true, sha256: "361f5722cffe0215a28c9cdd85276275498b14e93a3a55ba3b512b08aa41702d" },
  { name: "few values", from: "sigma=1/2,variable_time=true,exact=false", type: "Int8Array", count: 300_000, change: asDrawn, law: { sigmaSquared: "0.25" }, consistent: true, sha256: "e73efd747f83dd8031cbc8d46fffb421323ab1563d1f9b3d044212eb21079b0f" },
  { name: "wide", from: "sigma=215,variable_time=true,exact=false", type: "Int16Array", count: 300_000, change: asDrawn, law: { recipe: "sigma=215,method=cdt,precision=72" }, consistent: true, sha256: "87df0a00b6c25f4f6a5f10de4fe3d08e698fe981e4649f0eb89c1839bd9e1fd0" },
  { name: "wider", from: "sigma=1e6,variable_time=true,exact=false", type: "Int32Array", count: 200_000, change: asDrawn, law: { sigma: 1e6 }, consistent: true, sha256: "824acb9e0300ed07380945780ef526f743e523372eb3c553f236016c04d59414" },
  { name: "widest", from: "sigma=1e12,center=1e15,variable_time=true,exact=false", type: "BigInt64Array", count: 100_000, change: asDrawn, law: { sigma: "1e12", center: 10n ** 15n }, consistent: true, sha256: "3671e103ec3ddf5f2ed8ed9ba86fc7aed71d466284e8cf3afe8b061f76177ac3" },
  { name: "k", from: "k_sigma2=254,variable_time=true,exact=false", type: "Int16Array", count: 100_000, change: asDrawn, law: { kSigma2: 254 }, consistent: true, sha256: "57cd1c4e33f447197acf51e50f1d9917085c222988a7c0616569bd1312c7e3da" },
  { name: "a wrong sigma", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 100_000, change: asDrawn, law: { sigma: "3.3" }, consistent: false, sha256: "d4f3127813d1a6e2672d32917f7ea6e581a72ee7731941badc35575ea64b3190" },
  { name: "another centre", from: "sigma=215,variable_time=true,exact=false", type: "Int32Array", count: 100_000, change: asDrawn, law: { s: "539", center: 5 }, consistent: false, sha256: "60e9ca24853faeea1ad720089839d6232d055ed7dbeb29cdb19851e1cda8ef4b" },
  { name: "a sign too often", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 100_000, change: each((x, i) => (i % 50 === 0 ? Math.abs(x) : x)), law: { sigma: "3.2" }, consistent: false, sha256: "6558175b93e1e41e5e2e2b2cfbfe6c4bde3b6d23984177a6021026c2a0e82205" },
  { name: "in order", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 100_000, change: (samples) => samples.sort(), law: { sigma: "3.2" }, consistent: false, sha256: "5a08670f5d6b5bc4c18294c9d7ed7fe9efe81c1a7b1c06ff7fdb40bbe19f0f0a" },
  { name: "copied", from: "sigma=215,variable_time=true,exact=false", type: "Int16Array", count: 100_000, change: (samples) => samples.copyWithin(60_000, 20_000, 30_000), law: { sigma: 215 }, consistent: false, sha256: "ab962e868c15ea1af9b8b071a4c51df39b4e3ebd509c094a1245150bf585a66f" },
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
