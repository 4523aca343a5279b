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
  { name: "few", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 100, change: asDrawn, law: { sigma: "3.2" }, consistent: true, sha256: "adf3d750370e2104d04dab205a7425b8d3c6d04d4b426f70f607c133b001d89b" },
  { name: "many", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 1_000_000, change: asDrawn, law: { sigma: "3.2" }, consistent: true, sha256: "8119829b124753c6612a89f52e13ab37be1e1dec00b6c11ef70bb185351cc2fc" },
  { name: "a centre", from: "sigma=3.2,center=1/3,variable_time=true,exact=false", type: "Int16Array", count: 200_001, change: asDrawn, law: { sigma: 3.2, center: "1/3" }, consistent: true, sha256: "9b91c4d937a0d1fc966a3de38c7832a6ca341afe28b07fe306e810d55eaa039f" },
  { name: "few values", from: "sigma=1/2,variable_time=true,exact=false", type: "Int8Array", count: 300_000, change: asDrawn, law: { sigmaSquared: "0.25" }, consistent: true, sha256: "86218e2f1558882b1f1a4ac41cc00563213ce73ac2215ecd6d1322e514e81735" },
  { name: "wide", from: "sigma=215,variable_time=true,exact=false", type: "Int16Array", count: 300_000, change: asDrawn, law: { recipe: "sigma=215,method=cdt,precision=72" }, consistent: true, sha256: "07aad563e492bcdce891f24541cf62e24eae7a768911a5afe003ea9011acd4c2" },
  { name: "wider", from: "sigma=1e6,variable_time=true,exact=false", type: "Int32Array", count: 200_000, change: asDrawn, law: { sigma: 1e6 }, consistent: true, sha256: "f1f40d9557e6e161f116c615b5b8172103455e73637a26199cb83f40d7219b18" },
  { name: "widest", from: "sigma=1e12,center=1e15,variable_time=true,exact=false", type: "BigInt64Array", count: 100_000, change: asDrawn, law: { sigma: "1e12", center: 10n ** 15n }, consistent: true, sha256: "c27767050bfee428710b32173f0e00b6b3501362528debf12e6fd1791d7729df" },
  { name: "k", from: "k_sigma2=254,variable_time=true,exact=false", type: "Int16Array", count: 100_000, change: asDrawn, law: { kSigma2: 254 }, consistent: true, sha256: "6aa31ada70afe8c75bfa98d62eda4a4f6a0ce57bc6070c6aafc9e6e4ea96169e" },
  { name: "a wrong sigma", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 100_000, change: asDrawn, law: { sigma: "3.3" }, consistent: false, sha256: "d925c79967c630e7abe42bb5654fd3b3531df1dc8957b588810c5e2533baa08f" },
  { name: "another centre", from: "sigma=215,variable_time=true,exact=false", type: "Int32Array", count: 100_000, change: asDrawn, law: { s: "539", center: 5 }, consistent: false, sha256: "7a9233f9c81bd7b2793c0f8c5d15a52e6a6e4a5b8bff3597911b7b9943552559" },
  { name: "a sign too often", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 100_000, change: each((x, i) => (i % 50 === 0 ? Math.abs(x) : x)), law: { sigma: "3.2" }, consistent: false, sha256: "b7b45ef1042756ebd362fbbc9f41a77d4596d57d2ffac62153ab6ae1d03b5f09" },
  { name: "in order", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 100_000, change: (samples) => samples.sort(), law: { sigma: "3.2" }, consistent: false, sha256: "29658da2957988f1a0d300d240a2e3066c06c70ba36e093943a8bd584c1ea3b1" },
  { name: "copied", from: "sigma=215,variable_time=true,exact=false", type: "Int16Array", count: 100_000, change: (samples) => samples.copyWithin(60_000, 20_000, 30_000), law: { sigma: 215 }, consistent: false, sha256: "1209077ce34a86331cb070cb042dafd9e9aae330ccd0047906af3d5ff96a9960" },
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

/** The number of cases, and those of which this copy says something else.
 * @param {Pick<typeof import("../dist/index.js"), "DiscreteGaussian" | "verify">} samplez */
export async function checkVerdicts(samplez, cases = CASES) {
  const wrong = [];
  for (const found of cases) {
    const report = await samplez.verify(await drawn(samplez, found), found.law);
    if (report.consistent !== found.consistent || (await sha256(canonical(report))) !== found.sha256) wrong.push(found.name);
  }
  return { count: cases.length, wrong };
}
