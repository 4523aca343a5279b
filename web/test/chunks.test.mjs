// Samples in chunks, and integers that are judged as they come.
// @ts-check

import assert from "node:assert/strict";
import { test } from "node:test";
import { DiscreteGaussian, verify } from "../dist/index.js";

const seed = Uint8Array.from({ length: 32 }, (_, i) => 7 * i);
const create = (/** @type {any} */ more = {}) => DiscreteGaussian.create({ sigma: "3.2", seed, ...more });
const any = (/** @type {unknown} */ value) => /** @type {any} */ (value);

test("node: chunks are the samples of fill, in any lengths and types", async () => {
  const all = (await create()).fill(new Int16Array(200_000));
  for (const options of [{ count: 200_000 }, { count: 200_000n, length: 77_777, type: Int32Array }, { count: 200_000, length: 8192, type: BigInt64Array }]) {
    const d = await create();
    /** @type {number[]} */
    const lengths = [];
    let at = 0;
    for await (const chunk of d.chunks(any(options))) {
      assert.deepEqual(Array.from(chunk, Number), Array.from(all.subarray(at, at + chunk.length)));
      assert.ok(chunk instanceof (options.type ?? Int8Array));
      lengths.push(chunk.length);
      at += chunk.length;
    }
    assert.equal(at, 200_000);
    assert.ok(lengths.slice(0, -1).every((length) => length === (options.length ?? 65536)), lengths.join());
    assert.equal(d.position, 200_000n);
  }
  const none = [];
  for await (const chunk of (await create()).chunks({ count: 0 })) none.push(chunk);
  assert.deepEqual(none, []);
});

test("node: without a count there is no end, and who leaves leaves the sampler in order", async () => {
  const d = await create();
  let seen = 0;
  for await (const chunk of d.chunks({ length: 1000 })) if ((seen += chunk.length) === 5000) break;
  assert.equal(d.position, 5000n);
  const next = (await create()).fillAt(5000, new Int16Array(9));
  assert.deepEqual(d.fill(new Int16Array(9)), next);
});

test("node: a stream draws no chunk before it is asked for, and ends when it is told to", async () => {
  const d = await create();
  const reader = d.readable({ length: 1000, type: Int16Array }).getReader();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(d.position, 0n);
  const { value } = await reader.read();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(d.position, 1000n);
  assert.deepEqual(value, (await create()).fill(new Int16Array(1000)));
  await reader.cancel();
  assert.deepEqual([(await reader.read()).done, d.position], [true, 1000n]);
  assert.equal(d.fill(new Int16Array(9)).length, 9);
  // A slow writer holds the drawing back.
  const piped = await create();
  let most = 0;
  let got = 0;
  await piped.readable({ count: 20_000, length: 1000 }).pipeTo(
    new WritableStream({
      write: async (chunk) => {
        await new Promise((resolve) => setTimeout(resolve, 2));
        got += chunk.length;
        most = Math.max(most, Number(piped.position) - got);
      },
    }),
  );
  assert.equal(got, 20_000);
  assert.ok(most <= 2000, `${most} samples ahead`);
});

test("node: chunks stop by a signal and by dispose, and let other work run", async () => {
  const d = await create();
  const controller = new AbortController();
  let ticks = 0;
  const timer = setInterval(() => void (++ticks === 3 && controller.abort(new Error("enough"))), 1);
  await assert.rejects(async () => {
    for await (const _ of d.chunks({ signal: controller.signal })) { /* all that there is */ }
  }, /enough/);
  clearInterval(timer);
  assert.ok(ticks >= 3);
  await assert.rejects(async () => {
    for await (const _ of d.chunks()) d.dispose();
  }, /^Error: this DiscreteGaussian has been disposed of$/);
  assert.throws(() => d.chunks(), /disposed of/);
});

test("node: what is wrong with chunks is said at once", async () => {
  const d = await create({ sigma: 215 });
  assert.throws(() => d.chunks(any({ size: 3 })), /^Error: size: no such option; there are length, count, type, signal; write count for all samples, or length for a chunk$/);
  for (const length of [0, 1.5, -1, NaN, 2 ** 31]) assert.throws(() => d.chunks(any({ length })), /^RangeError: length = .*: expected an integer from 1 to 2\^30$/);
  assert.throws(() => d.chunks({ count: -1 }), /^RangeError: count = -1: expected 0 or more$/);
  assert.throws(() => d.chunks({ count: 0.5 }), /^RangeError: count = 0\.5: expected an integer/);
  assert.throws(() => d.readable(any({ type: Uint8Array })), /^TypeError: type = Uint8Array: expected Int8Array, Int16Array, Int32Array or BigInt64Array$/);
  assert.throws(() => d.chunks(any({ signal: 5 })), /^TypeError: signal = 5: expected an AbortSignal$/);
  assert.throws(() => d.chunks(any(null)), /^TypeError: options = null: expected an object$/);
  await assert.rejects(d.readable({ type: Int8Array }).getReader().read(), /^Error: array = Int8Array: the samples range from -2818/);
});

test("node: a stream is judged as the array that it is, and closed when it fails", async () => {
  const whole = await verify((await create()).fill(new Int16Array(100_000)), { sigma: "3.2" });
  const streamed = (await create()).readable({ count: 100_000, length: 777 });
  assert.deepEqual(await verify(streamed, { sigma: "3.2" }), whole);
  assert.deepEqual(await verify((await create()).chunks({ count: 100_000 }), { sigma: "3.2" }), whole);
  // As in engines whose streams are no async iterables.
  const bare = (/** @type {ReadableStream} */ stream) => any({ getReader: () => stream.getReader() });
  assert.deepEqual(await verify(bare((await create()).readable({ count: 100_000 })), { sigma: "3.2" }), whole);
  for (const wrap of [bare, (/** @type {ReadableStream} */ stream) => stream]) {
    /** @type {unknown[]} */
    const cancelled = [];
    const source = () => new ReadableStream({ pull: (to) => to.enqueue(new DataView(new ArrayBuffer(3))), cancel: () => void cancelled.push("cancelled") });
    await assert.rejects(verify(wrap(source()), { sigma: 3 }), /^TypeError: a piece of samples = DataView: expected a typed array of integers, such as an Int8Array/);
    assert.deepEqual(cancelled, ["cancelled"]);
    const broken = new ReadableStream({ pull: () => Promise.reject(new Error("the line is cut")) });
    await assert.rejects(verify(wrap(broken), { sigma: 3 }), /the line is cut/);
  }
});
