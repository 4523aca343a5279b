// Integers around centres of their own, in Node: those of kat/, of Python's package and of the command.
// @ts-check

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Stream } from "../dist/index.js";
import { CASES, checkRounding } from "./round-vectors.mjs";

const SAMPLEZ = process.env["SAMPLEZ"] ?? fileURLToPath(new URL("../../target/debug/samplez", import.meta.url));
const hash = (/** @type {BigInt64Array} */ array) => createHash("sha256").update(array).digest("hex");
/** @typedef {NonNullable<NonNullable<Parameters<Stream["round"]>[2]>["method"]>} Name */
const METHODS = /** @type {Name[]} */ (["auto", "karney", "strips"]);

test("node: the library's integers around centres", async () => {
  const lines = readFileSync(new URL("../../kat/rounders.csv", import.meta.url), "utf8").trimEnd().split("\n").slice(1);
  let count = 0;
  for (const line of lines) {
    const [method = "", , , widths = "", entry, seed = "", length = "", sha256] = line.split(",");
    const centers = Array.from({ length: Number(length) }, (_, i) => `${7919 * i - 4_000_000}/${997 + (i % 5)}`);
    const each = widths.split(" ");
    const sigma = each.length === 1 ? widths : centers.map((_, i) => each[i % each.length] ?? "");
    const stream = await Stream.create({ seed });
    if (entry === "single" && method === "karney") {
      assert.equal(hash(stream.round(centers, sigma, { method })), sha256, line);
    } else if (method === "strips" && each.length === 1) {
      const doubles = centers.map((text) => Number(text.split("/")[0]) / Number(text.split("/")[1]));
      assert.equal(hash(entry === "batch" ? stream.sample(widths, doubles) : stream.round(doubles, widths)), sha256, line);
    } else continue;
    count++;
  }
  assert.equal(count, 3);
});

for (const simd of [false, true]) {
  test(`node: Python's integers around centres, ${simd ? "with" : "without"} SIMD`, async () => {
    assert.deepEqual(await checkRounding({ Stream }, simd), { count: CASES.length, wrong: [] });
  });
}

test("node: a wrong integer is found", async () => {
  const wrong = class extends /** @type {any} */ (Stream) {
    static create = () => Stream.create({ seed: 6 });
  };
  assert.equal((await checkRounding(/** @type {any} */ ({ Stream: wrong }), true)).wrong.length, CASES.length);
});

test("node: a refused call leaves the stream as it was", async () => {
  const bad = (/** @type {number} */ n, /** @type {string} */ last) => [...new Array(n).fill("1/3"), last];
  const next = async (/** @type {(stream: Stream) => unknown} */ refused) => {
    const stream = await Stream.create({ seed: 1 });
    assert.throws(() => refused(stream));
    return Array.from(stream.round([0.5, 1e6, 7], "3.2"));
  };
  const expected = Array.from((await Stream.create({ seed: 1 })).round([0.5, 1e6, 7], "3.2"));
  for (const refused of /** @type {((stream: Stream) => unknown)[]} */ ([
    (stream) => stream.round(bad(5, "x"), "3.2"),
    (stream) => stream.round(bad(70_000, "x"), "3.2"),
    (stream) => stream.round(["1/3", "1/3"], ["3.2", "0"]),
    (stream) => stream.round([1, 2, NaN], "3.2"),
    (stream) => stream.sample([3, 3, 0.5], [1, 2, 3]),
    (stream) => stream.sample("3.2", [1, 2, 1e300]),
    (stream) => stream.round(bad(5, "1e30"), "1/2", { method: "karney" }),
  ])) assert.deepEqual(await next(refused), expected, `${refused}`);
});

test("node: the command's integers, by every method", async () => {
  const centers = ["0", "1/3", "-7/2", "12345.678", "1e6", "-0.001"];
  const seed = "07".repeat(31) + "08";
  for (const name of METHODS) {
    const text = execFileSync(SAMPLEZ, ["round", "-", "--sigma", "3.2", "--method", name, "--seed", seed], { input: centers.join("\n"), encoding: "utf8" });
    const stream = await Stream.create({ seed });
    assert.deepEqual(Array.from(stream.round(centers, "3.2", { method: name, out: new Int32Array(6) })), text.trim().split("\n").map(Number), name);
  }
});

test("node: a number is its decimal where the law is exact, and else the double that it is", async () => {
  const draw = async (/** @type {(string | number)[]} */ centers, /** @type {Name} */ method) =>
    (await Stream.create({ seed: 2 })).round(Array.from({ length: 100 }, (_, i) => centers[i % centers.length] ?? 0), "3.2", { method }).join();
  assert.equal(await draw([10.3, -0.001], "karney"), await draw(["10.3", "-1/1000"], "karney"));
  assert.equal(await draw([0.1], "strips"), await draw(["3602879701896397/36028797018963968"], "strips"));
});

test("node: a stream goes on, whatever type takes it, and its pieces make the whole", async () => {
  const length = 100_000;
  const centers = Float64Array.from({ length }, (_, i) => (i % 64) / 8);
  for (const method of METHODS) {
    const all = (await Stream.create({ seed: 1 })).round(centers, 3, { method });
    const stream = await Stream.create({ seed: 1 });
    /** @type {number[]} */
    const got = [];
    let at = 0;
    for (const [step, type] of /** @type {const} */ ([[1, Int8Array], [0, Int8Array], [70_000, Int16Array], [29_999, Int32Array]])) {
      // Texts and doubles are the same here: eighths.
      const part = Array.from(centers.subarray(at, at + step));
      got.push(...stream.round(step === 1 ? part.map(String) : part, 3, { method, out: new type(step) }));
      at += step;
    }
    assert.deepEqual(got, Array.from(all, Number), method);
    assert.deepEqual([stream.source, `${stream}`], ["chacha20", "Stream(chacha20)"]);
  }
  const fresh = async () => (await Stream.create()).round(new Float64Array(64), 3).join();
  assert.notEqual(await fresh(), await fresh());
});

test("node: what fails leaves nothing behind", async () => {
  const stream = await Stream.create({ seed: 1 });
  const out = new Int8Array(4).fill(5);
  assert.throws(() => stream.round([1, 2, 3, 1000], 3, { out }), /^Error: out = Int8Array: a sample does not fit -128 to 127: choose a wider type$/);
  assert.deepEqual([...out], [0, 0, 0, 0]);
  out.fill(5);
  assert.throws(() => stream.round([1, 2, 3, "x"], 3, { out }), /^Error: centers\[3\] = x: not a number/);
  assert.deepEqual([...out], [0, 0, 0, 0]);
  // The number of an element among all, beyond the first part.
  const many = Array.from({ length: 70_000 }, (_, i) => (i === 69_999 ? "x" : "0"));
  assert.throws(() => stream.round(many, 3), /^Error: centers\[69999\] = x: not a number/);
  assert.equal(stream.round([1], 3).length, 1);
});

test("node: a source that fails is told, and a stream asks it again", async (t) => {
  const stream = await Stream.create({ source: "os" });
  const fails = t.mock.method(crypto, "getRandomValues", () => {
    throw new Error("out of order");
  });
  const out = new Int16Array(3).fill(5);
  assert.throws(() => stream.round([1, 2, 3], 3, { out }), /^Error: crypto.getRandomValues gave no random bytes: out of order$/);
  assert.deepEqual([...out], [0, 0, 0]);
  fails.mock.restore();
  assert.equal(stream.round([1, 2, 3], 3).length, 3);
});
