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
