// The package in Node.
// @ts-check

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { knuthYaoFigure, zigguratFigure } from "../dist/figures.js";
import * as samplez from "../dist/index.js";
import { check, parse } from "./vectors.mjs";

const { DiscreteGaussian, fillParallel } = samplez;
const csv = readFileSync(new URL("../../kat/streams.csv", import.meta.url), "utf8");
const recipes = readFileSync(new URL("../../kat/recipes.csv", import.meta.url), "utf8");
const seed = Uint8Array.from({ length: 32 }, (_, i) => 7 * i);
/** The certificate's fields, in every language. */
const FIELDS = `method law center width precision exact log2_sd log2_renyi log2_tail support table_bytes expected_bits
  expected_trials timing samples_per_time bits_kept samples_log2 samples_log2_advantage options`.split(/\s+/);

/** @param {import("../dist/index.js").Options} options */
const create = (options) => DiscreteGaussian.create(options);

for (const simd of [false, true]) {
  test(`node: the native library's samples, ${simd ? "with" : "without"} SIMD`, async () => {
    const { count, failures } = await check(samplez, csv, simd);
    assert.ok(count >= 70);
    assert.deepEqual(failures, []);
  });
}

test("node: a wrong vector is found", async () => {
  const line = csv.split("\n")[1] ?? "";
  const wrong = `header\n${line.replace(/.$/, (digit) => String((Number(digit) + 1) % 10))}\n`;
  assert.equal((await check(samplez, wrong, false)).failures.length, 1);
  const wrongHash = `header\n${line.replace(/,0 2 -1/, ",0 2 -1").replace(/[0-9a-f]{64}(?=,0)/, "01".repeat(31) + "02")}\n`;
  assert.equal((await check(samplez, wrongHash, false)).failures.length, 1);
});

test("node: the vectors have every method, and every method has a vector", async () => {
  const names = new Set(parse(csv).map(({ options }) => ("method" in options ? options.method : undefined)));
  for (const { name, summary } of await samplez.methods()) {
    assert.ok(names.has(name), name);
    assert.ok(summary.length > 10, name);
  }
});

test("node: fill goes on where it stopped, by any steps", async () => {
  const all = (await create({ sigma: "3.2", seed })).fillAt(0, new Int16Array(50_000));
  const d = await create({ sigma: "3.2", seed });
  /** @type {number[]} */
  const got = [];
  for (const step of [0, 1, 8191, 8192, 3, 20_000, 1, 100]) got.push(...d.fill(new Int32Array(step)));
  for (let i = 0; i < 100; i++) got.push(d.sample());
  for (let i = 0; i < 100; i++) got.push(Number(d.sampleBigInt()));
  got.push(...Array.from(d.fill(new BigInt64Array(8000)), Number));
  assert.equal(d.position, BigInt(got.length));
  assert.deepEqual(got, Array.from(all.subarray(0, got.length)));
  const part = d.fillAt(8190, new Int8Array(5));
  assert.deepEqual([...part], [...all.subarray(8190, 8195)]);
});

test("node: fresh seeds differ, given ones do not", async () => {
  const draw = async (/** @type {any} */ more) => (await create({ sigma: 3.2, ...more })).fill(new Int8Array(64)).join();
  assert.notEqual(await draw({}), await draw({}));
  assert.equal(await draw({ seed }), await draw({ seed: Buffer.from(seed).toString("hex") }));
  assert.notEqual(await draw({ source: "os" }), await draw({ source: "os" }));
});

test("node: recipes and short seeds are those of every language", async () => {
  let count = 0;
  for (const line of recipes.trim().split("\n").slice(1)) {
    const [recipe = "", source, short = "", head = ""] = /** @type {[string, import("../dist/index.js").SourceName]} */ (line.split(","));
    const samples = head.split(" ").map(Number);
    const seeds = short.length === 64 ? [short] : [short, BigInt(short), ...(Number.isSafeInteger(Number(short)) ? [Number(short)] : [])];
    for (const seed of seeds) {
      const d = await create({ recipe, source, seed });
      assert.deepEqual(Array.from(d.fill(new Int32Array(samples.length))), samples, line);
      const again = await create({ recipe: d.recipe, source, seed });
      assert.deepEqual(Array.from(again.fill(new Int32Array(samples.length))), samples, d.recipe);
      count++;
    }
  }
  assert.ok(count >= 6);
});

