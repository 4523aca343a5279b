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
  { name: "few", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 100, change: asDrawn, law: { sigma: "3.2" }, consistent: true, sha256: "ae5570ac991ea318d2475cbbdf295b794619f1f6982a2cce5c37af5e2df2298c" },
  { name: "many", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 1_000_000, change: asDrawn, law: { sigma: "3.2" }, consistent: true, sha256: "4c8b92d17c4f87ddc607cb0b99d7d22455abab29e7834b842cb71261c600cfa4" },
  { name: "a centre", from: "sigma=3.2,center=1/3,variable_time=true,exact=false", type: "Int16Array", count: 200_001, change: asDrawn, law: { sigma: 3.2, center: "1/3" }, consistent: true, sha256: "31d74533558758948f3469e3325564eca6f7c4cf5483dc849f0eebf83306f906" },
  { name: "few values", from: "sigma=1/2,variable_time=true,exact=false", type: "Int8Array", count: 300_000, change: asDrawn, law: { sigmaSquared: "0.25" }, consistent: true, sha256: "b91d92b96e7c67a71b08b6e4e79fcf92a6eeb334bb832c28df80521bc1ad0458" },
  { name: "wide", from: "sigma=215,variable_time=true,exact=false", type: "Int16Array", count: 300_000, change: asDrawn, law: { recipe: "sigma=215,method=cdt,precision=72" }, consistent: true, sha256: "f3c25da8ca076a13de8a3d75b824b615f2df1a251eea706030f034d7e81be42d" },
  { name: "wider", from: "sigma=1e6,variable_time=true,exact=false", type: "Int32Array", count: 200_000, change: asDrawn, law: { sigma: 1e6 }, consistent: true, sha256: "e5d24a05cf17dc96e02cedbef06f5624403e8ae548b8ebccf99acd73defb5091" },
  { name: "widest", from: "sigma=1e12,center=1e15,variable_time=true,exact=false", type: "BigInt64Array", count: 100_000, change: asDrawn, law: { sigma: "1e12", center: 10n ** 15n }, consistent: true, sha256: "494e8326bd72a556ff61fa9d40d644acf16e3590b1ba6cd8e423689e4b60d17e" },
  { name: "k", from: "k_sigma2=254,variable_time=true,exact=false", type: "Int16Array", count: 100_000, change: asDrawn, law: { kSigma2: 254 }, consistent: true, sha256: "ae19e2f2e415b6dd6a118806d979694a4bb6de01721b0b057d116696504e5159" },
  { name: "a wrong sigma", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 100_000, change: asDrawn, law: { sigma: "3.3" }, consistent: false, sha256: "9394187c5cd68c394cbeb8bd91052c44ed72cac62e01c655d17a72c9549c91b3" },
  { name: "another centre", from: "sigma=215,variable_time=true,exact=false", type: "Int32Array", count: 100_000, change: asDrawn, law: { s: "539", center: 5 }, consistent: false, sha256: "d4be7c57569f6828ff0cf164c8efea924a95c9b2de6c624105c400b90137496f" },
  { name: "a sign too often", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 100_000, change: each((x, i) => (i % 50 === 0 ? Math.abs(x) : x)), law: { sigma: "3.2" }, consistent: false, sha256: "905f8dfe16afb486494af280529e64101c50b763105c5dbdcf9b8d1a1c5deabb" },
  { name: "in order", from: "sigma=3.2,variable_time=true,exact=false", type: "Int8Array", count: 100_000, change: (samples) => samples.sort(), law: { sigma: "3.2" }, consistent: false, sha256: "4c61b058ecf8349d9bfa8cba792cdd74e0fb2c63df668b89fd940fb9bcdcc88b" },
  { name: "copied", from: "sigma=215,variable_time=true,exact=false", type: "Int16Array", count: 100_000, change: (samples) => samples.copyWithin(60_000, 20_000, 30_000), law: { sigma: 215 }, consistent: false, sha256: "00a1a5bf918eaeee385b2a658c5bad64741a89f07de5a6423e01b425de9f73af" },
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
