// The law in Node: every function against kat/, and as scipy.stats has it.
// @ts-check

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as samplez from "../dist/index.js";
import { checkLaw } from "./law-vectors.mjs";

const create = samplez.DiscreteGaussian.create.bind(samplez.DiscreteGaussian);
const kat = (/** @type {string} */ name) => readFileSync(new URL(`../../kat/${name}.csv`, import.meta.url), "utf8");

for (const [name, kinds, none] of /** @type {const} */ ([
  ["law-distribution", 10, ["sigma,1/2,9223372036854775807", "sigma,4611686018427387904,-7/3"]],
  ["law-rounded", 9, ["sigma,4611686018427387904,0"]],
])) {
  test(`node: ${name}.csv to the last bit`, async () => {
    const csv = kat(name);
    const found = await checkLaw(samplez, csv, true);
    assert.deepEqual(found.failures, []);
    assert.deepEqual(found.none, none);
    const counts = Object.values(found.seen);
    assert.ok(counts.length === kinds && counts.every((n) => n > 35), JSON.stringify(found.seen));
  });
}

test("node: samples follow the law", async () => {
  const count = 100_000;
  for (const sigma of ["0.5", "3.2", "215"]) {
    const d = await create({ sigma, seed: "1" });
    const counts = new Map();
    for (const x of d.fill(new Int16Array(count))) counts.set(x, (counts.get(x) ?? 0) + 1);
    for (let x = -20; x <= 20; x++) {
      const expected = count * d.pmf(x);
      const off = (counts.get(x) ?? 0) - expected; // beyond 6 deviations with probability below 1e-7
      assert.ok(off * off <= 36 * expected + 1, `sigma = ${sigma}: ${x}, ${counts.get(x)} times, expected ${expected}`);
    }
  }
});

test("node: a wrong value of the law is found", async () => {
  const [head, line] = kat("law-rounded").split("\n");
  const wrong = `${head}\n${line}\n${line?.replace(/[^,]*$/, "0.125")}\n`;
  const { failures } = await checkLaw(samplez, wrong, false);
  assert.equal(failures.length, 1);
  assert.match(failures[0] ?? "", /,0\.125: /);
});

test("node: the law is what Python's package gives", async () => {
  // python: g = samplez.DiscreteGaussian("3.2"); g.expect(lambda x: 1 / (1 + x * x)), …
  const d = await create({ sigma: "3.2" });
  const narrow = await create({ sigma: "0.7", center: "1/3" });
  assert.equal(d.expect((x) => 1 / (1 + x * x)), 0.3119000647270974);
  assert.equal(d.expect((x) => Math.sqrt(Math.abs(x))), 1.4188196810750517);
  assert.equal((await create({ sigma: 215 })).expect((x) => Math.sqrt(Math.abs(x) + 0.3)), 12.072442286582083);
  assert.equal(narrow.expect((x) => x ** 3, { lb: -2, ub: 5, conditional: true }), 0.5304006010274602);
  assert.deepEqual([d.expect(), d.expect((x) => x * x, { lb: -0.5, ub: 0.5 })], [0, 0]);
  assert.equal(d.expect((x) => (x === 3 ? Infinity : 1)), Infinity);
  assert.deepEqual(d.stats(), [0, 10.24]);
  assert.deepEqual(d.stats("kv"), [10.24, d.stats("k")[0]]);
  assert.deepEqual([d.mean(), d.var(), d.std(), d.median(), d.moment(2)], [0, 10.24, 3.2, 0, 10.24]);
  assert.deepEqual([d.entropy(), d.entropy(2)], [2.5820893430103538, 3.7251674902932788]);
  assert.deepEqual([d.interval(0.95), d.interval(1), d.support()], [[-6, 6], [-Infinity, Infinity], [-Infinity, Infinity]]);
  const { min, max } = d.certificate().support;
  assert.ok(min < -30n && max > 30n);
});

test("node: arguments are real numbers, and answers as SciPy has them", async () => {
  const d = await create({ sigma: "3.2" });
  assert.deepEqual([d.pmf(0.5), d.logpmf(0.5), d.pmf(3.0), d.pmf(3n)], [0, -Infinity, d.pmf(3), d.pmf(3)]);
  assert.deepEqual([d.cdf(-3.5), d.sf(2.9), d.logcdf(1e-9), d.logsf(-0.1)], [d.cdf(-4), d.sf(2), d.logcdf(0), d.logsf(-1)]);
  for (const name of /** @type {const} */ (["pmf", "cdf", "sf", "logpmf", "logcdf", "logsf"])) assert.ok(Number.isNaN(d[name](NaN)));
  assert.deepEqual(["pmf", "cdf", "sf", "logpmf", "logcdf", "logsf"].map((name) => /** @type {any} */ (d)[name](-Infinity)), [0, 0, 1, -Infinity, -Infinity, 0]);
  assert.deepEqual(["pmf", "cdf", "sf", "logpmf", "logcdf", "logsf"].map((name) => /** @type {any} */ (d)[name](Infinity)), [0, 1, 0, -Infinity, 0, -Infinity]);
  assert.deepEqual([0, 1, -1, 2, NaN].map((q) => d.ppf(q)), [-Infinity, Infinity, NaN, NaN, NaN]);
  assert.deepEqual([0, 1, -1, 2, NaN].map((q) => d.isf(q)), [Infinity, -Infinity, NaN, NaN, NaN]);
  assert.deepEqual([d.ppf(0.025), d.ppf(0.975), d.isf(1e-100), d.ppfBigInt(0.975), d.isfBigInt(0.975)], [-6, 6, 68, 6n, -6n]);
  // Integers that a number does not hold.
  const far = await create({ sigma: 2 ** 40, center: 2n ** 53n, method: "convolution" });
  assert.equal(far.ppf(0.025), Number(far.ppfBigInt(0.025)));
  assert.ok(far.ppfBigInt(0.975) > 2n ** 53n);
  assert.throws(() => far.ppf(0.975), /^RangeError: q = 0\.975: the quantile does not fit a number: use ppfBigInt\(\)$/);
});