test("node: sources are those that work here", async () => {
  const names = (await samplez.sources()).map(({ name }) => name);
  assert.ok(names.includes("os") && !names.some((name) => name.startsWith("dev-")), names.join());
  for (const source of names) assert.equal((await create({ sigma: 3.2, source })).fill(new Int8Array(9)).length, 9);
});

test("node: without random bytes there is an error that says so", async (t) => {
  const d = await create({ sigma: 3.2, source: "os" });
  const fails = t.mock.method(crypto, "getRandomValues", () => {
    throw new Error("out of order");
  });
  const message = /^Error: crypto.getRandomValues gave no random bytes: out of order$/;
  await assert.rejects(create({ sigma: 3.2 }), message);
  assert.throws(() => d.fill(new Int8Array(9)), message);
  fails.mock.restore();
  assert.equal(d.fill(new Int8Array(9)).length, 9);
  d.dispose();
});

test("node: the law and its certificate", async () => {
  const d = await create({ sigma: "16/5", method: "cdt", precision: 72 });
  assert.deepEqual(d.plan, { method: "cdt", reason: null });
  const c = d.certificate();
  assert.deepEqual([c.law, c.exact, c.precision, c.timing], ["D_Z(sigma = 16/5, center = 0)", false, 72, "variable"]);
  assert.ok(c.log2_sd !== null && c.log2_sd < -65 && c.log2_sd > -80);
  assert.deepEqual([c.support.min, c.support.max], d.typical);
  assert.deepEqual(Object.keys(c), FIELDS);
  assert.equal(d.recipe, "sigma=16/5,method=cdt,precision=72");
  // WebAssembly promises no timing.
  const constant = await create({ sigma: "16/5" });
  assert.equal(constant.certificate().timing, "unpromised");
  constant.dispose();
  let sum = 0;
  for (let x = -60; x <= 60; x++) sum += d.pmf(x);
  assert.ok(Math.abs(sum - 1) < 1e-14);
  assert.ok(Math.abs(d.mass(-3, 3n) - [-3, -2, -1, 0, 1, 2, 3].reduce((s, x) => s + d.pmf(x), 0)) < 1e-12);
  // The doubles nearest to mpmath's values, as in kat/gen_rounded.py.
  assert.deepEqual([d.pmf(0), d.cdf(-4), d.cdf(30), d.mass(5, 4)], [0.12466946262544772, 0.13605105553235816, 1, 0]);
  const auto = await create({ sigma: 3.2, exact: true });
  assert.equal(auto.plan.method, "knuth-yao-ct");
  assert.match(auto.plan.reason ?? "", /exact, constant-time or isochronous in native code: /);
  assert.deepEqual([auto.certificate().exact, auto.certificate().log2_sd, auto.certificate().precision], [true, null, 128]);
});

test("node: wide samples come as BigInts", async () => {
  const d = await create({ sigma: "1e12", center: 7, method: "convolution", seed });
  assert.ok(Number.isSafeInteger(d.sample()));
  const wide = await create({ sigma: "1e15", method: "convolution", seed });
  assert.throws(() => wide.sample(), /do not fit a number: use sampleBigInt/);
  assert.equal(typeof wide.sampleBigInt(), "bigint");
  assert.throws(() => wide.fill(new Int32Array(9)), /^Error: array = Int32Array: the samples range from .*; use BigInt64Array$/);
});

