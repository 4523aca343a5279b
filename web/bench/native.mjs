// WebAssembly in Node beside the native library's portable code, in turns, on one thread: ChaCha20, 128 bits, one array
// filled again and again; each figure is that of the best round of 65536 samples. Builds the native library with kernels and
// keystream as portable code alone.
// Arguments: milliseconds of a turn (25), bits of an integer (16), turns (5), methods (all).
// @ts-check

import { execFileSync, spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { DiscreteGaussian, methods } from "../dist/index.js";

const [milliseconds = "25", bits = "16", turns = "5", ...chosen] = process.argv.slice(2);
/** The paper's σ, and of those methods that take no other form the nearest k·√(1/(2 ln 2)). */
const WIDTHS = [
  { sigma: "3.3311", kSigma2: "4" },
  { sigma: "55.5649", kSigma2: "65" },
  { sigma: "107", kSigma2: "126" },
];
/** As in wasm/examples/native.rs. */
const ROUND = 8 * 8192;
/** Of the portable native speed, in WebAssembly with SIMD. */
const GOAL = 0.5;
/** Milliseconds after which the engine has compiled a loop as well as it can. */
const WARM = 250;

const ARRAYS = { 8: Int8Array, 16: Int16Array, 32: Int32Array, 64: BigInt64Array };
const root = fileURLToPath(new URL("../..", import.meta.url));
const target = resolve(root, process.env["CARGO_TARGET_DIR"] ?? "target");

/** @typedef {{ sigma: string } | { kSigma2: string }} Width */
/** Samples per millisecond in a turn. @typedef {() => number | Promise<number>} Contestant */

/** The native library, built with these flags.
 * @param {string} name @param {string[]} flags */
function native(name, flags) {
  const folder = join(target, `native-${name}`);
  const args = ["build", "--quiet", "--release", "--package", "samplez-web", "--example", "native"];
  const encoded = flags.flatMap((flag) => ["--cfg", flag]).join("\x1f");
  const env = { ...process.env, CARGO_TARGET_DIR: folder, CARGO_ENCODED_RUSTFLAGS: encoded };
  execFileSync(process.env["CARGO"] ?? "cargo", args, { cwd: root, env, stdio: "inherit" });
  const child = spawn(join(folder, "release/examples/native"), { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const rate = async (/** @type {string} */ method, /** @type {Width} */ width) => {
    const [form, value] = "sigma" in width ? ["sigma", width.sigma] : ["k_sigma2", width.kSigma2];
    child.stdin.write(`${method} ${form} ${value} ${bits} ${milliseconds}\n`);
    const { value: answer, done } = await lines.next();
    if (done || Number.isNaN(Number(answer))) throw new Error(`the native program says: ${answer}`);
    return Number(answer);
  };
  return { rate, stop: () => child.stdin.end() };
}

/** The package, after a time to warm up.
 * @param {string} method @param {Width} width @param {boolean} simd @returns {Promise<Contestant>} */
async function wasm(method, width, simd) {
  const d = await DiscreteGaussian.create({ ...width, method, simd, seed: 1 });
  const array = new ARRAYS[/** @type {keyof typeof ARRAYS} */ (Number(bits))](ROUND);
  const turn = (/** @type {number} */ milliseconds) => {
    let best = 0;
    const start = performance.now();
    for (let now = start; best === 0 || now - start < milliseconds; ) {
      d.fillAt(0, array);
      const end = performance.now();
      best = Math.max(best, ROUND / (end - now));
      now = end;
    }
    return best;
  };
  turn(WARM);
  return () => turn(Number(milliseconds));
}

const portable = native("portable", ['samplez_backend="scalar"']);

/** @param {string} method @param {Width} width */
async function contestants(method, width) {
  const rate = () => portable.rate(method, width);
  return [rate, await wasm(method, width, false), await wasm(method, width, true)];
}

console.log(`Node ${process.version}, samples per ms to ${bits} bits; in brackets, times the native portable code.\n`);
console.log("| method | width | native, portable | wasm | wasm with SIMD |");
console.log("|---|---|---|---|---|");
let missed = 0;
for (const { name: method } of await methods()) {
  if (chosen.length > 0 && !chosen.includes(method)) continue;
  for (const { sigma, kSigma2 } of WIDTHS) {
    const all = await contestants(method, { sigma })
      .catch(() => contestants(method, { kSigma2 }))
      .catch(() => undefined); // a method that takes neither
    if (all === undefined) continue;
    const best = all.map(() => 0);
    for (let turn = 0; turn < Number(turns); turn++) {
      for (const [i, rate] of all.entries()) best[i] = Math.max(best[i] ?? 0, await rate());
    }
    const [baseline = NaN, ...others] = best;
    const figure = (/** @type {number} */ rate) => Math.round(rate).toLocaleString("en");
    const cells = others.map((rate) => `${figure(rate)} (${(rate / baseline).toFixed(2)})`);
    console.log(`| ${method} | ${sigma} | ${[figure(baseline), ...cells].join(" | ")} |`);
    if (!((best.at(-1) ?? 0) >= GOAL * baseline)) missed++;
  }
}
portable.stop();
console.log(`\nWith SIMD, ${missed === 0 ? "all have" : `all but ${missed} have`} at least ${GOAL} times the portable native speed.`);
process.exitCode = missed > 0 ? 1 : 0;
