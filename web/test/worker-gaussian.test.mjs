// Samplers in workers, and what stops them.
// @ts-check

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { DiscreteGaussian, WorkerGaussian, fillParallel } from "../dist/index.js";

const web = fileURLToPath(new URL("..", import.meta.url));
const seed = Uint8Array.from({ length: 32 }, (_, i) => 7 * i);
const options = { sigma: "3.2", seed };
/** A table that takes a second to build. @type {import("../dist/index.js").Options} */
const slow = { sigma: "1e4", method: "cdt", seed };
/** One that would take half a minute. @type {import("../dist/index.js").Options} */
const endless = { sigma: "1.6e5", method: "ziggurat", seed };
const any = (/** @type {unknown} */ value) => /** @type {any} */ (value);

test("node: a worker's samples and description are those of a sampler here", async () => {
  const here = await DiscreteGaussian.create(options);
  const there = await WorkerGaussian.create(options);
  assert.deepEqual([there.plan, there.recipe, there.sigma, there.typical, there.source], [here.plan, here.recipe, here.sigma, here.typical, here.source]);
  assert.deepEqual(there.certificate(), here.certificate());
  const all = here.fillAt(0, new Int16Array(700_000));
  // Calls that are not waited for have their places all the same.
  const [a, b, c] = await Promise.all([there.fill(new Int16Array(300_001)), there.fill(new Int32Array(9)), there.fillAt(5, new BigInt64Array(4))]);
  assert.deepEqual(a, all.subarray(0, 300_001));
  assert.deepEqual(Array.from(b), Array.from(all.subarray(300_001, 300_010)));
  assert.deepEqual(Array.from(c, Number), Array.from(all.subarray(5, 9)));
  assert.equal(there.position, 300_010n);
  let at = 300_010;
  for await (const chunk of there.chunks({ count: 200_000, type: Int16Array })) {
    assert.deepEqual(chunk, all.subarray(at, at + chunk.length));
    at += chunk.length;
  }
  const { value } = await there.readable({ type: Int8Array, length: 3 }).getReader().read();
  assert.deepEqual(Array.from(value ?? []), Array.from(all.subarray(at, at + 3)));
  assert.equal((await there.fill(new Int8Array(0))).length, 0);
  there.dispose();
});

test("node: this thread goes on while a table is built, and an abort stops that", async () => {
  const controller = new AbortController();
  let ticks = 0;
  // A thread that builds has no ticks, so nothing would be aborted.
  const timer = setInterval(() => void (++ticks === 30 && controller.abort(new Error("enough"))), 5);
  await assert.rejects(WorkerGaussian.create(endless, { signal: controller.signal }), /^Error: enough$/);
  clearInterval(timer);
  assert.equal(ticks, 30);
  // fillParallel builds no table here either.
  ticks = 0;
  const watch = setInterval(() => void ticks++, 1);
  await fillParallel(new Int32Array(9), slow);
  clearInterval(watch);
  assert.ok(ticks > 2, `${ticks} ticks`);
  await assert.rejects(WorkerGaussian.create(options, { signal: AbortSignal.abort(new Error("never")) }), /never/);
});

test("node: progress rises to the end while a table is built, here and in a worker", async () => {
  /** @type {[done: number, of: number][]} */
  let reports = [];
  const onProgress = (/** @type {number} */ done, /** @type {number} */ of) => void reports.push([done, of]);
  // A clock that each look at it moves by a millisecond.
  const [real, from] = [performance.now, performance.now()];
  let looks = 0;
  performance.now = () => from + ++looks;
  try {
    for (const create of [DiscreteGaussian.create, WorkerGaussian.create]) {
      [reports, looks] = [[], 0];
      (await Reflect.apply(create, create === DiscreteGaussian.create ? DiscreteGaussian : WorkerGaussian, [slow, { onProgress }])).dispose();
      // 126,000 rows, in two passes.
      const [last] = reports.slice(-1);
      assert.ok(last && last[0] === last[1] && last[1] > 200_000, `${last}`);
      reports.forEach(([done, of], i) => {
        const [before = 0, whole = 1] = reports[i - 1] ?? [];
        assert.ok(Number.isInteger(done) && done / of > before / whole && of === last[1], `${before} of ${whole}, ${done} of ${of}`);
      });
      // A worker has a clock of its own.
      if (create === DiscreteGaussian.create) assert.ok(looks > 500 && Math.abs(reports.length - looks / 50) <= 2, `${reports.length} of ${looks}`);
    }
    reports = [];
    performance.now = () => from;
    (await DiscreteGaussian.create(options, { onProgress })).dispose();
    assert.ok(reports.length < 3);
  } finally {
    performance.now = real;
  }
});

test("node: an error of onProgress is that of the call, at once", async () => {
  let [thrown, after] = [0, 0];
  const watch = {
    onProgress: (/** @type {number} */ done) => {
      after += thrown;
      if (done <= 50_000) return;
      thrown = 1;
      throw new RangeError("no more");
    },
  };
  await assert.rejects(WorkerGaussian.create({ ...slow, sigma: "1e5" }, watch), /^RangeError: no more$/);
  assert.deepEqual([thrown, after], [1, 0]);
  thrown = 0;
  await assert.rejects(DiscreteGaussian.create({ ...slow, sigma: "1e5" }, watch), /^RangeError: no more$/);
  assert.deepEqual([thrown, after], [1, 0]);
  await assert.rejects(WorkerGaussian.create(options, any({ onProgress: 5 })), /^TypeError: onProgress = 5: expected a function$/);
  await assert.rejects(DiscreteGaussian.create(options, any({ onProgress: {} })), /^TypeError: onProgress = Object: expected a function$/);
});