test("node: the widest samples are drawn, shared among workers and wiped", async (t) => {
  // Karney's widest, Micciancio and Walter's widest, and a centre far out.
  for (const options of [{ sigma: "1e9" }, { sigma: "1e12" }, { sigma: 2 ** 46, method: "karney" }, { sigma: "2e16", center: "5" }, { sigma: "1/2", center: "1e17", exact: true }]) {
    const all = /** @type {import("../dist/index.js").Options} */ ({ ...options, variableTime: true, seed });
    const d = await create(all);
    /** @type {Set<any>} */
    const blocks = new Set();
    const { set } = BigInt64Array.prototype;
    const watched = t.mock.method(Object.getPrototypeOf(BigInt64Array.prototype), "set", function (/** @type {any} */ ...args) {
      // @ts-ignore
      blocks.add(this);
      // @ts-ignore
      return set.apply(this, args);
    });
    const first = d.sampleBigInt();
    watched.mock.restore();
    const [block] = [...blocks].filter((array) => array.length === 8192);
    assert.ok(block.some((/** @type {bigint} */ x) => x !== 0n) && block[0] === first, d.recipe);
    const array = d.fillAt(0, new BigInt64Array(300_000));
    assert.equal(array[0], first);
    assert.deepEqual(await fillParallel(new BigInt64Array(300_000), all, { workers: 2 }), array);
    d.dispose();
    assert.ok(block.every((/** @type {bigint} */ x) => x === 0n));
    assert.throws(() => d.sampleBigInt(), /has been disposed of/);
  }
});

test("node: an array tells its recipe and never its seed; a block's end disposes of it", async () => {
  const d = await create({ sigma: 3.2, seed });
  assert.equal(`${d}`, "DiscreteGaussian(sigma=16/5,method=knuth-yao-ct,precision=128,exact=true)");
  assert.doesNotMatch(inspect(d, { depth: 9, showHidden: true }) + JSON.stringify(d), /7, 7|0707/);
  /** @type {any} */ (d)[Symbol.dispose ?? Symbol.for("Symbol.dispose")]();
  assert.throws(() => d.sample(), /^Error: this DiscreteGaussian has been disposed of$/);
});

test("node: the types of names are what there is", async () => {
  const types = readFileSync(new URL("../src/name-types.ts", import.meta.url), "utf8");
  const unions = types.split("export type").slice(1).map((type) => [...type.matchAll(/"(.*?)"/g)].map((match) => match[1]));
  const [methods, sources] = [await samplez.methods(), await samplez.sources()].map((list) => list.map(({ name }) => name));
  const stream = await samplez.Stream.create();
  const message = `method = dice: expected one of ${unions[1]?.join(", ")}`;
  assert.throws(() => stream.round([1], 3, /** @type {any} */ ({ method: "dice" })), { kind: "unknown", message });
  assert.deepEqual([unions[0], unions[2]], [methods, sources]);
});

test("node: the options that an error lists are those that the module reads, and two more", async () => {
  const module = await WebAssembly.compile(readFileSync(new URL("../dist/samplez.wasm", import.meta.url)));
  const wasm = /** @type {any} */ ((await WebAssembly.instantiate(module, { samplez: { entropy: () => 1, progress: () => {} } })).exports);
  const any = (/** @type {unknown} */ value) => /** @type {any} */ (value);
  const { DiscreteGaussian, OtherNoise, Stream, TableNoise } = samplez;
  for (const [create, open, options] of any([
    [DiscreteGaussian.create, wasm.open, {}],
    [OtherNoise.create, wasm.open_law, {}],
    [TableNoise.create, wasm.open_table, { entries: [1] }],
    [Stream.create, wasm.open_stream, {}],
  ])) {
    const request = new TextEncoder().encode("x\t1\n");
    const at = wasm.input(request.length);
    new Uint8Array(wasm.memory.buffer).set(request, at);
    assert.notEqual(open(request.length), 0);
    const [kind, message] = new TextDecoder().decode(new Uint8Array(wasm.memory.buffer, wasm.answer_ptr(), wasm.answer_len())).split("\t");
    await assert.rejects(create({ x: 1, ...options }), { kind, message: `${message}, module, simd` });
  }
});

