// Parameters of any size, in Node: the command's integers.
// @ts-check

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as samplez from "../dist/index.js";
import { CASES, checkBig, lines } from "./big-vectors.mjs";
import { sha256 } from "./verify-vectors.mjs";

const { BigGaussian, DiscreteGaussian, SamplezError } = samplez;
const SAMPLEZ = process.env["SAMPLEZ"] ?? fileURLToPath(new URL("../../target/debug/samplez", import.meta.url));
const any = (/** @type {unknown} */ value) => /** @type {any} */ (value);

/** What the command prints. @param {typeof CASES[number]} of */
function printed({ law, source, count }) {
  const numbers = Object.entries(law).map(([name, value]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}=${value}`);
  const { stdout, stderr, status } = spawnSync(SAMPLEZ, ["sample", "--quiet", "--seed=42", `--count=${count}`, `--source=${source}`, ...numbers], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout;
}

for (const found of CASES) {
  test(`node: the command's integers, ${found.name}`, async () => {
    const big = await BigGaussian.create({ ...found.law, source: found.source, seed: 42 });
    const expected = printed(found);
    assert.equal(lines(big.draw(found.count)), expected);
    assert.equal(await sha256(expected), found.sha256, "the vector is not the command's");
    const [low, high] = [-(2n ** BigInt(big.bits - 1)), 2n ** BigInt(big.bits - 1) - 1n];
    assert.ok(big.draw(600).every((x) => low <= x && x <= high));
  });
}

test("node: another integer is found", async () => {
  const cases = CASES.filter(({ count }) => count < 600);
  assert.deepEqual(await checkBig(samplez, cases), { count: cases.length, wrong: [] });
  const seeded = { create: (/** @type {any} */ options) => BigGaussian.create({ ...options, seed: 43 }) };
  assert.deepEqual((await checkBig(any({ BigGaussian: seeded }), cases)).wrong, cases.map(({ name }) => name));
});

test("node: the integers of Python and Rust", async () => {
  const known = [869671953276268330011933000405n, -1003443663084362189124496412693n, 422147655810930451909872388637n];
  for (const law of [{ sigma: "1e30", center: "1/3" }, { sigma: 10n ** 30n, center: "1/3" }, { sigma: 1e30, center: "2/6" }, { sigmaSquared: 10n ** 60n, center: "1/3" }, { recipe: "sigma=1e30,center=1/3" }]) {
    const big = await BigGaussian.create({ ...law, seed: 42n });
    assert.deepEqual(big.draw(3), known);
  }
});

test("node: numbers are exact: a double is its shortest decimal", async () => {
  const recipe = async (/** @type {any} */ options) => (await BigGaussian.create(options)).recipe;
  assert.equal(await recipe({ sigma: 3.2, center: 1e21 }), "sigma=16/5,center=1000000000000000000000");
  assert.equal(await recipe({ sigma: 0.1 + 0.2, center: -0 }), "sigma=7500000000000001/25000000000000000");
  assert.equal(await recipe({ s: 2n ** 100n, center: 2 ** -60 }), `s=${2n ** 100n},center=1734723475976807/2000000000000000000000000000000000`);
  for (const extreme of [Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, 2 ** -1022]) {
    const big = await BigGaussian.create({ sigma: 5, center: extreme, seed: 1 });
    // σ = 5: all but 2^-140 of the mass lies within 70 of the centre.
    const nearest = Math.abs(extreme) < 1 ? 0n : BigInt(String(extreme).replace(/^(-?\d)\.(\d+)e\+(\d+)$/, (_, a, b, e) => a + b + "0".repeat(e - b.length)));
    assert.ok(big.draw(200).every((x) => x - nearest < 70n && nearest - x < 70n));
  }
});

test("node: a stream goes on, and chunks of whole batches are one draw", async () => {
  const law = { sigma: "1e25", seed: 7 };
  const one = (await BigGaussian.create(law)).draw(10_000);
  const chunked = [];
  for await (const chunk of (await BigGaussian.create(law)).chunks({ count: 10_000 })) {
    assert.ok(chunk.length <= 4096);
    chunked.push(...chunk);
  }
  assert.deepEqual(chunked, one);
  const big = await BigGaussian.create(law);
  assert.deepEqual([...big.draw(512), ...big.draw(1024), ...big.draw(0)], one.slice(0, 1536));
  const single = [big.sample(), big.sample()];
  assert.ok(typeof single[0] === "bigint" && single[0] !== single[1]);
  assert.ok(!one.includes(/** @type {bigint} */ (single[1])));
  const fresh = await Promise.all([0, 1].map(async () => (await BigGaussian.create({ sigma: "1e25" })).sample()));
  assert.notEqual(fresh[0], fresh[1]);
});

test("node: chunks end by a signal, and others work in between", async () => {
  const big = await BigGaussian.create({ sigma: "1e40" });
  const controller = new AbortController();
  let seen = 0;
  const timer = setInterval(() => seen >= 100 && controller.abort(new Error("enough")));
  await assert.rejects(async () => {
    for await (const chunk of big.chunks({ signal: controller.signal, length: 100 })) seen += chunk.length;
  }, { message: "enough" });
  clearInterval(timer);
});

