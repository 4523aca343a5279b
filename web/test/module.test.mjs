// Modules that are given, modules inside JavaScript, arrays of other realms, and the types as `import` and `require` find them.
// @ts-check

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { build } from "esbuild";
import * as samplez from "../dist/index.js";
import * as inline from "../dist/inline.js";
import { Schemes } from "../dist/schemes/index.js";
import * as inlineSchemes from "../dist/schemes/inline.js";
import { isWritten } from "../toolchains/table.mjs";
import { check } from "./vectors.mjs";

const { DiscreteGaussian, Stream, fillParallel, verify } = samplez;
const web = fileURLToPath(new URL("..", import.meta.url));
const dist = join(web, "dist");
const file = (/** @type {string} */ name) => readFileSync(join(dist, name));
const seed = Uint8Array.from({ length: 32 }, (_, i) => 7 * i);
const options = { sigma: "3.2", seed };
const head = [0, 5, 3, 6, 3, -5, 0, -3];
const any = (/** @type {unknown} */ value) => /** @type {any} */ (value);

test("node: a module that is given is used, as what it may be", async () => {
  const bytes = file("samplez-simd.wasm");
  const compiled = await WebAssembly.compile(bytes);
  const fetched = new Response(bytes);
  const copy = Uint8Array.from(bytes);
  /** @type {samplez.ModuleSource[]} */
  const given = [compiled, copy, copy.buffer, fetched, Promise.resolve(compiled), Promise.resolve(new Response(bytes))];
  for (const module of [...given, import(/** @type {any} */ ("data:text/javascript,export default globalThis.given"))]) {
    any(globalThis).given = compiled;
    const d = await DiscreteGaussian.create({ ...options, module });
    assert.deepEqual([Array.from(d.fill(new Int16Array(8))), d.simd], [head, true]);
  }
  const plain = await DiscreteGaussian.create({ ...options, module: WebAssembly.compile(file("samplez.wasm")) });
  assert.deepEqual([Array.from(plain.fill(new Int16Array(8))), plain.simd], [head, false]);
  assert.equal((await Stream.create({ seed, module: compiled })).round(["10/3"], "3.2").length, 1);
  assert.deepEqual(Array.from((await fillParallel(new Int16Array(300_000), { ...options, module: compiled })).subarray(0, 8)), head);
  assert.ok((await samplez.methods({ module: compiled })).length > 9);
  assert.equal((await verify(new Int8Array(100), { sigma: 3, module: file("samplez-verify.wasm") })).n, 100);
  assert.ok((await Schemes.create({ module: file("schemes/samplez-schemes.wasm") })).bliss({ set: "I" }));
});

test("node: with a module that is given nothing is loaded", async () => {
  const program = `delete process.getBuiltinModule; delete globalThis.fetch; import("./dist/index.js").then(async (s) => {
    const module = require("node:fs").readFileSync("dist/samplez-simd.wasm");
    console.log((await s.DiscreteGaussian.create({ sigma: 3, seed: 1, module })).sample());
    console.log(await s.DiscreteGaussian.create({ sigma: 3 }).catch((e) => e.message.includes("could not be loaded")));
  })`;
  assert.match(execFileSync(process.execPath, ["-e", program], { cwd: web, encoding: "utf8" }), /^-?\d+\ntrue\n$/);
});

test("node: what is no such module is refused, and it is said what it is", async () => {
  const create = (/** @type {unknown} */ module, simd = any(undefined)) => DiscreteGaussian.create({ ...options, simd, module: any(module) });
  await assert.rejects(create(file("samplez-verify.wasm")), /^Error: module = samplez-verify\.wasm: expected samplez-simd\.wasm or samplez\.wasm, of this package$/);
  await assert.rejects(verify(new Int8Array(100), { sigma: 3, module: file("samplez.wasm") }), /^Error: module = samplez\.wasm: expected samplez-verify\.wasm, of this package$/);
  await assert.rejects(create(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)), /^Error: module = another module: expected samplez-simd\.wasm/);
  await assert.rejects(create(new Uint8Array(9)), /^Error: module: its bytes were not compiled: .*; expected those of one of/);
  await assert.rejects(create("samplez.wasm"), /^TypeError: module = samplez\.wasm: expected a WebAssembly\.Module, its bytes, a Response/);
  await assert.rejects(create(null), /^TypeError: module = null: expected/);
  await assert.rejects(create(new Response("", { status: 404, statusText: "Not Found" })), /^Error: module = a Response: expected a WebAssembly module, and the server answered 404 Not Found$/);
  await assert.rejects(create(Promise.reject(new Error("offline"))), /^Error: module: the promise of it was not kept: offline; /);
  await assert.rejects(create(file("samplez.wasm"), true), /^Error: simd = true: the module that is given is samplez\.wasm; leave simd out, or give samplez-simd\.wasm$/);
});

test("node: arrays of another realm are arrays", async () => {
  const foreign = (/** @type {string} */ code) => runInNewContext(code);
  const d = await DiscreteGaussian.create({ ...options, seed: foreign("Uint8Array.from({ length: 32 }, (_, i) => 7 * i)") });
  for (const type of ["Int8Array", "Int16Array", "Int32Array", "BigInt64Array"]) {
    assert.deepEqual(Array.from(d.fillAt(0, foreign(`new ${type}(8)`)), Number), head, type);
  }
  assert.deepEqual(Array.from(d.fill(foreign("new BigInt64Array(8)")), Number), head);
  const big = foreign("new BigInt64Array(300000)");
  assert.deepEqual(Array.from((await fillParallel(big, options)).subarray(0, 8), Number), head);
  assert.equal((await verify(foreign("new Int16Array(1000)"), { sigma: 3 })).n, 1000);
  const stream = await Stream.create({ seed: 1 });
  const again = await Stream.create({ seed: 1 });
  assert.deepEqual(stream.sample(foreign("new Float64Array([1.5, 2])"), 0.25), again.sample(new Float64Array([1.5, 2]), 0.25));
  // A name alone makes no array.
  assert.throws(() => d.fill(any({ [Symbol.toStringTag]: "Int16Array", length: 3 })), /^TypeError: array = Int16Array: expected/);
});