test("node: no error shows samples or a seed", async () => {
  const d = await create({ sigma: 215, seed });
  const samples = d.fill(new Int16Array(5));
  const text = "07".repeat(31) + "08";
  const any = (/** @type {unknown} */ value) => /** @type {any} */ (value);
  /** @type {[() => unknown, RegExp][]} */
  const wrong = [
    [() => d.fillAt(any(samples), samples), /^TypeError: first = Int16Array: expected a number or a BigInt$/],
    [() => d.pmf(any(samples)), /^TypeError: x = Int16Array: expected/],
    [() => d.cdf(any([...samples])), /^TypeError: x = Array: expected/],
    [() => d.mass(any(Symbol("3")), 3), /^TypeError: low = Symbol\(3\): expected/],
    [() => d.fill(any([...samples])), /^TypeError: array = Array: expected/],
    [() => d.fill(any(Object.create(null))), /^TypeError: array = Object: expected/],
    [() => create(any(samples)), /^TypeError: options = Int16Array: expected an object, such as/],
    [() => create({ sigma: 3, seed: `${text}\n` }), /^Error: seed: expected one line without tabs$/],
    [() => create({ sigma: 3, seed: text.slice(1) }), /^RangeError: seed: /],
    [() => fillParallel(samples, { sigma: 215 }, { workers: any(samples) }), /^TypeError: workers = Int16Array: expected/],
    [() => fillParallel(samples, { sigma: 215 }, { first: any(samples) }), /^TypeError: first = Int16Array: expected/],
    [() => fillParallel(samples, any(5)), /^TypeError: options = 5: expected an object, such as \{ sigma: 3.2 \}$/],
  ];
  for (const [act, message] of wrong) {
    await assert.rejects(async () => act(), (error) => {
      assert.match(String(error), message);
      assert.ok(!String(error).includes(samples.join()) && !String(error).includes(text.slice(0, 20)));
      return true;
    });
  }
});

test("node: arrays and addresses are judged", async () => {
  const d = await create({ sigma: 215, seed });
  for (const fill of [() => d.fill(new Int8Array(10)), () => d.fillAt(0, new Int8Array(0))]) {
    assert.throws(fill, /^Error: array = Int8Array: the samples range from -2818 to 2818; use Int16Array$/);
  }
  assert.throws(() => d.fillAt((1n << 64n) - 65_536n, new Int16Array(65_537)), /first = 18446744073709486080: expected at most 18446744073709486079 with 65537 samples/);
  assert.equal(d.fillAt((1n << 64n) - 1n, new Int16Array(1)).length, 1);
  d.dispose();
  d.dispose();
});

test("node: workers fill what one fills, report, and stop when told to", async () => {
  const options = { sigma: "3.2", seed };
  const one = (await create(options)).fillAt(12_345, new Int16Array(1_000_000));
  for (const workers of [1, 3]) {
    /** @type {number[]} */
    const seen = [];
    const onProgress = (/** @type {number} */ done) => seen.push(done);
    const many = await fillParallel(new Int16Array(1_000_000), options, { first: 12_345, workers, onProgress });
    assert.deepEqual(many, one);
    assert.equal(seen.at(-1), 1_000_000);
    assert.ok(seen.length >= 4);
  }
  const controller = new AbortController();
  const onProgress = () => controller.abort(new Error("enough"));
  const run = fillParallel(new Int16Array(1e7), options, { workers: 2, onProgress, signal: controller.signal });
  await assert.rejects(run, /enough/);
  let calls = 0;
  const thrown = { workers: 2, onProgress: () => { calls++; throw new RangeError("not so fast"); } };
  await assert.rejects(fillParallel(new Int16Array(1e7), options, thrown), /^RangeError: not so fast$/);
  const before = calls;
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(calls, before, "its workers are stopped");
  assert.ok(before <= 2, `${before} calls`);
  await assert.rejects(fillParallel(new Int16Array(10), options, { signal: AbortSignal.abort(new Error("never")) }), /never/);
  await assert.rejects(fillParallel(new Int8Array(10), { sigma: 215 }), /^Error: array = Int8Array: /);
  await assert.rejects(fillParallel(new Int8Array(10), options, { workers: 0 }), /workers = 0: expected/);
  await assert.rejects(fillParallel(new Int8Array(10), { sigma: -1 }), /sigma = -1: expected a number greater than 0/);
  await assert.rejects(fillParallel(new Int8Array(10), options, { first: 0.5 }), /^RangeError: first = 0.5: expected an integer/);
  await assert.rejects(fillParallel(new Int8Array(10), options, { first: 2n ** 64n - 9n }), /expected at most 18446744073709551606 with 10 samples/);
  await assert.rejects(fillParallel(new Int8Array(10), options, /** @type {any} */ ({ signal: 5 })), /signal = 5: expected an AbortSignal/);
  await assert.rejects(fillParallel(new Int8Array(10), /** @type {any} */ (undefined)), /options = undefined: expected an object/);
  assert.equal((await fillParallel(new Int8Array(0), options)).length, 0);
});

