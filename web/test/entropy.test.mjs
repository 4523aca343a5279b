// Every export under a host whose random bytes fail or repeat.
// @ts-check

import assert from "node:assert/strict";
import { test } from "node:test";
import * as core from "../dist/core/index.js";
import { buildTable } from "../dist/core/table.js";
import * as samplez from "../dist/index.js";
import * as schemes from "../dist/schemes/index.js";

/** @typedef {() => unknown} Call */
/** @type {any} */
const all = { ...samplez, ...core, ...schemes };
const FRODO = [9288, 8720, 7216, 5264, 3384, 1918, 958, 422, 164, 56, 17, 4, 1];

/** Calls of every export that asks the host for bytes, with no seed or with the source "os"; null for an export that takes none. */
/** @type {Record<string, (() => Promise<Call[]>) | null>} */
const CALLS = {
  BigGaussian: async () => {
    const os = await all.BigGaussian.create({ sigma: "1e30", source: "os" });
    return [() => all.BigGaussian.create({ sigma: 3 }), () => os.draw(100)];
  },
  CoreGaussian: async () => {
    const table = await buildTable("sigma=3.2");
    return [() => all.CoreGaussian.create({ table })];
  },
  DiscreteGaussian: async () => {
    const os = await all.DiscreteGaussian.create({ sigma: 3.2, source: "os" });
    const out = new Int8Array(100);
    const wiped = () => {
      out.fill(77);
      try {
        os.fill(out);
      } finally {
        assert.ok(out.every((value) => value === 0));
      }
    };
    return [() => all.DiscreteGaussian.create({ sigma: 3.2 }), wiped];
  },
  OtherNoise: async () => [() => all.OtherNoise.create({ ternary: true })],
  SamplezError: null,
  Schemes: async () => {
    const bliss = (await all.Schemes.create()).bliss({ set: "I" });
    return [() => bliss.keygen()];
  },
  Stream: async () => {
    const os = await all.Stream.create({ source: "os" });
    return [() => all.Stream.create({}), () => os.round([1, 2, 3], 3)];
  },
  TableNoise: async () => [() => all.TableNoise.create({ entries: FRODO, form: "frodo", sigma: "2.8" })],
  WorkerGaussian: async () => [() => all.WorkerGaussian.create({ sigma: 3.2 })],
  fillParallel: async () => [() => all.fillParallel(new Int8Array(100), { sigma: 3.2 })],
  methods: null,
  residues: null,
  sources: null,
  verify: null,
};

const COUNT = 30_000;
/** @param {AsyncIterable<unknown>} pieces */
const allOf = async (pieces) => {
  for await (const _ of pieces);
};
/** Runs a call of one sample until the host is asked again. @param {() => unknown} call */
const often = (call) => () => {
  for (let i = 0; i < COUNT; i++) call();
};
/** Fills an array, which must be zeros after a failure. @param {any} out @param {(out: any) => unknown} call */
const zeroed = (out, call) => async () => {
  out.fill(out instanceof BigInt64Array ? 77n : 77);
  try {
    await call(out);
  } finally {
    assert.ok(out.every((/** @type {unknown} */ value) => Number(value) === 0), "integers are left");
  }
};
/** The draws of an array of samples. @param {any} os */
const ofSamples = (os) => ({
  fill: zeroed(new Int16Array(COUNT), (out) => os.fill(out)),
  fillAt: zeroed(new BigInt64Array(COUNT), (out) => os.fillAt(8192 * 1000, out)),
  sample: often(() => os.sample()),
  sampleBigInt: often(() => os.sampleBigInt()),
  chunks: () => allOf(os.chunks({ count: COUNT })),
  readable: () => allOf(os.readable({ count: COUNT })),
});

