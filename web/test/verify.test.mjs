// Verdicts on integers, in Node: those of the command, to the last digit.
// @ts-check

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { DiscreteGaussian, OtherNoise, verify } from "../dist/index.js";
import { CASES, canonical, checkVerdicts, drawn, sha256 } from "./verify-vectors.mjs";

/** @typedef {import("../dist/index.js").Report} Report */

const SAMPLEZ = process.env["SAMPLEZ"] ?? fileURLToPath(new URL("../../target/debug/samplez", import.meta.url));
const folder = fileURLToPath(new URL("../build/verify", import.meta.url));
const DTYPES = { Int8Array: "i8", Int16Array: "i16", Int32Array: "i32", BigInt64Array: "i64" };

before(() => mkdirSync(folder, { recursive: true }));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A name of another language, here. @param {string} name */
const camel = (name) => name.replace(/[_-]([a-z0-9])/g, (_, letter) => letter.toUpperCase());

/** The fields of a report that only two samples have. */
const ALONE = { m: null, shared: null };

/** What the command says of integers, by the names that things have here.
 * @param {import("../dist/index.js").SampleArray} samples @param {Pick<typeof CASES[number], "type" | "law">} of @returns {Report} */
function said(samples, { type, law }) {
  const file = join(folder, "samples.raw");
  writeFileSync(file, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
  const name = (/** @type {string} */ option) => (option === "discreteLaplace" ? "laplace" : option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
  const arguments_ = Object.entries(law).map(([option, value]) => `--${name(option)}${value === true ? "" : `=${value}`}`);
  const { stdout, stderr, status } = spawnSync(SAMPLEZ, ["verify", file, "--dtype", DTYPES[type], "--json", "--quiet", ...arguments_], { encoding: "utf8" });
  assert.ok(status === 0 || status === 1, `${arguments_.join(" ")}: ${stderr}`);
  const { alternative, ...report } = JSON.parse(stdout, (_, value) =>
    value === null || typeof value !== "object" || Array.isArray(value) ? value : Object.fromEntries(Object.entries(value).map(([name, of]) => [camel(name), of])),
  );
  // The command alone tries another distribution.
  assert.notEqual(alternative, undefined);
  return report;
}

for (const found of CASES) {
  test(`node: the command's verdict, ${found.name}`, async () => {
    const samples = await drawn({ DiscreteGaussian }, found);
    const [ours, theirs] = [await verify(samples, found.law), said(samples, found)];
    assert.deepEqual(ours, { ...theirs, ...ALONE });
    assert.equal(ours.consistent, found.consistent);
    assert.equal(await sha256(canonical(theirs)), found.sha256, "the vector is not the command's");
  });
}

test("node: the command's verdict, laws that are no Gaussian", async () => {
  /** @type {[import("../dist/index.js").OtherLaw, bigint][]} */
  const laws = [[{ ternary: true }, 3n], [{ centeredBinomial: 21 }, 16n], [{ tuniform: 6 }, 9n], [{ skellam: "5/2" }, 16n], [{ discreteLaplace: "1.5" }, 16n], [{ discreteLaplace: 1e9 }, 2n ** 40n]];
  for (const [law, modulus] of laws) {
    const samples = (await OtherNoise.create({ ...law, seed: 1 })).fill(new BigInt64Array(20_000));
    const residues = samples.map((x) => ((x % modulus) + modulus) % modulus);
    /** @type {[BigInt64Array, import("../dist/index.js").VerifyOptions, boolean][]} */
    const cases = [[samples, law, true], [residues, { ...law, modulus }, true], [samples, { skellam: 3 }, false]];
    for (const [values, of, consistent] of cases) {
      const ours = await verify(values, of);
      assert.deepEqual(ours, { ...said(values, { type: "BigInt64Array", law: of }), ...ALONE });
      assert.equal(ours.consistent, consistent, String(ours.law));
    }
  }
});

test("node: the command's verdict, sums of laws", async () => {
  const [a, b] = [await OtherNoise.create({ centeredBinomial: 21, seed: 1 }), await DiscreteGaussian.create({ sigma: 3.2, seed: 2 })];
  const [first, second] = [a.fill(new BigInt64Array(20_000)), b.fill(new BigInt64Array(20_000))];
  const sums = first.map((x, i) => x - 100n * (second[i] ?? 0n));
  /** @type {[string, boolean][]} */
  const cases = [
    ["cbd=7,copies=3 - 100*sigma=3.2", true], // the sum of three is CBD(21)
    ["weights=-2: 1 + cbd=21 - 100*sigma=3.2 + weights=2: 1", true],
    ["cbd=7,copies=2 - 100*sigma=3.2", false],
    ["cbd=21 + 100*sigma=3.5", false],
  ];
  for (const [recipe, consistent] of cases) {
    const ours = await verify(sums, { recipe });
    assert.deepEqual(ours, { ...said(sums, { type: "BigInt64Array", law: { recipe } }), ...ALONE });
    assert.equal(ours.consistent, consistent, recipe);
    if (consistent) assert.deepEqual(await verify(sums, { recipe, threads: 2 }), ours);
  }
  const residues = sums.map((x) => ((x % 97n) + 97n) % 97n);
  const [law, modulus] = ["cbd=21 - 100*sigma=3.2", 97n];
  const ours = await verify(residues, { recipe: law, modulus });
  assert.deepEqual(ours, { ...said(residues, { type: "BigInt64Array", law: /** @type {any} */ ({ recipe: law, modulus }) }), ...ALONE });
  assert.ok(ours.consistent);
  /** @type {[object, string][]} */
  const wrong = [
    [{ recipe: "cbd=21 + 100*sgma=3.2" }, "sgma = 3.2: expected one of sigma, sigma_squared"],
    [{ recipe: "laplace=4 + x*ternary" }, "recipe = x*ternary: expected a whole number above 0 before the star, such as 1000*sigma=3.2"],
    [{ recipe: "laplace=4 + " }, "missing term: write a law, such as sigma=3.2, before and after each + and -"],
    [{ recipe: "cbd=2,copies=0" }, "copies = 0: expected a whole number from 1 to 2^20"],
    [{ recipe: "weights=0: 1 -2" }, "weights = 0: 1 -2: expected LOW: W W W, the least value and whole numbers, such as 0: 1 2 1"],
    [{ recipe: "laplace=1e6 + ternary" }, "recipe = DiscreteLaplace(1000000) + Ternary: expected at most 2^20 values"],
    [{ recipe: "ternary + ternary", center: 1 }, "center = 1: expected in the recipe, which is given"],
    [{ recipe: "ternary + ternary", ternary: true }, "ternary: expected in the recipe, which is given"],
    [{ recipe: "ternary + ternary", modulus: 1 }, "modulus = 1: expected a whole number from 2 to 2^64"],
  ];
  for (const [of, message] of wrong) {
    await assert.rejects(verify(sums, /** @type {any} */ (of)), (/** @type {Error} */ error) => error.message.startsWith(message) || assert.equal(error.message, message));
  }
});

/** What the command says of two samples. @param {import("../dist/index.js").SampleArray} first @param {import("../dist/index.js").SampleArray} second */
function saidOfBoth(first, second) {
  const files = [first, second].map((samples, i) => {
    const file = join(folder, `${i}.raw`);
    writeFileSync(file, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
    return file;
  });
  const [one = "", other = ""] = files;
  const { stdout, stderr, status } = spawnSync(SAMPLEZ, ["verify", one, "--against", other, "--dtype", "i16", "--json", "--quiet"], { encoding: "utf8" });
  assert.ok(status === 0 || status === 1, stderr);
  return JSON.parse(stdout, (_, value) =>
    value === null || typeof value !== "object" || Array.isArray(value) ? value : Object.fromEntries(Object.entries(value).map(([name, of]) => [camel(name), of])),
  );
}

test("node: two samples against each other, as the command has it", async () => {
  const d = await DiscreteGaussian.create({ sigma: 3.2, seed: 7 });
  const first = d.fill(new Int16Array(150_000));
  const second = d.fill(new Int16Array(100_000));
  const following = first.slice(0, 100_000).map((x, i) => (i % 9 === 0 ? x : second[i] ?? 0));
  const copied = second.slice();
  copied.set(first.subarray(500, 40_500), 50_000);
  for (const [against, consistent, family] of /** @type {const} */ ([[second, true], [following, false, "equal places"], [copied, false, "shared"]])) {
    const ours = await verify(first, { against });
    const { n: [n, m], ...theirs } = saidOfBoth(first, against);
    assert.deepEqual(ours, { ...theirs, n, m, law: null, modulus: null });
    assert.equal(ours.consistent, consistent);
    assert.deepEqual([ours.n, ours.m, ours.law], [150_000, 100_000, null]);
    const rejecting = ours.tests.filter(({ verdict }) => verdict === "reject").map(({ name }) => name);
    assert.ok(family === undefined ? rejecting.length === 0 : rejecting.some((name) => name.includes(family) || family === "shared"), String(rejecting));
    assert.equal((ours.shared?.sequences ?? 0) > 0, family === "shared");
    const pieces = function* () {
      for (const end of [0, 1, 4097, 70_000, 70_000, 150_000].map((_, i, ends) => [ends[i] ?? 0, ends[i + 1] ?? 150_000])) yield first.subarray(...end);
    };
    assert.deepEqual(await verify(pieces(), { against: (async function* () { yield* [Array.from(against)]; })() }), ours);
    const stream = new ReadableStream({ start: (stream) => (stream.enqueue(against), stream.close()) });
    assert.deepEqual(await verify(new Set([first]), { against: stream }), ours);
  }
  // An array may be compared with itself.
  const same = await verify(first, { against: first });
  assert.ok(!same.consistent && same.shared !== null && same.shared.sequences === same.shared.of && same.shared.of > 0);
});

test("node: of two samples both sources are closed, and nothing is left", async () => {
  let closed = 0;
  const pieces = function* (/** @type {unknown} */ last) {
    try {
      yield new Int8Array(70_000).fill(1);
      yield last;
    } finally {
      closed++;
    }
  };
  const of = (/** @type {unknown} */ first, /** @type {unknown} */ second) => verify(/** @type {any} */ (pieces(first)), { against: /** @type {any} */ (pieces(second)) });
  assert.equal((await of(new Int8Array(9), new Int8Array(9))).consistent, false);
  assert.equal(closed, 2);
  await assert.rejects(of(5, new Int8Array(9)), { message: /^a piece of samples = Number: expected a typed array of integers, such as an Int8Array/ });
  assert.equal(closed, 4);
  await assert.rejects(of(new Int8Array(9), [1, 2.5]), { message: /^a piece of against\[1\]: .*, not a fraction; round first, such as samples\.map\(Math\.round\)$/ });
  assert.equal(closed, 6);
  const once = pieces(1);
  await assert.rejects(verify(/** @type {any} */ (once), { against: /** @type {any} */ (once) }), { name: "TypeError", message: "against: is the same iterable as samples, whose values come once; pass a second one" });
});

test("node: another figure is found", async () => {
  const other = async (/** @type {any} */ samples, /** @type {any} */ law) => {
    const report = await verify(samples, law);
    return { ...report, tests: report.tests.map((test, i) => (i === 3 ? { ...test, pValue: (test.pValue ?? 0) * (1 + 2 ** -52) } : test)) };
  };
  const cases = CASES.filter(({ type }) => type === "Int8Array");
  assert.deepEqual((await checkVerdicts({ DiscreteGaussian, verify }, cases)).wrong, []);
  assert.deepEqual((await checkVerdicts({ DiscreteGaussian, verify: /** @type {any} */ (other) }, cases)).wrong, cases.map(({ name }) => `${name}, 1`));
});

test("node: what is wrong is told by the family that sees it", async () => {
  const rejecting = async (/** @type {string} */ name) => {
    const found = /** @type {typeof CASES[number]} */ (CASES.find((found) => found.name === name));
    const { tests } = await verify(await drawn({ DiscreteGaussian }, found), found.law);
    return tests.filter(({ verdict }) => verdict === "reject").map(({ name }) => name);
  };
  assert.ok((await rejecting("a wrong sigma")).includes("variance"));
  assert.ok((await rejecting("another centre")).includes("mean"));
  assert.ok((await rejecting("a sign too often")).includes("sign"));
  assert.ok((await rejecting("in order")).includes("runs"));
  assert.deepEqual(await rejecting("copied"), ["repeats", "all lags", "repeats at strides"]);
});

test("node: arrays of every type, of numbers and of BigInts, and pieces of them, are judged alike", async () => {
  const law = { sigma: "3.2" };
  const samples = (await DiscreteGaussian.create({ ...law, seed: 7 })).fill(new Int8Array(150_000));
  const want = await verify(samples, law);
  const numbers = Array.from(samples);
  const shared = new Int16Array(new SharedArrayBuffer(2 * samples.length));
  shared.set(samples);
  const arrays = [Int16Array.from(samples), Int32Array.from(samples), BigInt64Array.from(numbers.map(BigInt)), numbers, numbers.map(BigInt), shared, new Int8Array([99, ...samples]).subarray(1)];
  for (const array of arrays) assert.deepEqual(await verify(array, law), want);
  const cuts = [0, 1, 4097, 70_000, 70_000, 150_000];
  const pieces = cuts.slice(1).map((end, i) => (i % 2 ? samples : numbers).slice(cuts[i], end));
  assert.deepEqual(await verify(new Set(pieces), law), want);
  assert.deepEqual(await verify((function* () { yield* pieces; })(), law), want);
  assert.deepEqual(await verify((async function* () { yield* pieces; })(), law), want);
  assert.deepEqual(await verify(new ReadableStream({ start: (stream) => (pieces.forEach((piece) => stream.enqueue(piece)), stream.close()) }), law), want);
});

test("node: how wide integers are cut changes no rounding", async () => {
  const law = { sigma: 30_000 };
  const samples = (await DiscreteGaussian.create({ ...law, seed: 7 })).fill(new Int32Array(150_000));
  const pieces = [0, 1, 1500, 70_001].map((start, i, starts) => samples.subarray(start, starts[i + 1]));
  assert.deepEqual(await verify(pieces.values(), law), await verify(samples, law));
});

test("node: integral floats are the integers that they are, with workers too", async () => {
  const samples = (await DiscreteGaussian.create({ sigma: 3.2, seed: 1 })).fill(new Int16Array(70_000));
  const [law, others] = [{ sigma: 3.2 }, samples.map((x) => -x)];
  const report = await verify(samples, law);
  for (const type of [Float32Array, Float64Array]) {
    for (const threads of [1, 2]) assert.deepEqual(await verify(type.from(samples), { ...law, threads }), report);
    assert.deepEqual(await verify(type.from(samples), { against: type.from(others) }), await verify(samples, { against: others }));
  }
  const detached = Float64Array.from(samples);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  await assert.rejects(verify(detached, law), { message: "samples = Float64Array: its buffer is detached, and its values are gone" });
});

test("node: nothing is left of the samples in the module's memory, and an iterable is closed", async () => {
  /** @type {WebAssembly.Memory[]} */
  const memories = [];
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = /** @type {any} */ (async (/** @type {any} */ module, /** @type {any} */ imports) => {
    const instance = /** @type {any} */ (await instantiate(module, imports));
    memories.push(instance.exports.memory);
    return instance;
  });
  try {
    let closed = 0;
    const pieces = function* (/** @type {unknown} */ last) {
      try {
        yield new Int8Array(100_000).fill(1);
        yield last;
      } finally {
        closed++;
      }
    };
    const of = (/** @type {unknown} */ last) => verify(/** @type {any} */ (pieces(last)), { sigma: 3 });
    assert.equal((await of(new Int8Array(9))).consistent, false);
    await assert.rejects(of(5), { message: /^a piece of samples = Number: expected a typed array of integers, such as an Int8Array/ });
    await assert.rejects(of([1, 2.5]), { message: /^a piece of samples\[1\]: .*, not a fraction; round first, such as samples\.map\(Math\.round\)$/ });
    await assert.rejects(verify([1, 2, 3], { sigma: 3 }), { message: "samples: has 3 values: expected at least 100, which a verdict needs" });
    assert.deepEqual([closed, memories.length], [3, 4]);
    for (const { buffer } of memories) assert.ok(buffer.byteLength > 1 << 20 && new Uint8Array(buffer).every((byte) => byte === 0));
  } finally {
    WebAssembly.instantiate = instantiate;
  }
});

test("node: samples that were given away are missed, before and meanwhile", async () => {
  const message = "samples = Int8Array: its buffer is detached, and its values are gone";
  const samples = new Int8Array(1000);
  const judged = verify(samples, { sigma: 3 });
  structuredClone(samples, { transfer: [samples.buffer] });
  await assert.rejects(judged, { name: "TypeError", message });
  await assert.rejects(verify(samples, { sigma: 3 }), { name: "TypeError", message });
});

test("node: the report is the same for any number of threads, however the values come", async () => {
  const [wide, copied] = ["wide", "copied"].map((name) => CASES.find((found) => found.name === name));
  for (const found of [wide, copied]) {
    assert.ok(found);
    const samples = await drawn({ DiscreteGaussian }, found);
    const one = await verify(samples, found.law);
    const both = await verify(samples, { against: samples.subarray(7) });
    for (const threads of [2, 3, 1e6]) {
      const pieces = [samples.subarray(0, 70_001), Array.from(/** @type {any} */ (samples.subarray(70_001, 70_100))), samples.subarray(70_100)];
      assert.deepEqual(await verify(pieces.values(), { ...found.law, threads }), one, `${found.name}, ${threads}`);
      assert.deepEqual(await verify(samples, { against: samples.subarray(7), threads }), both, `${found.name}, ${threads}, against`);
    }
    // The caller's values are as they were.
    assert.deepEqual(samples, await drawn({ DiscreteGaussian }, found));
  }
});

test("node: a failure stops the workers, and closes the source of the pieces", async () => {
  let open = true;
  async function* pieces() {
    try {
      for (;;) yield new Int8Array(70_000);
    } finally {
      open = false;
    }
  }
  async function* wrong() {
    yield* [new Int8Array(70_000), /** @type {any} */ ([1, 0.5])];
  }
  await assert.rejects(verify(wrong(), { sigma: 3, threads: 2 }), /^RangeError: a piece of samples\[1\]: expected an integer/);
  await assert.rejects(verify(pieces(), { sigma: 0, threads: 2 }), /^RangeError: sigma = 0: expected a number greater than 0/);
  assert.ok(open, "it has not been read");
  const broken = new ReadableStream({
    start: (controller) => controller.enqueue(new Int8Array(500)),
    pull: (controller) => controller.error(new Error("cut off")),
  });
  await assert.rejects(verify(broken, { sigma: 3, threads: 2 }), /^Error: cut off$/);
  // A worker that is stopped ends a moment later.
  const left = () => process.getActiveResourcesInfo().includes("MessagePort");
  for (let i = 0; i < 10_000 && left(); i++) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(!left(), `${process.getActiveResourcesInfo()}`);
});

test("node: a signal given to the samples stops verify, with its reason", async () => {
  const d = await DiscreteGaussian.create({ sigma: 3 });
  for (const make of [d.chunks, d.readable]) {
    const controller = new AbortController();
    const samples = Reflect.apply(make, d, [{ signal: controller.signal }]);
    setTimeout(() => controller.abort(new Error("enough")), 20);
    await assert.rejects(verify(samples, { sigma: 3 }), /^Error: enough$/);
  }
});

test("node: residues of 64 bits, and integers beyond, as the command has them", async () => {
  const d = await DiscreteGaussian.create({ sigma: 3.2, seed: 7 });
  const noise = d.fill(new BigInt64Array(20_000));
  const words = new BigUint64Array(noise.buffer);
  /** @param {string} name @param {string} content @param {string[]} arguments_ */
  const command = (name, content, arguments_) => {
    const file = join(folder, name);
    writeFileSync(file, content);
    const { stdout, stderr } = spawnSync(SAMPLEZ, ["verify", file, "--json", "--quiet", ...arguments_], { encoding: "utf8" });
    assert.notEqual(stdout, "", stderr);
    return JSON.parse(stdout);
  };
  const goldilocks = 2n ** 64n - 2n ** 32n + 1n;
  for (const [values, modulus] of /** @type {const} */ ([
    [words, 2n ** 64n],
    [noise, 2n ** 64n],
    [Array.from(noise, (x) => ((x % goldilocks) + goldilocks) % goldilocks), goldilocks],
    [Uint32Array.from(noise, (x) => Number(BigInt.asUintN(32, x))), 2 ** 32],
    [Uint16Array.from(noise, (x) => Number(BigInt.asUintN(16, x))), "65536"],
  ])) {
    const theirs = command("residues.txt", `${[...values].join("\n")}\n`, ["--sigma=3.2", `--modulus=${modulus}`]);
    for (const threads of [1, 2]) {
      const ours = await verify(values, { sigma: 3.2, modulus, threads });
      assert.deepEqual([ours.law, ours.consistent, ours.tests.map(({ pValue }) => pValue)], [theirs.law, true, theirs.tests.map((/** @type {any} */ test) => test.p_value)]);
    }
    assert.equal((await verify(values, { sigma: 4, modulus })).consistent, false);
  }
  // The report on rejected residues names the modulus.
  for (const modulus of [12289n, 2n ** 32n, 2n ** 62n]) {
    const residues = noise.map((x) => ((x % modulus) + modulus) % modulus);
    const theirs = command("residues.txt", `${residues.join("\n")}\n`, ["--sigma=3.2"]);
    const { consistent, modulus: seen } = await verify(residues, { sigma: 3.2 });
    assert.deepEqual([consistent, seen], [false, modulus < 2n ** 53n ? Number(modulus) : modulus]);
    assert.ok(BigInt(theirs.modulus) === modulus || modulus === 2n ** 62n); // which JSON.parse may round
    assert.equal((await verify(residues, { sigma: "1e30" })).modulus, null);
  }
  const flood = command.bind(null, "flood.txt");
  const samples = spawnSync(SAMPLEZ, ["sample", "--sigma=1e40", "--center=5", "--count=20000", "--seed=1", "--quiet"], { encoding: "utf8" }).stdout;
  const integers = samples.trim().split("\n").map(BigInt);
  for (const modulus of [7, 12289]) {
    const residues = integers.map((x) => ((x % BigInt(modulus)) + BigInt(modulus)) % BigInt(modulus));
    const theirs = command("residues.txt", `${residues.join("\n")}\n`, ["--sigma=1e40", "--center=5", `--modulus=${modulus}`]);
    const ours = await verify(residues, { sigma: "1e40", center: 5, modulus });
    assert.deepEqual([ours.law, ours.consistent, ours.tests.map(({ pValue }) => pValue)], [theirs.law, true, theirs.tests.map((/** @type {any} */ test) => test.p_value)]);
  }
  await assert.rejects(verify(integers, { sigma: "1e40", modulus: 2n ** 64n }), /modulus = 18446744073709551616: expected a whole number from 2 to 2\^51, where sigma has more than 64 bits/);
  for (const [sigma, consistent] of /** @type {const} */ ([["1e40", true], ["1.1e40", false]])) {
    const [ours, theirs] = [await verify(integers, { sigma, center: 5 }), flood(samples, [`--sigma=${sigma}`, "--center=5"])];
    assert.deepEqual([ours.law, ours.consistent, ours.tests.map(({ pValue }) => pValue)], [theirs.law, consistent, theirs.tests.map((/** @type {any} */ test) => test.p_value)]);
  }
});
