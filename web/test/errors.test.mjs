// The one class of errors, and what it says to programs.
// @ts-check

import assert from "node:assert/strict";
import { test } from "node:test";
import * as inline from "../dist/inline.js";
import { BigGaussian, DiscreteGaussian, OtherNoise, SamplezError, Stream, TableNoise, WorkerGaussian, fillParallel, verify } from "../dist/index.js";
import { CoreGaussian } from "../dist/core/index.js";
import { buildTable } from "../dist/core/table.js";
import * as schemes from "../dist/schemes/index.js";

const any = (/** @type {unknown} */ value) => /** @type {any} */ (value);
const seed = Uint8Array.from({ length: 32 }, (_, i) => 7 * i);

test("node: an error names its kind, the argument and its value", async () => {
  const d = await DiscreteGaussian.create({ sigma: "3.2", seed });
  const gone = await DiscreteGaussian.create({ sigma: "3.2", seed });
  gone.dispose();
  /** @type {[act: () => unknown, name: string, kind: string, argument: string | undefined, value: string | undefined][]} */
  const cases = [
    [() => DiscreteGaussian.create({ sigma: -1 }), "RangeError", "out-of-range", "sigma", "-1"],
    [() => DiscreteGaussian.create(any({ sigma: 3, sigmaa: 3 })), "Error", "unknown", "sigmaa", undefined],
    [() => DiscreteGaussian.create({ sigmaSquared: "x: y" }), "Error", "not-a-number", "sigmaSquared", "x"],
    [() => DiscreteGaussian.create({ sigma: "1e400" }), "Error", "too-long", "sigma", "1e400"],
    [() => DiscreteGaussian.create({ sigma: 1e18 }), "Error", "no-method", undefined, undefined],
    [() => DiscreteGaussian.create({ sigma: 3.2, method: "du-wei-4" }), "Error", "unsupported", "sigma", "3.2"],
    [() => DiscreteGaussian.create(any({})), "Error", "missing", "width", undefined],
    [() => DiscreteGaussian.create({ recipe: "std=3" }), "Error", "unknown", "std", "3"],
    [() => DiscreteGaussian.create({ sigma: 3, source: any("dice") }), "Error", "unknown", "source", "dice"],
    [() => DiscreteGaussian.create({ sigma: 3, source: any("dev-random") }), "Error", "unsupported", "source", "dev-random"],
    [() => DiscreteGaussian.create({ sigma: 3, seed: 1n << 64n }), "RangeError", "out-of-range", "seed", undefined],
    [async () => (await Stream.create({ seed })).round([NaN], 3), "Error", "not-a-number", "centers[0]", "NaN"],
    [async () => (await Stream.create({ seed })).round([1], [0.5], { method: "strips" }), "Error", "unsupported", "sigma[0]", "0.5"],
    [() => BigGaussian.create({ sigma: -1 }), "RangeError", "out-of-range", "sigma", "-1"],
    [() => verify(new Int8Array(5), { sigma: 3, modulus: 1 }), "RangeError", "out-of-range", "modulus", "1"],
    [() => verify(new Int8Array(5), { sigma: 3, modulus: "q" }), "Error", "not-a-number", "modulus", "q"],
    [() => verify(new Int8Array(5), { sigma: 0 }), "RangeError", "out-of-range", "sigma", "0"],
    [async () => (await Stream.create({ seed })).round([1], "x"), "Error", "not-a-number", "sigma", "x"],
    [() => DiscreteGaussian.create({ sigma: 3, seed: "07" }), "Error", "other", "seed", undefined],
    [() => DiscreteGaussian.create(any(null)), "TypeError", "type", "options", "null"],
    [() => d.fillAt(-1, new Int16Array(9)), "RangeError", "out-of-range", "first", "-1"],
    [() => d.fill(any([1, 2])), "TypeError", "type", "array", "Array"],
    [() => d.fill(any(new Uint8Array([7]))), "TypeError", "type", "array", "Uint8Array"],
    [async () => (await Stream.create({ seed })).round([1, any({})], 3, { method: "karney" }), "TypeError", "type", "centers[1]", "Object"],
    [async () => (await Stream.create({ seed })).round([1000], 3, { out: new Int8Array(1) }), "Error", "other", "out", "Int8Array"],
    [() => verify(new Int8Array(5), any({ sigma: 3 }), .../** @type {[]} */ (any([{ threads: 2 }]))), "TypeError", "type", "arguments[2]", "Object"],
    [() => d.chunks(any({ length: "10" })), "TypeError", "type", "length", "10"],
    [() => gone.sample(), "Error", "disposed", undefined, undefined],
    // An error of a worker is the same as one of this thread.
    [() => fillParallel(new Int8Array(9), { sigma: 215 }), "Error", "other", "array", "Int8Array"],
    [() => WorkerGaussian.create({ sigma: -1 }), "RangeError", "out-of-range", "sigma", "-1"],
    [() => verify(new Int8Array(5), { sigma: 3 }), "RangeError", "out-of-range", "samples", undefined],
    [() => verify(any("text"), { sigma: 3 }), "TypeError", "type", "samples", "String"],
    [() => DiscreteGaussian.create({ sigma: 3, module: any(5) }), "TypeError", "type", "module", "5"],
    [async () => (await schemes.Schemes.create()).bliss(any({ set: "Z" })), "Error", "unknown", "set", "Z"],
    [async () => (await schemes.Schemes.create()).regev(any({})), "Error", "missing", "set", undefined],
    [async () => (await schemes.Schemes.create()).lp11({ set: "ring-256", noise: "precision=1" }), "Error", "unsupported", "precision", "1"],
    [async () => (await schemes.Schemes.create()).lp11({ set: "ring-256", noise: "precision=999" }), "RangeError", "out-of-range", "precision", "999"],
    [async () => (await schemes.Schemes.create()).bliss({ set: "0" }), "Error", "unsupported", "set", "0"],
    [async () => (await schemes.Schemes.create()).bliss({ set: "I" }).readPublicKey(new Uint8Array(5)), "Error", "other", "key", undefined],
  ];
  for (const [act, ...expected] of cases) {
    await assert.rejects(async () => act(), (/** @type {any} */ error) => {
      assert.ok(error instanceof SamplezError && error instanceof Error, `${act}`);
      assert.deepEqual([error.name, error.kind, error.argument, error.value], expected, `${act}: ${error}`);
      assert.ok(!Object.keys(error).includes("name"));
      return true;
    });
  }
  const isOther = (/** @type {unknown} */ error) => error instanceof inline.SamplezError && error.kind === "other";
  await assert.rejects(inline.DiscreteGaussian.create({ sigma: 3, simd: false }), isOther);
  assert.equal(schemes.SamplezError, SamplezError);
});