test("node: the modules inside JavaScript give the same, also by require", async () => {
  const csv = readFileSync(new URL("../../kat/streams.csv", import.meta.url), "utf8");
  const { count, failures } = await check(any(inline), csv, true);
  assert.deepEqual([count >= 70, failures], [true, []]);
  assert.equal((await inline.verify(new Int8Array(100), { sigma: 3 })).n, 100);
  const noise = async (/** @type {typeof Schemes} */ schemes) => (await schemes.create()).bliss({ set: "I" }).sampleNoise(9, { seed });
  assert.deepEqual(await noise(any(inlineSchemes.Schemes)), await noise(Schemes));
  const require = createRequire(import.meta.url);
  for (const entry of ["samplez", "samplez/inline"]) {
    const required = require(entry);
    assert.deepEqual(Object.keys(required).sort(), Object.keys(samplez).sort());
    assert.deepEqual(Array.from((await required.fillParallel(new Int16Array(300_000), options)).subarray(0, 8)), head);
  }
  await assert.rejects(inline.DiscreteGaussian.create({ ...options, simd: false }), /^Error: simd = false: .* leave simd out, or import samplez elsewhere$/);
});

test("node: nothing inside JavaScript comes to those who do not ask for it", async () => {
  const bundle = async (/** @type {string} */ contents) => {
    const { outputFiles } = await build({ stdin: { contents, resolveDir: web }, bundle: true, format: "esm", write: false, logLevel: "silent" });
    return outputFiles[0]?.text ?? "";
  };
  const modules = ["samplez-simd.wasm", "samplez-verify.wasm", "samplez-big.wasm"].map((name) => file(name).toString("base64").slice(1000, 1100));
  const has = (/** @type {string} */ text) => modules.map((module) => text.includes(module));
  assert.deepEqual(has(await bundle('export * from "samplez";')), [false, false, false]);
  assert.deepEqual(has(await bundle('export * from "samplez/inline";')), [true, true, true]);
  assert.deepEqual(has(await bundle('export { DiscreteGaussian } from "samplez/inline";')), [true, false, false]);
});

test("node: the types are found by import, by require and as old tools look", () => {
  const folder = join(web, "build/types");
  rmSync(folder, { recursive: true, force: true });
  const installed = join(folder, "node_modules/samplez");
  mkdirSync(installed, { recursive: true });
  execFileSync("sh", ["-c", `cp -r dist package.json "${installed}"`], { cwd: web });
  const names = '{ BigGaussian, DiscreteGaussian, fillParallel, type Options } from "samplez"';
  const rest = `import { Schemes } from "samplez/schemes"; import { Stream } from "samplez/inline";
    export const run = async (signal: AbortSignal | undefined, seed: Uint8Array | undefined, out: Int16Array | undefined) => {
      const options: Options = { sigma: "3.2", seed, center: undefined, precision: undefined, module: undefined };
      await fillParallel(new Int16Array(9), options, { signal, workers: undefined, onProgress: undefined, first: undefined });
      (await Stream.create({ seed, source: undefined, simd: undefined })).round([1], 3, { out });
      (await Schemes.create()).bliss({ set: "I", noise: undefined }).keygen({ seed });
      const big: bigint[] = (await BigGaussian.create({ sigma: 10n ** 30n, seed, center: undefined, source: undefined, module: undefined })).draw(3);
      for await (const chunk of (await BigGaussian.create({ recipe: "s=1e30" })).chunks({ signal, count: undefined, length: undefined })) big.push(...chunk);
      const d: number = (await DiscreteGaussian.create(options)).pmf(0);
      return d;
    };
    // @ts-expect-error
    DiscreteGaussian.create({ sigmaa: 3 });
    // @ts-expect-error
    BigGaussian.create({ sigma: 3, method: "cdt" });`;
  writeFileSync(join(folder, "a.mts"), `import ${names}; ${rest}`);
  writeFileSync(join(folder, "b.cts"), `import ${names}; ${rest}`);
  const compile = (/** @type {string[]} */ ...flags) =>
    execFileSync(join(web, "node_modules/.bin/tsc"), ["--noEmit", "--ignoreConfig", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022", "--lib", "es2022,dom,esnext.disposable", "--types", "", ...flags], { cwd: folder, encoding: "utf8" });
  compile("--module", "node16", "a.mts", "b.cts");
  compile("--module", "es2022", "--moduleResolution", "bundler", "a.mts");
  // What is said to be a file is one.
  const { exports, main, module, types } = JSON.parse(readFileSync(join(web, "package.json"), "utf8"));
  /** @type {(value: any) => string[]} */
  const targets = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(targets));
  for (const target of [main, module, types, ...targets(exports)]) assert.ok(readFileSync(join(web, target)).length > 0, target);
  assert.ok(readdirSync(dist).includes("index.d.cts"));
});

test("node: the table of toolchains is that of the last run", () => assert.ok(isWritten()));
