// Laws that are no Gaussian, and tables of one's own: the integers of every language.
// @ts-check

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { OtherNoise, Stream, TableNoise } from "samplez";

const lines = readFileSync(new URL("../../kat/finite.csv", import.meta.url), "utf8").trim().split("\n").slice(1);
const FRODO = [9288, 8720, 7216, 5264, 3384, 1918, 958, 422, 164, 56, 17, 4, 1];

/** The options of the laws of kat/finite.csv. @type {Record<string, string>} */
const OPTIONS = { CBD: "centeredBinomial", TUniform: "tuniform", Skellam: "skellam", DiscreteLaplace: "discreteLaplace" };
/** @param {string} name @param {string} parameter @param {string} bound @returns {any} */
const lawOf = (name, parameter, bound) => (name === "Ternary" ? { ternary: true } : bound ? { recipe: `laplace=${parameter},clip=${bound}` } : { [OPTIONS[name] ?? ""]: parameter });

/** @param {Promise<unknown>} promise */
const message = (promise) => promise.then(() => assert.fail("it was taken"), (error) => String(error.message));

test("every language draws the same samples", async () => {
  for (const line of lines) {
    const [law = "", seed, first, samples = ""] = line.split(",");
    const wanted = samples.split(" ").map(BigInt);
    const [, name = "", numbers = "", bound = ""] = /^(\w+)(?:\((.*)\)(?: within (.*))?)?$/.exec(law) ?? [];
    if (name === "SparseTernary") {
      const [a = 0, b = 0] = numbers.split(" ").map(Number);
      const stream = await Stream.create({ seed: Number(seed) });
      assert.deepEqual([...stream.sparseTernary(new BigInt64Array(a), b)], wanted, line);
      continue;
    }
    const noise = await OtherNoise.create({ ...lawOf(name, numbers, bound), seed: Number(seed) });
    assert.equal(String(noise), `OtherNoise(${law})`);
    assert.deepEqual([...noise.fillAt(Number(first), new BigInt64Array(wanted.length))], wanted, line);
    const [, most] = noise.typical;
    for (const type of [Int8Array, Int16Array, Int32Array]) {
      if (most >= 2n ** (8n * BigInt(type.BYTES_PER_ELEMENT) - 1n)) continue;
      assert.deepEqual([...noise.fillAt(Number(first), new type(wanted.length))].map(BigInt), wanted, `${line} ${type.name}`);
    }
    noise.dispose();
  }
});

test("probabilities", async () => {
  const cbd = await OtherNoise.create({ centeredBinomial: 2, seed: 1 });
  assert.deepEqual([-3, -2, 0, 0.5].map((x) => cbd.pmf(x)), [0, 0.0625, 0.375, 0]);
  assert.deepEqual([cbd.cdf(-1), cbd.cdf(2), cbd.cdf(-3), cbd.mean(), cbd.var()], [0.3125, 1, 0, 0, 1]);
  const ternary = await OtherNoise.create({ ternary: true });
  assert.equal(ternary.pmf(1n), 1 / 3);
  const wide = await OtherNoise.create({ tuniform: 62 });
  assert.equal(wide.pmf(2n ** 62n), 2 ** -64);
  assert.deepEqual(wide.typical, [-(2n ** 62n), 2n ** 62n]);
  // By mpmath, as in crates/samplez-tables/src/{laplace,skellam}/tests.rs.
  const laplace = await OtherNoise.create({ discreteLaplace: "3/2" });
  assert.deepEqual([0, -3, 1.5, 17n, 2 ** 62].map((x) => laplace.pmf(x)), [0.32151273753163434, 0.04351201739802245, 0, 3.847636669023566e-6, 0]);
  assert.deepEqual([laplace.cdf(-18), laplace.cdf(2n ** 63n), laplace.mean(), laplace.typical], [4.0598274435112236e-6, 1, 0, [-136n, 136n]]);
  assert.ok(Math.abs(laplace.var() - 4.336972717625868) < 1e-14);
  const skellam = await OtherNoise.create({ skellam: 30n });
  assert.deepEqual([skellam.pmf(-3), skellam.cdf(-83), skellam.var(), String(skellam)], [0.06280279400633723, 1.654784838152347e-39, 30, "OtherNoise(Skellam(30))"]);
});