test("node: the pictures show the tables", async () => {
  const { edges, heights } = await zigguratFigure({ sigma: 10, rectangles: 8 });
  assert.deepEqual([edges.length, heights.length, edges[0], heights[8]], [9, 9, 0, 0]);
  // All rectangles have the same area, and the density lies below their corners.
  const areas = edges.slice(1).map((x, i) => x * ((heights[i] ?? 0) - (heights[i + 1] ?? 0)));
  for (const area of areas) assert.ok(Math.abs(area / (areas[0] ?? 0) - 1) < 1e-9, areas.join());
  const d10 = await create({ sigma: 10 });
  edges.slice(0, -1).forEach((x, i) => {
    const above = (heights[i] ?? 0) - d10.pmf(x) / d10.pmf(0);
    assert.ok(above >= 0 && above < 0.05, `${x}: ${above}`);
  });
  const { folded, columns } = await knuthYaoFigure({ sigma: "3.2" });
  const d = await create({ sigma: "3.2" });
  assert.equal(folded, true);
  for (let x = 1; x < 10; x++) {
    const p = columns.reduce((sum, ones, i) => sum + (ones.includes(x) ? 2 ** -(i + 1) : 0), 0);
    assert.ok(Math.abs(p - 2 * d.pmf(x)) < 2 ** -23, `${x}: ${p}`);
  }
  await assert.rejects(zigguratFigure({ sigma: 3, center: "1/2" }), /^Error: center = 1\/2: method ziggurat allows an integer center only$/);
});

test("node: a program ends when its workers have", () => {
  const program = 'import("./dist/index.js").then((s) => s.fillParallel(new Int8Array(9e5), { sigma: 3 }, { workers: 2 }))';
  execFileSync(process.execPath, ["-e", program], { cwd: fileURLToPath(new URL("..", import.meta.url)), timeout: 180_000 });
});

test("node: dead seeds are refused, as bytes and as digits", async () => {
  for (const byte of [0, 7, 255]) {
    const bytes = new Uint8Array(32).fill(byte);
    for (const dead of [bytes, Buffer.from(bytes).toString("hex")]) {
      const message = /^Error: seed: 32 equal bytes are a seed that was never set; expected 32 random bytes/;
      await assert.rejects(create({ sigma: 3, seed: dead }), message);
      await assert.rejects(samplez.Stream.create({ seed: dead }), message);
    }
  }
});

test("node: a type is refused for every length, or for none", async () => {
  const d = await create({ sigma: 30, method: "karney", seed });
  const narrow = /^Error: array = Int8Array: the samples range from -393 to 393; use Int16Array$/;
  for (const length of [0, 1, 10_000]) {
    const out = new Int8Array(length).fill(1);
    assert.throws(() => d.fillAt(0, out), narrow);
    assert.ok(out.every((x) => x === 1));
    assert.equal(d.fillAt(0, new Int16Array(length)).length, length);
  }
  d.dispose();
});

test("node: a wide law takes no more memory than a phone has", async () => {
  const { instantiate } = WebAssembly;
  /** @type {WebAssembly.Memory[]} */
  const memories = [];
  /** @param {any[]} given */
  const watched = async (...given) => {
    const made = await /** @type {any} */ (instantiate)(...given);
    memories.push((made.instance ?? made).exports.memory);
    return made;
  };
  Object.assign(WebAssembly, { instantiate: watched });
  try {
    const d = await create({ sigma: "1e5", seed });
    d.fill(new Int32Array(100_000));
    d.certificate();
    const size = (memories.at(-1)?.buffer.byteLength ?? Infinity) / 2 ** 20;
    assert.ok(memories.length > 0 && size <= 4, `${size} MB`);
    d.dispose();
  } finally {
    Object.assign(WebAssembly, { instantiate });
  }
});
