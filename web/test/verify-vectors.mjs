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
  { name: "few", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 100, change: asDrawn, law: { sigma: "3.2" }, consistent: true, sha256: "0cd9ccd838692a9958738fe68e428de30d80d9abcb256f4ec48b7f88104385fd" },
  { name: "many", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 1_000_000, change: asDrawn, law: { sigma: "3.2" }, consistent: true, sha256: "4e32005cdf1e2bdabe6f973b7b69c9a0dd775a34d33c3976588ae6b250f8f494" },
  { name: "a centre", from: "sigma=3.2,center=1/3,variable_time=true,exact=false", type: "Int16Array", count: 200_001, change: asDrawn, law: { sigma: 3.2, center: "1/3" }, consistent: true, sha256: "00d248288b93ce6ae9133c6afc00d7adde80a2ec5c672e31db47dda7a41dff11" },
  { name: "few values", from: "sigma=1/2,variable_time=true,exact=false", type: "Int8Array", count: 300_000, change: asDrawn, law: { sigmaSquared: "0.25" }, consistent: true, sha256: "00cb468702f75a819f1e67d89f88dd50b2e4d48045dc253f51d341181c18076b" },
  { name: "wide", from: "sigma=215,variable_time=true,exact=false", type: "Int16Array", count: 300_000, change: asDrawn, law: { recipe: "sigma=215,method=cdt,precision=72" }, consistent: true, sha256: "abc9cc87054b79d7abf0c395db53a2cfdaea71f3b664967c6376730b7106be65" },
  { name: "wider", from: "sigma=1e6,variable_time=true,exact=false", type: "Int32Array", count: 200_000, change: asDrawn, law: { sigma: 1e6 }, consistent: true, sha256: "c3581dbf411c482b9f2d7f7aa6ecb086f84ab6bdf4c2a652ce6bee7304842cf0" },
  { name: "widest", from: "sigma=1e12,center=1e15,variable_time=true,exact=false", type: "BigInt64Array", count: 100_000, change: asDrawn, law: { sigma: "1e12", center: 10n ** 15n }, consistent: true, sha256: "66c88525616e4da5af0532e10c2b1f831a77628685ca5e63cbee58451828648f" },
  { name: "k", from: "k_sigma2=254,variable_time=true,exact=false", type: "Int16Array", count: 100_000, change: asDrawn, law: { kSigma2: 254 }, consistent: true, sha256: "b3f128acb932bc286972e9874d36f3198b3831205d6136f0e987064b260308e9" },
  { name: "a wrong sigma", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 100_000, change: asDrawn, law: { sigma: "3.3" }, consistent: false, sha256: "22f3bbd9c5883a0190e6e58e2a4e8a557f0d0391b112b8a4cebcf7a4940b65d9" },
  { name: "another centre", from: "sigma=215,variable_time=true,exact=false", type: "Int32Array", count: 100_000, change: asDrawn, law: { s: "539", center: 5 }, consistent: false, sha256: "809884718d13f6ea57816ef99a12e0b8ac5698950dfe3be0615e18c4fb0060b9" },
  { name: "a sign too often", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 100_000, change: each((x, i) => (i % 50 === 0 ? Math.abs(x) : x)), law: { sigma: "3.2" }, consistent: false, sha256: "81f9d0f0ad437f7478827e67284bddf440233fc8cc273e07c0726ae28ee1390f" },
  { name: "in order", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 100_000, change: (samples) => samples.sort(), law: { sigma: "3.2" }, consistent: false, sha256: "455636345d61101c881d61bca0923b4ef76c37fbdf5096a0166845979c50dcd7" },
  { name: "copied", from: "sigma=215,variable_time=true,exact=false", type: "Int16Array", count: 100_000, change: (samples) => samples.copyWithin(60_000, 20_000, 30_000), law: { sigma: 215 }, consistent: false, sha256: "41877a0235fcb4432ad2cc732bbfaf66fd7537956fedd1400eadc1c132e4b798" },
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
      const report = await samplez.verify(await drawn(samplez, found), { ...found.law, threads });
      if (report.consistent !== found.consistent || (await sha256(canonical(report))) !== found.sha256) wrong.push(`${found.name}, ${threads}`);
    }
  }
  return { count: cases.length, wrong };
}