test("a recipe states each law, both ways", async () => {
  for (const [options, recipe] of /** @type {[any, string][]} */ ([
    [{ ternary: true }, "ternary"], [{ centeredBinomial: 21 }, "centered_binomial=21"], [{ tuniform: 17 }, "tuniform=17"],
    [{ skellam: 2.5 }, "skellam=5/2"], [{ discreteLaplace: "1.5" }, "laplace=3/2"],
  ])) {
    const [one, other] = [await OtherNoise.create({ ...options, seed: 1 }), await OtherNoise.create({ recipe, seed: 1 })];
    assert.deepEqual([one.recipe, other.recipe, other.fill(new Int32Array(99))], [recipe, recipe, one.fill(new Int32Array(99))]);
  }
});

test("bad arguments are named", async () => {
  const NONE = "no such option; there are ternary, centeredBinomial, tuniform, skellam, discreteLaplace, recipe, source, seed, module, simd";
  /** @type {[any, string][]} */
  const cases = [
    [{ centeredBinomial: 0 }, "centeredBinomial = 0: expected a whole number from 1 to 2^20"],
    [{ centeredBinomial: 1048577 }, "centeredBinomial = 1048577: expected a whole number from 1 to 2^20"],
    [{ centeredBinomial: NaN }, "centeredBinomial = NaN: expected a whole number from 1 to 2^20"],
    [{ tuniform: 63 }, "tuniform = 63: expected a whole number from 0 to 62, the binary logarithm of the largest value"],
    [{ tuniform: "ten" }, "tuniform = ten: expected a whole number from 0 to 62, the binary logarithm of the largest value"],
    [{ ternary: false }, "ternary = false: expected true"],
    [{ ternary: true, tuniform: 3 }, "tuniform = 3: ternary is given too; pass only one of them"],
    [{ skellam: 0 }, "skellam = 0: expected a number from 2^-16 to 2^20; for a larger variance add samples"],
    [{ skellam: 2e6 }, "skellam = 2000000: expected a number from 2^-16 to 2^20; for a larger variance add samples"],
    [{ discreteLaplace: "1e16" }, "discreteLaplace = 1e16: expected a number from 2^-16 to 2^50"],
    [{ discreteLaplace: -1 }, "discreteLaplace = -1: expected a number from 2^-16 to 2^50"],
    [{ discreteLaplace: 1e-9 }, "discreteLaplace = 1e-9: expected a number from 2^-16 to 2^50"],
    [{ discreteLaplace: true }, "discreteLaplace = true: not a number; allowed are decimals, fractions and scientific notation, such as 3.2, 16/5 or 1.6e5"],
    [{ discreteLaplace: Infinity }, "discreteLaplace = Infinity: not a number; allowed are decimals, fractions and scientific notation, such as 3.2, 16/5 or 1.6e5"],
    [{ discreteLaplace: {} }, "discreteLaplace = Object: expected a text, a number or a boolean"],
    [{ discreteLaplace: 1e20 }, "discreteLaplace = 100000000000000000000: expected a number from 2^-16 to 2^50"],
    [{ discreteLaplace: 3, skellam: 3 }, "skellam = 3: discreteLaplace is given too; pass only one of them"],
    [{}, "missing law: pass one of ternary: true, centeredBinomial, tuniform, skellam, discreteLaplace"],
    [{ recipe: "sigma=3.2" }, "recipe = sigma=3.2: expected a distribution other than a Gaussian, for which there is DiscreteGaussian"],
    [{ recipe: "laplace=5.0,clip=2" }, "clip = 2: expected a whole number from 3 to 2^53, at least half of the scale 5.0"],
    [{ recipe: "centered_binomial=0" }, "centered_binomial = 0: expected a whole number from 1 to 2^20"],
    [{ recipe: "laplace=3,center=1" }, "center = 1: laplace is about 0; leave center out"],
    [{ recipe: "skellam=3,method=cdt" }, "method = cdt: skellam has one sampler; leave method out"],
    [{ recipe: "ternary", skellam: 3 }, "skellam = 3: expected in the recipe, which is given"],
    [{ sigma: 3 }, `sigma: ${NONE}; DiscreteGaussian.create takes sigma`],
    [{ tuniform: [3], law: [3] }, `law: ${NONE}; a width alone means the discrete Gaussian, and each other distribution has an option of its own; verify judges rounded laws, as by the recipe law=rounded,sigma=3.2`],
    [{ laplace: 3 }, `laplace: ${NONE}; write discreteLaplace`],
    [{ discretelaplace: 3 }, `discretelaplace: ${NONE}; did you mean discreteLaplace?`],
  ];
  for (const [options, wanted] of cases) assert.equal(await message(OtherNoise.create(options)), wanted);
  const wide = await OtherNoise.create({ tuniform: 17 });
  assert.throws(() => wide.fill(new Int16Array(3)), /array = Int16Array: the samples range from -131072 to 131072/);
  const stream = await Stream.create({ seed: 1 });
  assert.throws(() => stream.sparseTernary(new Int8Array(0), 0), /^RangeError: array: has no elements: expected at least 1$/);
  for (const weight of [0, 5, NaN, 1.5]) {
    assert.throws(() => stream.sparseTernary(new Int8Array(4), weight), new RegExp(`weight = ${weight}: expected a whole number from 1 to 4`));
  }
});