test("node: what it is, as text and as JSON; and after dispose", async () => {
  const big = await BigGaussian.create({ sigma: "1e20", center: "0.5", seed: "0123456789abcdef".repeat(4), source: "salsa20" });
  assert.deepEqual([big.recipe, big.bits, big.timing, big.source], ["sigma=100000000000000000000,center=1/2", 128, "unpromised", "salsa20"]);
  assert.equal(String(big), "BigGaussian(sigma=100000000000000000000,center=1/2)");
  assert.equal(JSON.stringify(big), '{"recipe":"sigma=100000000000000000000,center=1/2","source":"salsa20"}');
  const again = await BigGaussian.create({ ...big.toJSON(), seed: "0123456789abcdef".repeat(4) });
  assert.deepEqual(again.draw(3), big.draw(3));
  assert.equal((await BigGaussian.create({ sigma: "1e-3", center: "1e-30" })).timing, "variable");
  big[/** @type {typeof Symbol.dispose} */ (Symbol.dispose ?? Symbol.for("Symbol.dispose"))]();
  big.dispose();
  const gone = { name: "Error", kind: "disposed", message: "this BigGaussian has been disposed of" };
  for (const call of [() => big.sample(), () => big.draw(1), () => big.chunks()]) assert.throws(call, gone);
  assert.throws(() => new (any(BigGaussian))(), { name: "TypeError", message: /use await BigGaussian.create/ });
});

test("node: a seed is read at the call", async () => {
  const seed = Buffer.from(Uint8Array.from({ length: 32 }, (_, i) => i));
  const want = (await BigGaussian.create({ sigma: "1e30", seed })).draw(2);
  const made = BigGaussian.create({ sigma: "1e30", seed });
  seed.fill(9);
  assert.deepEqual((await made).draw(2), want);
});

test("node: errors name BigGaussian for numbers that it takes", async () => {
  const message = async (/** @type {any} */ law) => (await DiscreteGaussian.create(law).catch((error) => error)).message;
  for (const law of [{ sigma: "1e-30" }, { s: "1e-25" }, { kSigma2: `1/${10n ** 30n}` }, { sigmaSquared: "1e-30" }]) assert.ok((await message(law)).endsWith(": expected at least 2^-60, or a fraction of 64 bits"), await message(law));
  assert.ok((await message({ sigma: "1e18", exact: true })).endsWith("; BigGaussian takes numbers of up to 4096 bits"));
  assert.ok((await message({ sigma: "1e18", method: "karney" })).includes("method karney allows"));
  for (const law of [{ sigma: "1e30" }, { sigma: 3.3, center: "1e-30" }, { s: `${10n ** 30n}/3` }, { sigma: "1e18" }, { kSigma2: "4e18" }, { sigma: 3.2, center: `-${2n ** 63n - 1n}` }]) assert.ok((await message(law)).endsWith("; BigGaussian takes numbers of up to 4096 bits"), await message(law));
});

test("node: a module that is given, and none of another kind", async () => {
  const bytes = readFileSync(new URL("../dist/samplez-big.wasm", import.meta.url));
  const law = { sigma: "1e30", seed: 42 };
  const want = (await BigGaussian.create(law)).draw(2);
  for (const module of [bytes, WebAssembly.compile(bytes), new Response(bytes)]) assert.deepEqual((await BigGaussian.create({ ...law, module })).draw(2), want);
  await assert.rejects(DiscreteGaussian.create({ sigma: 3, module: bytes }), { message: "module = samplez-big.wasm: expected samplez-simd.wasm or samplez.wasm, of this package" });
  const other = readFileSync(new URL("../dist/samplez-verify.wasm", import.meta.url));
  await assert.rejects(BigGaussian.create({ ...law, module: other }), { message: "module = samplez-verify.wasm: expected samplez-big.wasm, of this package" });
  const [inline, required] = [await import("../dist/inline.js"), any(await import("node:module")).createRequire(import.meta.url)("../dist/inline.cjs")];
  for (const copy of [inline, required]) assert.deepEqual((await copy.BigGaussian.create(law)).draw(2), want);
});

test("node: an error has its argument, its value and its kind", async () => {
  const failed = async (/** @type {any} */ options) => BigGaussian.create(options).catch((/** @type {unknown} */ error) => (assert.ok(error instanceof SamplezError), error));
  const { argument, value, kind } = any(await failed({ sigmaSquared: -1 }));
  assert.deepEqual([argument, value, kind], ["sigmaSquared", "-1", "out-of-range"]);
  assert.equal(any(await failed({ sigma: 3, seed: "00ff" })).value, undefined);
});

test("node: failing entropy is an error of the call", async () => {
  const big = await BigGaussian.create({ sigma: "1e30", source: "os" });
  const { getRandomValues } = crypto;
  crypto.getRandomValues = () => {
    throw new Error("none today");
  };
  try {
    assert.throws(() => big.draw(1000), { kind: "entropy", message: "crypto.getRandomValues gave no random bytes: none today" });
    await assert.rejects(BigGaussian.create({ sigma: 3 }), { kind: "entropy" });
  } finally {
    crypto.getRandomValues = getRandomValues;
  }
});