test("node: an abort while a table is built leaves nothing that runs", () => {
  // The table would take half a minute.
  const program = `import("./dist/index.js").then(async (s) => {
    const controller = new AbortController();
    const onProgress = () => controller.abort(new Error("enough"));
    const end = await s.WorkerGaussian.create({ sigma: "1.6e5", method: "ziggurat" }, { signal: controller.signal, onProgress }).catch((error) => error.message);
    const left = () => process.getActiveResourcesInfo().filter((name) => /Worker|MessagePort/.test(name)).length;
    for (let i = 0; i < 3000 && left() > 0; i++) await new Promise((resolve) => setTimeout(resolve, 50));
    console.log(end, left());
  })`;
  assert.equal(execFileSync(process.execPath, ["-e", program], { cwd: web, encoding: "utf8", timeout: 180_000 }), "enough 0\n");
});

test("node: an abort ends a fill, and the sampler goes on; dispose ends all", async () => {
  const d = await WorkerGaussian.create(options);
  const controller = new AbortController();
  const long = d.fill(new Int16Array(2e7), { signal: controller.signal });
  setTimeout(() => controller.abort(new Error("enough")), 5);
  await assert.rejects(long, /^Error: enough$/);
  const next = await d.fill(new Int16Array(9));
  assert.deepEqual(next, (await DiscreteGaussian.create(options)).fillAt(2e7, new Int16Array(9)));
  const left = d.fill(new Int16Array(2e7));
  setTimeout(() => d.dispose(), 5);
  await assert.rejects(left, /^Error: this WorkerGaussian has been disposed of$/);
  await assert.rejects(d.fill(new Int16Array(9)), /disposed of/);
  d.dispose();
});

test("node: mistakes are those of a sampler here", async () => {
  await assert.rejects(WorkerGaussian.create({ sigma: -1 }), /^RangeError: sigma = -1: expected a number greater than 0$/);
  await assert.rejects(WorkerGaussian.create(any({ sigma: 3, sigmaa: 3 })), /^Error: sigmaa: no such option/);
  await assert.rejects(WorkerGaussian.create({ sigma: 3, seed: "07" }), /^Error: seed: a seed is 64 hexadecimal digits/);
  await assert.rejects(WorkerGaussian.create({ sigma: 3 }, any({ signal: 5 })), /^TypeError: signal = 5: expected an AbortSignal$/);
  await assert.rejects(WorkerGaussian.create(any({ sigma: 3, signal: new AbortController().signal })), /^Error: signal: no such option; there are sigma, .*, module, simd; WorkerGaussian\.create and fillParallel take a signal in the last argument$/);
  const control = { signal: new AbortController().signal };
  await assert.rejects(Reflect.apply(WorkerGaussian.create, WorkerGaussian, any([{ sigma: 3 }, {}, control])), /^TypeError: arguments\[2\] = Object: no such argument; options go into the second$/);
  await assert.rejects(WorkerGaussian.create(any(undefined)), /options = undefined: expected an object/);
  const d = await WorkerGaussian.create({ sigma: 215, seed });
  await assert.rejects(d.fill(new Int8Array(9)), /^Error: array = Int8Array: the samples range from -2818/);
  await assert.rejects(d.fill(any([])), /^TypeError: array = Array: expected/);
  await assert.rejects(d.fillAt(-1, new Int16Array(9)), /^RangeError: first = -1: expected a number between/);
  await assert.rejects(d.fillAt(2n ** 64n - 1n, new Int16Array(2)), /first = 18446744073709551615: expected at most 18446744073709551614 with 2 samples/);
  for (const call of [d.chunks, d.readable]) assert.throws(() => Reflect.apply(call, d, any([{}, control])), /^TypeError: arguments\[1\] = Object: no such argument/);
  assert.equal(`${d}`, `WorkerGaussian(${d.recipe})`);
  d.dispose();
});

test("node: a refused array takes no samples", async () => {
  const there = await WorkerGaussian.create({ sigma: 215, seed });
  await assert.rejects(there.fill(new Int8Array(10)), /^Error: array = Int8Array: the samples range from -2818 to 2818/);
  assert.equal(there.position, 0n);
  const here = await DiscreteGaussian.create({ sigma: 215, seed });
  assert.deepEqual(await there.fill(new Int16Array(10)), here.fill(new Int16Array(10)));
  there.dispose();
});

test("node: a program that forgets a worker ends", () => {
  const program = 'import("./dist/index.js").then(async (s) => console.log((await (await s.WorkerGaussian.create({ sigma: 3, seed: 1 })).fill(new Int8Array(3))).length))';
  assert.equal(execFileSync(process.execPath, ["-e", program], { cwd: web, encoding: "utf8", timeout: 180_000 }), "3\n");
});