/** The methods that draw over the source "os", or by a fresh seed. @type {Record<string, () => Promise<Record<string, Call>>>} */
const DRAWS = {
  BigGaussian: async () => {
    const os = await all.BigGaussian.create({ sigma: "1e30", source: "os" });
    return { draw: () => os.draw(COUNT), sample: often(() => os.sample()), chunks: () => allOf(os.chunks({ count: COUNT })) };
  },
  DiscreteGaussian: async () => ofSamples(await all.DiscreteGaussian.create({ sigma: 3.2, source: "os" })),
  OtherNoise: async () => ofSamples(await all.OtherNoise.create({ skellam: 3, source: "os" })),
  Stream: async () => {
    const [os, centers] = [await all.Stream.create({ source: "os" }), new Float64Array(COUNT)];
    return {
      round: zeroed(new Int16Array(COUNT), (out) => os.round(centers, 3, { out })),
      sample: zeroed(new BigInt64Array(COUNT), (out) => os.sample(3, centers, { out })),
      sparseTernary: zeroed(new Int8Array(COUNT), (out) => os.sparseTernary(out, 9000)),
    };
  },
  TableNoise: async () => ofSamples(await all.TableNoise.create({ entries: FRODO, form: "frodo", sigma: "2.8", source: "os" })),
};
/** The other methods of these classes. */
const QUIET =
  "constructor certificate dispose pmf logpmf cdf logcdf sf logsf mass ppf ppfBigInt isf isfBigInt median interval mean var std stats moment expect entropy support toJSON toString live".split(" ");

/** The names of an object's methods. @param {any} type */
function methodsOf(type) {
  const names = new Set();
  for (let of = type.prototype; of !== Object.prototype; of = Object.getPrototypeOf(of)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(of))) if (typeof value === "function") names.add(name);
  }
  return names;
}

/** What the host does in place of `crypto.getRandomValues`. */
/** @type {Record<string, (array: Uint8Array) => Uint8Array>} */
const FAULTS = {
  "fails at once": () => {
    throw new Error("out of order");
  },
  zeros: (array) => array.fill(0),
  "the same bytes": (array) => array.map((_, i) => (array[i] = i * i + 7)),
  "a short period": (array) => array.map((_, i) => (array[i] = [3, 1, 4, 1, 5][i % 5] ?? 0)),
};

test("node: the list has every export", () => assert.deepEqual(Object.keys(CALLS), Object.keys(all).sort()));

for (const [name, calls] of Object.entries(CALLS)) {
  if (calls === null) continue;
  test(`node: ${name} over a host without random bytes is an error`, async (t) => {
    const made = await calls();
    for (const [fault, give] of Object.entries(FAULTS)) {
      const host = t.mock.method(crypto, "getRandomValues", give);
      for (const call of made) await assert.rejects(async () => call(), { kind: "entropy" }, `${fault}: ${call}`);
      host.mock.restore();
    }
  });
}

for (const [name, draws] of Object.entries(DRAWS)) {
  test(`node: every draw of ${name} over a host that fails at once or later is an error`, async (t) => {
    const names = Object.keys(await draws());
    assert.deepEqual([...methodsOf(all[name])].filter((method) => !QUIET.includes(method)).sort(), names.sort());
    for (const [fault, give] of Object.entries(FAULTS)) {
      for (const method of names) {
        for (const good of [0, 2, 6]) {
          let calls = 0;
          const { [method]: call } = await draws();
          const real = crypto.getRandomValues.bind(crypto);
          const host = t.mock.method(crypto, "getRandomValues", (/** @type {Uint8Array<ArrayBuffer>} */ array) => (calls++ < good ? real(array) : give(array)));
          try {
            await assert.rejects(async () => call?.(), { kind: "entropy" }, `${fault} after ${good} calls: ${method}`);
          } finally {
            host.mock.restore();
          }
        }
      }
    }
  });
}

test("node: an alarm of the health tests wipes the output", async () => {
  const { getRandomValues } = crypto;
  /** @type {[any, any][]} */
  const cases = [
    [await all.DiscreteGaussian.create({ sigma: 3.2, source: "os" }), new Int8Array(100)],
    [await all.OtherNoise.create({ skellam: 3, source: "os" }), new Int16Array(100)],
  ];
  crypto.getRandomValues = (array) => {
    getRandomValues.call(crypto, array);
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).subarray(100, 116).fill(5);
    return array;
  };
  try {
    for (const [os, out] of cases) {
      out.fill(77);
      assert.throws(() => os.fill(out), { kind: "entropy", message: /repetition count test/ });
      assert.ok(out.every((/** @type {number} */ value) => value === 0));
    }
  } finally {
    crypto.getRandomValues = getRandomValues;
  }
});