test("node: every method of every object refuses another this", async () => {
  const table = await buildTable("sigma=3.2");
  const made = [
    await DiscreteGaussian.create({ sigma: 3.2 }), await OtherNoise.create({ ternary: true }), await BigGaussian.create({ sigma: 3 }), await Stream.create(),
    await TableNoise.create({ entries: [9288, 8720, 7216, 5264, 3384, 1918, 958, 422, 164, 56, 17, 4, 1], form: "frodo", sigma: "2.8" }), await WorkerGaussian.create({ sigma: 3 }), await CoreGaussian.create({ table }),
    await schemes.Schemes.create(),
  ];
  const [bliss, lp11] = [any(made[7]).bliss({ set: "I", noise: "method=cdt-guided", signer: "plain" }), any(made[7]).lp11({ set: "ring-256", noise: "method=cdt-guided" })];
  let count = 0;
  for (const object of [...made, bliss, lp11, ...Object.values(bliss.keygen({ seed: 1 })), ...Object.values(lp11.keygen({ seed: 1 }))]) {
    for (let type = Object.getPrototypeOf(object); type !== Object.prototype; type = Object.getPrototypeOf(type)) {
      for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(type))) {
        if (name === "constructor" || typeof value !== "function") continue;
        for (const other of [undefined, {}, new Proxy(object, {})]) {
          count++;
          await assert.rejects(async () => value.call(other), (/** @type {any} */ error) => error instanceof SamplezError && error.kind === "type" && error.argument === "this" && error.message.includes(`d.${name}(`), `${name} of ${typeof other}`);
        }
      }
    }
    object.dispose?.();
  }
  assert.ok(count > 300, `${count}`);
});

test("node: a failure of loading or of entropy has its kind and its cause", async (t) => {
  const module = Promise.reject(new Error("offline"));
  await assert.rejects(DiscreteGaussian.create({ sigma: 3, module }), (/** @type {any} */ error) => error.kind === "load" && error.cause.message === "offline" && error.argument === undefined);
  t.mock.method(crypto, "getRandomValues", () => {
    throw new Error("out of order");
  });
  await assert.rejects(DiscreteGaussian.create({ sigma: 3 }), (/** @type {any} */ error) => error.kind === "entropy" && error instanceof SamplezError);
});

test("node: a sampler is made by create, and new says so", () => {
  for (const type of [DiscreteGaussian, Stream, WorkerGaussian, schemes.Schemes]) {
    const message = new RegExp(`^TypeError: new ${type.name}: use await ${type.name}\\.create\\(…\\), which loads the module first$`);
    assert.throws(() => new (any(type))({ sigma: 3 }), message);
    assert.throws(() => new (any(type))(), message);
  }
});

test("node: what JSON keeps makes the sampler again, but for its seed", async () => {
  const d = await DiscreteGaussian.create({ sigma: "16/5", method: "cdt", source: "chacha8", seed });
  const kept = any(JSON.parse(JSON.stringify({ d })).d);
  assert.deepEqual({ ...kept }, { recipe: "sigma=16/5,method=cdt,precision=128", source: "chacha8" });
  const again = await DiscreteGaussian.create({ ...kept, seed });
  assert.deepEqual(again.fill(new Int8Array(99)), d.fill(new Int8Array(99)));
  const there = await WorkerGaussian.create({ ...kept, seed });
  assert.deepEqual(there.toJSON(), kept);
  there.dispose();
  assert.equal(JSON.stringify(await Stream.create({ seed, source: "salsa20" })), '{"source":"salsa20"}');
});