test("a table of one's own", async () => {
  const errors = await TableNoise.create({ entries: FRODO, form: "frodo", sigma: "2.8", seed: 1 });
  const { exact, method, log2_sd, support } = errors.certificate();
  assert.deepEqual([exact, method, support.min, support.max, errors.typical], [false, null, -12n, 12n, [-12n, 12n]]);
  assert.ok(log2_sd !== null && log2_sd < -8.5 && log2_sd > -8.6);
  const drawn = errors.fill(new Int8Array(200_000));
  for (const [x, weight] of FRODO.entries()) {
    const p = (weight / 65536) * (x === 0 ? 1 : 2);
    const count = drawn.reduce((sum, y) => sum + (Math.abs(y) === x ? 1 : 0), 0);
    assert.ok(Math.abs(count - p * drawn.length) <= 6 * Math.sqrt(p * drawn.length) + 1, `${x}: ${count}`);
  }
  // The same law as a tail of |X|, of texts: the same integers.
  let above = 65536 - (FRODO[0] ?? 0);
  const tail = FRODO.slice(1).map((weight) => String((above -= 2 * weight) + 2 * weight));
  const again = await TableNoise.create({ entries: tail, form: "folded,tail,16", sigma: "2.8", seed: 1 });
  assert.deepEqual(again.fill(new Int8Array(1000)), drawn.subarray(0, 1000));
  /** @type {[any, RegExp][]} */
  const cases = [
    [{ entries: [1, 2], form: "folded,tail,8", sigma: 1 }, /^entries\[1\] = 2: above entry 0 = 1; the tail of a law falls$/],
    [{ entries: [0], form: "frodo", sigma: 1 }, /^entries: all are 0: expected one above 0$/],
    [{ entries: [5], form: "full,tail,8", sigma: 1 }, /^form: a full line needs the value of its first entry; add first=$/],
    [{ entries: [], form: "frodo", sigma: 1 }, /^entries: has 0 elements: expected 1 to 2\^20$/],
    [{ entries: [100, 120], form: "folded,pmf,8", sigma: 1 }, /has no constant-time sampler/],
    [{ entries: [1], form: "falcon", sigma: 2 }, /^form = falcon: has no constant-time sampler: a half line has no signs/],
    [{ entries: [100, 120], form: "heap,8", sigma: 1 }, /^form = heap,8: heap is unknown; allowed are folded/],
    [{ entries: [Object.create(null)], form: "frodo", sigma: 1 }, /^entries\[0\] = Object: expected a whole number/],
    [{ entries: [0.5], form: "frodo", sigma: 1 }, /^entries\[0\] = 0\.5: expected a whole number from 0 to 2\^320 - 1/],
    [{ entries: [2n ** 320n], form: "frodo", sigma: 1 }, /^entries\[0\] = 21\d+: expected a whole number/],
    [{ entries: "12", form: "frodo", sigma: 1 }, /^entries = .*: expected an array of whole numbers/],
    [{ entries: FRODO, sigma: 1 }, /^missing form/],
    [{ entries: FRODO, form: "frodo" }, /^missing width/],
    [{ entries: FRODO, form: "frodo", sigma: 1, precision: 72 }, /^precision: no such option; there are sigma, sigmaSquared, kSigma2, s, center, recipe, form, entries, source, seed, module, simd$/],
  ];
  const twice = /** @type {any} */ ([{ entries: FRODO, form: "frodo", sigma: 1 }, { seed: 7 }]);
  for (const type of [OtherNoise, TableNoise]) assert.equal(await message(Reflect.apply(type.create, type, twice)), "arguments[1] = Object: no such argument; options go into the first");
  for (const [options, wanted] of cases) assert.match(await message(TableNoise.create(options)), wanted);
});
