// The small module, in Node: the full package's integers, also where it needs the full package.
// @ts-check

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { CoreGaussian, SamplezError } from "../dist/core/index.js";
import { buildTable } from "../dist/core/table.js";
import * as samplez from "../dist/index.js";
import { CASES, checkCore } from "./core-vectors.mjs";

const { BigGaussian, DiscreteGaussian, OtherNoise, Stream } = samplez;
const any = (/** @type {unknown} */ value) => /** @type {any} */ (value);
const file = (/** @type {string} */ name) => readFileSync(new URL(`../dist/core/${name}`, import.meta.url));
const VERSION = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
/** The table with another second number of the version, and the checksum of these bytes: FNV-1a.
 * @param {Uint8Array} table @param {number} minor */
function ofVersion(table, minor) {
  const bytes = Buffer.from(table);
  bytes[34] = minor;
  let hash = 0x811c9dc5;
  for (const byte of bytes.subarray(8)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  bytes.writeUInt32LE(hash, 4);
  return bytes;
}
/** A full package that must not be loaded. */
const never = async () => assert.fail("the full package was loaded");

test("node: the full package's integers, of every kernel and type, without the full package", async () => {
  assert.deepEqual(await checkCore({ CoreGaussian, buildTable, DiscreteGaussian }), { count: CASES.length, wrong: [], loads: CASES.map(({ loads }) => loads) });
});

test("node: another integer, and a table of another law, are found", async () => {
  const other = { create: (/** @type {any} */ options) => CoreGaussian.create({ ...options, seed: 43 }) };
  const cases = CASES.slice(0, 2);
  const names = cases.map(({ recipe }) => recipe);
  assert.deepEqual((await checkCore({ CoreGaussian: any(other), buildTable, DiscreteGaussian }, cases)).wrong, names);
  const law = async (/** @type {string} */ recipe) => buildTable(`${recipe},center=1`);
  assert.deepEqual((await checkCore({ CoreGaussian, buildTable: law, DiscreteGaussian }, cases)).wrong, names);
});

test("node: a table is small, and it is the same each time", async () => {
  const table = await buildTable("sigma=3.2");
  assert.equal(table.length, 36 + 4 * 168 + "sigma=16/5,method=knuth-yao-ct,precision=128,exact=true".length);
  assert.deepEqual(table, await buildTable("sigma_squared=10.24").then((other) => buildTable("sigma=16/5").then((same) => (assert.notDeepEqual(same, other), same))));
  const d = await CoreGaussian.create({ table, seed: 7, full: never });
  assert.equal(d.recipe, (await DiscreteGaussian.create({ sigma: 3.2 })).recipe);
  assert.deepEqual(JSON.parse(JSON.stringify(d)), { recipe: d.recipe, source: "chacha20" });
  assert.equal(String(d), `CoreGaussian(${d.recipe})`);
});

test("node: fills go on, and calls at a time do not mix", async () => {
  const table = await buildTable("sigma=2,center=1/3,method=knuth-yao-ct,precision=21");
  const one = (await DiscreteGaussian.create({ recipe: "sigma=2,center=1/3,method=knuth-yao-ct,precision=21,exact=true", seed: 9 })).fill(new Int16Array(100_000));
  const d = await CoreGaussian.create({ table, seed: 9 });
  const parts = await Promise.all([1, 8191, 50_000, 0, 41_808].map((length) => d.fill(new Int16Array(length))));
  assert.deepEqual(parts.flatMap((part) => [...part]), [...one]);
  assert.equal(d.position, 100_000n);
  assert.deepEqual([...(await d.fillAt(12_345, new Int16Array(20_000)))], [...one.subarray(12_345, 32_345)]);
});

test("node: seeds are those of every language", async () => {
  const table = await buildTable("sigma=3.2");
  const bytes = Uint8Array.from({ length: 32 }, (_, i) => 7 * i);
  const hex = Buffer.from(bytes).toString("hex");
  const head = async (/** @type {any} */ seed) => [...(await (await CoreGaussian.create({ table, seed })).fill(new Int8Array(50)))];
  for (const seed of [bytes, hex, hex.toUpperCase(), 0, 42, 42n, "42", 2n ** 64n - 1n]) {
    assert.deepEqual(await head(seed), [...(await DiscreteGaussian.create({ sigma: 3.2, seed: any(typeof seed === "string" ? seed.toLowerCase() : seed) })).fill(new Int8Array(50))]);
  }
  assert.notDeepEqual(await head(undefined), await head(undefined));
});

test("node: the full package is loaded once, a failure is told and not remembered", async () => {
  const table = await buildTable("sigma=2,method=knuth-yao-ct,precision=21");
  let loads = 0;
  const d = await CoreGaussian.create({ table, seed: 5, full: async () => (loads++, loads === 1 ? Promise.reject(new Error("offline")) : samplez) });
  const out = new Int8Array(300_000);
  await assert.rejects(d.fill(out), { kind: "load", message: /^the full package, which has the exact remainder, could not be loaded: offline; / });
  assert.ok(out.every((x) => x === 0));
  const again = await d.fillAt(0, out);
  assert.equal(loads, 2);
  assert.deepEqual(again, (await DiscreteGaussian.create({ recipe: d.recipe, seed: 5 })).fill(new Int8Array(300_000)));
});

test("node: bad inputs", async () => {
  const table = await buildTable("sigma=3.2");
  const changed = (/** @type {number} */ at) => table.map((byte, i) => (i === at ? byte ^ 1 : byte));
  /** @type {[() => unknown, string][]} */
  const calls = [
    [() => CoreGaussian.create(any(undefined)), "TypeError: options = undefined: expected an object"],
    [() => CoreGaussian.create(any({ table, sigma: 3 })), "Error: sigma: no such option; there are table, seed, module, full"],
    [() => CoreGaussian.create({ table }, .../** @type {[]} */ (any([{ seed: 7 }]))), "TypeError: arguments[1] = Object: no such argument; options go into the first"],
    [async () => (await CoreGaussian.create({ table })).fill(new Int8Array(1), .../** @type {[]} */ (any([{ seed: 7 }]))), "TypeError: arguments[1] = Object: no such argument; options belong to create"],
    [async () => (await CoreGaussian.create({ table })).fillAt(0, new Int8Array(1), .../** @type {[]} */ (any([5]))), "TypeError: arguments[2] = 5: no such argument; options belong to create"],
    [() => buildTable("sigma=3.2", any({ modul: 5 })), "Error: modul: no such option; there are module"],
    [() => CoreGaussian.create(any({})), "TypeError: table: expected the bytes that buildTable of samplez/core/table returned"],
    [() => CoreGaussian.create(any({ table: "sigma=3.2" })), "TypeError: table: expected the bytes that buildTable of samplez/core/table returned"],
    ...[0, 4, 8, 12, 40, table.length - 1].map((at) => /** @type {[() => unknown, string]} */ ([() => CoreGaussian.create({ table: changed(at) }), "Error: table: expected the bytes that buildTable of samplez/core/table returned, unchanged"])),
    [() => CoreGaussian.create({ table: table.subarray(0, 20) }), "Error: table: expected the bytes that buildTable of samplez/core/table returned, unchanged"],
    ...[new Uint8Array(31), "07", "07".repeat(31), -1, 1n << 64n, ""].map((seed) => /** @type {[() => unknown, string]} */ ([() => CoreGaussian.create({ table, seed }), `${seed === "" ? "TypeError" : typeof seed === "number" || typeof seed === "bigint" ? "RangeError" : "Error"}: seed: expected 32 random bytes, 64 hexadecimal digits, or a whole number below 2^64, beyond 2^53 as a bigint`])),
    ...[new Uint8Array(32).fill(7), "07".repeat(32)].map((seed) => /** @type {[() => unknown, string]} */ ([() => CoreGaussian.create({ table, seed }), "Error: seed: 32 equal bytes are a seed that was never set; expected 32 random bytes, or for results to reproduce a number below 2^64"])),
    ...[1.5, NaN, null, [7]].map((seed) => /** @type {[() => unknown, string]} */ ([() => CoreGaussian.create(any({ table, seed })), "TypeError: seed: expected 32 random bytes, 64 hexadecimal digits, or a whole number below 2^64, beyond 2^53 as a bigint"])),
    [() => CoreGaussian.create(any({ table, full: 5 })), "TypeError: full: expected a function that imports samplez"],
    [() => CoreGaussian.create({ table, module: file("samplez-lazy.wasm") }), "Error: module = samplez-lazy.wasm: expected samplez-pooled.wasm, of this package"],
    [async () => (await CoreGaussian.create({ table })).fill(any([1])), "TypeError: array = Array: expected an Int8Array, Int16Array, Int32Array or BigInt64Array"],
    [async () => (await CoreGaussian.create({ table })).fillAt(-1, new Int8Array(1)), "RangeError: first = -1: expected a number between 0 and 2^64 - 1"],
    [async () => (await CoreGaussian.create({ table: await buildTable("sigma=20") })).fill(new Int8Array(1)), "Error: array = Int8Array: the samples range from -262 to 262; use Int16Array"],
    [() => new (any(CoreGaussian))({}, {}), "TypeError: new CoreGaussian: use await CoreGaussian.create(…), which loads the module first"],
    [() => buildTable(any(3.2)), "TypeError: recipe = 3.2: expected a text such as sigma=3.2"],
    [() => buildTable("sigma=-1"), "RangeError: sigma = -1: expected a number greater than 0"],
    [() => buildTable("sigma=1e30"), "Error: sigma = 1e30: not representable exactly: in lowest terms the numerator must be at most 2^63-1 and the denominator at most 2^64-1"],
    [() => buildTable("sigma=1000"), "Error: sigma = 1000: cdt-lazy-ct allows at most 4095 thresholds, not about 12774; DiscreteGaussian takes wider ones"],
    [() => buildTable("sigma=3,method=karney"), "Error: method = karney: samplez/core has only knuth-yao-ct and cdt-lazy-ct; name one of them, or leave it out, or use DiscreteGaussian"],
    [() => buildTable("sigma=3,exact=false"), "Error: exact = false: samplez/core is exact; leave it out"],
    [() => CoreGaussian.create({ table: ofVersion(table, 7) }), `Error: table: made by samplez 0.7.0, and this is ${VERSION}; call buildTable of this version`],
  ];
  const full = await DiscreteGaussian.create({ sigma: 20 });
  assert.throws(() => full.fill(new Int8Array(1)), (error) => String(error).startsWith("Error: array = Int8Array: the samples range from -262 to 262"));
  for (const [call, want] of calls) {
    const error = await (async () => call())().then(() => assert.fail(`nothing: ${call}`), (error) => error);
    assert.ok(error instanceof SamplezError, String(error));
    assert.equal(String(error), want);
  }
  const d = await CoreGaussian.create({ table });
  d.dispose();
  await assert.rejects(d.fill(new Int8Array(0)), { kind: "disposed", message: "this CoreGaussian has been disposed of" });
});

test("node: dispose wipes seed and samples in the module's memory", async () => {
  /** @type {WebAssembly.Memory[]} */
  const memories = [];
  const { instantiate } = WebAssembly;
  const table = await buildTable("sigma=20");
  const seed = Uint8Array.from({ length: 32 }, (_, i) => 200 + i);
  WebAssembly.instantiate = any(async (/** @type {any} */ module, /** @type {any} */ imports) => {
    const instance = any(await instantiate(module, imports));
    memories.push(instance.exports.memory);
    return instance;
  });
  /** @type {[() => Promise<any>, (made: any) => unknown][]} */
  const cases = [
    [() => CoreGaussian.create({ table, seed }), (made) => made.fill(new Int16Array(8192))],
    [() => DiscreteGaussian.create({ sigma: "3.2", seed }), () => {}],
    [() => DiscreteGaussian.create({ sigma: "3.2", seed }), (made) => made.sample()],
    [() => DiscreteGaussian.create({ sigma: 100, method: "cdt-guided", seed }), (made) => made.fill(new Int16Array(8192))],
    [() => OtherNoise.create({ discreteLaplace: 300, seed }), (made) => made.sample()],
    [() => Stream.create({ seed }), (made) => made.sample(3, [1, 2])],
    [() => BigGaussian.create({ sigma: "1e60", seed }), (made) => made.draw(600)],
  ];
  try {
    for (const [create, draw] of cases) {
      memories.length = 0;
      const made = await create();
      const drawn = await draw(made);
      const bytes = () => Buffer.from(/** @type {WebAssembly.Memory} */ (memories.at(-1)).buffer);
      assert.ok(bytes().some((byte) => byte !== 0));
      if (drawn instanceof Int16Array) assert.ok(!bytes().includes(Buffer.from(BigInt64Array.from(drawn.slice(-16), BigInt).buffer)), `${create}: a copy is left`);
      made.dispose();
      assert.ok(memories.every(({ buffer }) => Buffer.from(buffer).every((byte) => byte === 0)), String(create));
    }
  } finally {
    WebAssembly.instantiate = instantiate;
  }
});

test("node: a table and a seed are read at the call, from a Buffer too", async () => {
  const [table, seed] = [Buffer.from(await buildTable("sigma=3.2")), Buffer.from(Uint8Array.from({ length: 32 }, (_, i) => i))];
  const want = (await CoreGaussian.create({ table, seed })).fill(new Int8Array(50));
  const made = CoreGaussian.create({ table, seed });
  table.fill(0);
  seed.fill(9);
  assert.deepEqual(await (await made).fill(new Int8Array(50)), await want);
});

/** Samplers over a module with other functions: what `change` returns of the module's own. @param {(own: any) => object} change */
async function changed(change, /** @type {any} */ options = {}) {
  const { instantiate } = WebAssembly;
  const table = options.table ?? (await buildTable("sigma=3.2"));
  /** @type {any} */
  let own;
  WebAssembly.instantiate = any(async (/** @type {any} */ module, /** @type {any} */ imports) => {
    own = any(await instantiate(module, imports)).exports;
    return { exports: { ...own, ...change(own) } };
  });
  try {
    return { d: await CoreGaussian.create({ seed: 5, ...options, table }), memory: /** @type {WebAssembly.Memory} */ (own.memory) };
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}

test("node: a module that fails gives no samples, and is wiped as a whole", async () => {
  const trap = () => {
    throw new WebAssembly.RuntimeError("unreachable");
  };
  for (const third of [() => 2, () => 3, trap]) {
    let blocks = 0;
    const seed = Uint8Array.from({ length: 32 }, (_, i) => 100 + i);
    const { d, memory } = await changed((own) => ({ fill: (/** @type {bigint} */ block) => (blocks++ < 2 ? own.fill(block) : third()) }), { seed });
    await d.fill(new Int8Array(10));
    const out = new Int8Array(30_000).fill(1);
    await assert.rejects(d.fill(out), { kind: "stopped", message: /^the WebAssembly module stopped, / });
    assert.ok(out.every((x) => x === 0));
    assert.equal(d.position, 10n);
    assert.ok(Buffer.from(memory.buffer).includes(Buffer.from(seed)));
    d.dispose();
    assert.ok(Buffer.from(memory.buffer).every((byte) => byte === 0));
  }
});

test("node: dispose while the full package loads ends the fill, and no samples remain", async () => {
  const table = await buildTable("sigma=2,method=knuth-yao-ct,precision=21");
  for (const seed of [5, Uint8Array.from({ length: 32 }, (_, i) => i + 1)]) {
    /** @type {((full: typeof samplez) => void)[]} */
    const loads = [];
    const d = await CoreGaussian.create({ table, seed, full: () => new Promise((resolve) => loads.push(resolve)) });
    const out = new Int8Array(300_000);
    const filled = d.fill(out);
    await new Promise((resolve) => setTimeout(resolve));
    assert.equal(loads.length, 1);
    assert.ok(out.some((x) => x !== 0));
    d.dispose();
    loads[0]?.(samplez);
    await assert.rejects(filled, { kind: "disposed", message: "this CoreGaussian has been disposed of" });
    assert.ok(out.every((x) => x === 0));
  }
});

test("node: another full package is refused", async () => {
  const table = await buildTable("sigma=2,method=knuth-yao-ct,precision=21");
  const said = "the full package, which has the exact remainder, could not be loaded: ";
  const other = { DiscreteGaussian: { create: async () => ({ recipe: "sigma=2", fillAt: () => {}, dispose: () => {} }) } };
  const foreign = { DiscreteGaussian: { create: async () => ({ recipe: "sigma=2,method=knuth-yao-ct,precision=21,exact=true", fillAt: () => { throw new Error("none"); }, dispose: () => {} }) } };
  for (const [full, message] of /** @type {[any, string][]} */ ([
    [() => samplez, ""],
    [() => { throw new Error("no network"); }, `${said}no network; pass full: () => import(…), or call again`],
    [async () => ({}), `${said}full: expected a function that imports samplez; pass full: () => import(…), or call again`],
    [async () => other, `${said}full: expected samplez of the table's version; its recipe is sigma=2, the table's sigma=2,method=knuth-yao-ct,precision=21,exact=true; pass full: () => import(…), or call again`],
    [async () => foreign, "the full package, which has the exact remainder, failed: none; call again"],
  ])) {
    const d = await CoreGaussian.create({ table, seed: 5, full });
    const filled = d.fill(new Int8Array(300_000));
    if (message === "") await filled;
    else await assert.rejects(filled, (error) => error instanceof SamplezError && (assert.equal(error.message, message), true));
    assert.equal(d.position, message === "" ? 300_000n : 0n);
  }
});

test("node: inside JavaScript, by require, and without the full package in a bundle", async () => {
  const table = await buildTable("sigma=3.2");
  const inline = await import("../dist/core/inline.js");
  const required = createRequire(import.meta.url)("../dist/core/inline.cjs");
  const want = await (await CoreGaussian.create({ table, seed: 1 })).fill(new Int8Array(20));
  for (const copy of [inline, required]) assert.deepEqual(await (await copy.CoreGaussian.create({ table, seed: 1, full: never })).fill(new Int8Array(20)), want);
  // Both load the package beside them.
  const coarse = await buildTable("sigma=2,method=knuth-yao-ct,precision=21");
  const exact = await (await CoreGaussian.create({ table: coarse, seed: 1 })).fill(new Int8Array(300_000));
  for (const copy of [inline, required]) assert.deepEqual(await (await copy.CoreGaussian.create({ table: coarse, seed: 1 })).fill(new Int8Array(300_000)), exact);
  const { metafile } = await build({ entryPoints: [fileURLToPath(new URL("../dist/core/index.js", import.meta.url))], bundle: true, splitting: true, format: "esm", outdir: "out", write: false, metafile: true, logLevel: "silent" });
  const entry = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith("core/index.js"));
  const own = Object.keys(entry?.[1].inputs ?? {});
  assert.ok(own.some((name) => name.endsWith("core.js")) && !own.some((name) => name.endsWith("gaussian.js")), own.join());
});
