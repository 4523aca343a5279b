// What the page shows beside the samples: walks that are the library's own, exact coins, code that runs, links that lead somewhere.
// @ts-check

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { knuthYaoFigure, zigguratFigure } from "../dist/figures.js";
import { DiscreteGaussian, methods, verify } from "../dist/index.js";
import { copyOf, linked, methodRows, nativeRates, root } from "../tools/documents.mjs";

/** @typedef {{ steps: { drawn: number }[], bits: number[], value: bigint }} Story  as page/src/story.ts has it */

const site = new URL("../build/site/", import.meta.url);
/** A module of the page. @param {string} name @returns {Promise<any>} */
const page = (name) => import(new URL(`page/src/${name}.js`, site).href);
const SEEDS = ["42", "18446744073709551615", "5a".repeat(31) + "5b", "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"];

/** That the walks over a seed's bits end at the library's samples, all of them.
 * @param {string} recipe @param {number} count @param {(tape: any) => Story} tell */
async function sameSamples(recipe, count, tell) {
  const { Bits } = await page("chacha");
  for (const seed of SEEDS) {
    const d = await DiscreteGaussian.create(/** @type {any} */ ({ recipe, seed }));
    const samples = d.fill(new BigInt64Array(count));
    const tape = new Bits(seed);
    for (let i = 0; i < count; i++) {
      const { steps, bits, value } = tell(tape);
      assert.equal(value, samples[i], `${recipe}, seed ${seed}, sample ${i}`);
      assert.equal(steps.at(-1)?.drawn, bits.length);
    }
    d.dispose();
  }
}

test("page: the trials of the Ziggurat are the library's", async () => {
  const { trials } = await page("ziggurat");
  for (const [sigma, rectangles, center] of /** @type {const} */ ([["3.2", 12, 0], ["3.2", 2, -7], ["215", 256, 0], ["40", 20, 3], ["0.7", 5, 0]])) {
    const law = { sigma, rectangles, precision: 128, center };
    const figure = await zigguratFigure(law);
    const recipe = `sigma=${sigma},center=${center},method=ziggurat,precision=128,rectangles=${rectangles}`;
    await sameSamples(recipe, 500, (tape) => trials(figure, Number(sigma), BigInt(center), tape));
  }
});

test("page: the walks of Knuth and Yao are the library's", async () => {
  const { walk } = await page("walk");
  for (const [sigma, center] of /** @type {const} */ ([["3.2", "0"], ["3.2", "5"], ["3.2", "1/3"], ["55.5649", "-2"], ["0.4", "0"]])) {
    const figure = await knuthYaoFigure({ sigma, center, precision: 128 });
    const middle = figure.folded ? BigInt(center) : 0n;
    await sameSamples(`sigma=${sigma},center=${center},method=knuth-yao,precision=128`, 500, (tape) => walk(figure, middle, tape));
  }
});

test("page: the coins of Du and Wei are the library's", async () => {
  const { four, five } = await page("du-wei");
  for (const [width, center] of /** @type {const} */ ([[1n, 0n], [3n, 0n], [20n, -5n], [215n, 1n]])) {
    await sameSamples(`sigma=${width},center=${center},method=du-wei-4,frugal=true`, 200, (tape) => four(tape, width, center));
  }
  for (const [k, center] of /** @type {const} */ ([[1n, 0n], [4n, 0n], [127n, 9n], [254n, 0n]])) {
    await sameSamples(`k_sigma2=${k},center=${center},method=du-wei-5,frugal=true`, 200, (tape) => five(tape, k, center));
  }
});

/** Walks the tree of all bits down to a depth: the probability of `true`, and what is still open.
 * @param {(tape: any) => boolean} toss @param {number} depth */
function exactly(toss, depth) {
  let [yes, open] = [0, 0];
  class Open extends Error {}
  /** @param {number[]} given */
  const descend = (given) => {
    const recent = /** @type {number[]} */ ([]);
    const bit = () => {
      const next = given[recent.length];
      if (next === undefined) throw new Open();
      recent.push(next);
      return next;
    };
    const bits = (/** @type {number} */ n) => Array.from({ length: n }, bit).reduce((sum, b, i) => sum | (BigInt(b) << BigInt(i)), 0n);
    const weight = 2 ** -given.length;
    try {
      const result = toss({ bit, bits, recent, drawn: 0, mark() {} });
      assert.equal(recent.length, given.length, "no bit is left");
      if (result) yes += weight;
    } catch (error) {
      if (!(error instanceof Open)) throw error;
      if (given.length === depth) open += weight;
      else for (const b of [0, 1]) descend([...given, b]);
    }
  };
  descend([]);
  return { yes, open };
}

test("page: each coin has its probability, by the tree of all bits", async () => {
  const { Teller, coinExp, coinExp2, below } = await page("story");
  const { h, b } = await page("karney");
  /** @type {[string, number, (tape: any) => boolean][]} */
  const coins = [
    ["H", Math.exp(-1 / 2), (tape) => h(new Teller(tape))],
    ["coin e^-1/2", Math.exp(-1 / 2), (tape) => coinExp(new Teller(tape), 1n, 2n, "1/2")],
    ["coin e^-3/7", Math.exp(-3 / 7), (tape) => coinExp(new Teller(tape), 3n, 7n, "3/7")],
    ["coin 2^-3/7", 2 ** (-3 / 7), (tape) => coinExp2(new Teller(tape), 3n, 7n)],
    ["below 5", 2 / 5, (tape) => below(new Teller(tape), 5n, "j") < 2n],
    ...[[0, 1, 3], [1, 2, 3], [2, 1, 4]].map(([k = 0, num = 0, den = 1]) => {
      const x = num / den;
      const p = Math.exp((-x * (2 * k + x)) / (2 * k + 2));
      return /** @type {[string, number, (tape: any) => boolean]} */ ([`B(${k}, ${num}/${den})`, p, (tape) => b(new Teller(tape), BigInt(k), BigInt(num), BigInt(den))]);
    }),
  ];
  for (const [name, p, toss] of coins) {
    const { yes, open } = exactly(toss, 13);
    assert.ok(open < 0.09, `${name}: ${open} is open`);
    assert.ok(yes - 1e-12 <= p && p <= yes + open + 1e-12, `${name}: ${p} is not in [${yes}, ${yes + open}]`);
  }
});

test("page: Karney's Algorithm D has the law", async () => {
  const { Bits } = await page("chacha");
  const { d } = await page("karney");
  for (const [sigma, center] of /** @type {const} */ ([["1", "0"], ["3/2", "1/3"], ["16/5", "-5/2"]])) {
    const law = await DiscreteGaussian.create({ sigma, center });
    const fraction = (/** @type {string} */ text) => [BigInt(text.split("/")[0] ?? 0), BigInt(text.split("/")[1] ?? 1)];
    const tape = new Bits("7");
    const total = 10_000;
    /** @type {Map<number, number>} */
    const counts = new Map();
    for (let i = 0; i < total; i++) {
      const x = Number(d(tape, fraction(sigma), fraction(center)).value);
      counts.set(x, (counts.get(x) ?? 0) + 1);
    }
    // Within 5 standard deviations, and nothing elsewhere.
    for (let x = -20; x <= 20; x++) {
      const wanted = total * law.pmf(x);
      assert.ok(Math.abs((counts.get(x) ?? 0) - wanted) <= 5 * Math.sqrt(wanted) + 1, `${sigma}, ${center}: ${x} came ${counts.get(x)} times for ${wanted}`);
    }
  }
});

/** The law of a walk whose coins fall 1 with probability p, by the tree. @param {import("../dist/figures.js").KnuthYaoFigure} figure @param {number} p */
function biasedLaw({ leaves, columns, folded }, p) {
  /** @type {Map<number, number>} */
  const law = new Map();
  const add = (/** @type {number} */ x, /** @type {number} */ mass) => void law.set(x, (law.get(x) ?? 0) + mass);
  let inner = [1];
  leaves.forEach((count, i) => {
    const children = inner.flatMap((mass) => [mass * (1 - p), mass * p]);
    children.slice(0, count).forEach((mass, child) => {
      const row = columns[i]?.[child] ?? NaN;
      if (!folded || row === 0) return add(row, mass);
      add(row, mass * (1 - p));
      add(-row, mass * p);
    });
    inner = children.slice(count);
  });
  return law;
}

/** That samples have a law, within 5 standard deviations of each value. @param {Int32Array} samples @param {(x: number) => number} law */
function hasLaw(samples, law) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const x of samples) counts.set(x, (counts.get(x) ?? 0) + 1);
  for (let x = -60; x <= 60; x++) {
    const wanted = samples.length * law(x);
    assert.ok(Math.abs((counts.get(x) ?? 0) - wanted) <= 5 * Math.sqrt(wanted) + 2, `${x} came ${counts.get(x)} times for ${wanted}`);
  }
}

test("page: what is broken has the law that its fault makes, and verify rejects it; what is not broken passes", async () => {
  const { broken } = await page("faults");
  const law = "sigma=16/5,center=5";
  const d = await DiscreteGaussian.create({ recipe: law });
  // A table: P(|X − c| > k) with 6 binary places, summed from the far end of the law.
  const tail = (/** @type {number} */ k) => Math.floor(64 * Array.from({ length: 80 }, (_, i) => 2 * d.pmf(5 + k + 1 + i)).reduceRight((a, b) => a + b, 0)) / 64;
  const folded = (/** @type {number} */ k) => (k === 0 ? 1 : tail(k - 1)) - tail(k);
  hasLaw(await broken("table", 6, law, "42", 50_000), (x) => (x === 5 ? folded(0) : folded(Math.abs(x - 5)) / 2));
  // Coins: the walk's tree with another probability.
  const figure = await knuthYaoFigure(/** @type {any} */ ({ recipe: `${law},method=knuth-yao,precision=64` }));
  assert.ok(figure.folded);
  const biased = biasedLaw(figure, 39322 / 65536); // 60 %
  hasLaw(await broken("coin", 60, law, "42", 20_000), (x) => biased.get(x - 5) ?? 0);
  // A seed again and again.
  const again = await broken("seed", 1000, law, "42", 20_500);
  assert.ok(again.every((/** @type {number} */ x, /** @type {number} */ i) => x === again[i % 1000]));
  assert.deepEqual(again.slice(0, 1000), (await DiscreteGaussian.create({ recipe: law, seed: "42" })).fill(new Int32Array(1000)));
  for (const [fault, harmless, fatal] of /** @type {const} */ ([["table", 32, 6], ["seed", 100_000, 1000], ["coin", 50, 60]])) {
    const judged = await Promise.all([harmless, fatal].map(async (size) => (await verify(await broken(fault, size, law, "42", 20_000), { recipe: law })).consistent));
    assert.deepEqual(judged, [true, false], fault);
  }
  // The least and the gravest fault, and widths at both ends, give samples.
  const { FAULTS, SIZES, WIDEST } = await page("fault-sizes");
  for (const fault of FAULTS) {
    for (const size of [SIZES[fault].values[0], SIZES[fault].values.at(-1)]) for (const width of ["sigma=0.5", `sigma=${WIDEST}`, "sigma_squared=10.24", "k_sigma2=3"]) await broken(fault, size, `${width},center=-3`, "1", 200);
  }
});

test("page: what measures in a browser has every claim of measured.json, and only those", async () => {
  const { claims, claimsOf } = await import(new URL("../bench/claims.mjs", import.meta.url).href);
  const sigmas = ["3.3311", "55.5649", "107"];
  const names = ["rejection", "inversion", "Ziggurat", "Knuth-Yao"];
  const speeds = Object.fromEntries(names.map((name, i) => [name, 10 * (i + 1)]));
  /** @type {any} */
  const measured = {
    rows: sigmas.flatMap((sigma) => names.map((name) => ({ name, sigma, plain: speeds[name], wasm: 100, recipe: "" }))),
    schemes: ["keys", "sign, plain", "verify", "1024 samples: an attempt to sign"].map((what) => ({ what, set: "", noise: "", milliseconds: 1 })),
    arrays: sigmas.map((sigma) => ({ sigma, speeds, slowly: { Ziggurat: 1, "Knuth-Yao": 1 } })),
    digits: Object.fromEntries(names.map((name) => [name, { few: 2, many: 1 }])),
  };
  /** @type {any[]} */
  const found = [...claims(measured), ...claimsOf(["x"])];
  const items = JSON.parse(readFileSync(new URL("../bench/measured.json", import.meta.url), "utf8"));
  assert.deepEqual([...new Set(found.map(({ item }) => item))].sort(), [...items].sort());
  const order = found.find(({ item, form }) => item === "J18" && form === "as-built");
  assert.deepEqual([order?.outcome, order?.ours], ["agrees", "the paper's order at 3.3311, 55.5649, 107"]);
  measured.arrays[0].speeds = { ...speeds, "Knuth-Yao": 1 };
  assert.match(claims(measured).find((/** @type {any} */ { item, form }) => item === "J18" && form === "as-built")?.outcome ?? "", /^differs/);
});

/** The integers of a file of NumPy's. @param {string} file */
function npy(file) {
  const bytes = readFileSync(file);
  const length = bytes.readUInt16LE(8);
  const header = bytes.subarray(10, 10 + length).toString("latin1");
  const size = Number(/'descr': '[<|]i(\d)'/.exec(header)?.[1]);
  const body = bytes.subarray(10 + length);
  return Array.from({ length: body.length / size }, (_, i) => (size === 8 ? Number(body.readBigInt64LE(8 * i)) : body.readIntLE(size * i, size)));
}

const SETTINGS = [
  { recipe: "sigma=3.2,method=karney", seed: "42", source: "chacha20", count: 100_000 },
  { recipe: "sigma=3.2", seed: "42", source: "chacha20", count: 100_000 },
  { recipe: "sigma=215,center=-3,method=ziggurat,precision=72", seed: "5a".repeat(31) + "5b", source: "chacha8", count: 10_000 },
  { recipe: "k_sigma2=254,center=-7,method=bernoulli", seed: "18446744073709551615", source: "aes128-ctr", count: 10_000 },
  { recipe: "sigma_squared=10.24,center=1/3,method=knuth-yao-compact,precision=64", seed: "0", source: "kiss64", count: 1000 },
  { recipe: "sigma=1e12,method=karney", seed: "7", source: "chacha20", count: 1000 },
];

test("page: the code that it shows draws what it shows", { skip: !process.env["SAMPLEZ"] && "SAMPLEZ names no command" }, async () => {
  const { LANGUAGES, shownBy, snippet } = await page("code");
  const folder = mkdtempSync(join(tmpdir(), "samplez-code-"));
  const run = (/** @type {string} */ program, /** @type {string[]} */ args) => execFileSync(program, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] }).toString();
  try {
    for (const { count, ...options } of SETTINGS) {
      const d = await DiscreteGaussian.create(/** @type {any} */ (options));
      const wanted = Array.from(d.fill(new BigInt64Array(count)), Number);
      const shown = shownBy(d, options.seed, count);
      // JavaScript, as it stands but for where the package lies.
      const script = snippet("JavaScript", shown).replace('from "samplez"', `from ${JSON.stringify(new URL("dist/index.js", site).href)}`);
      writeFileSync(join(folder, "code.mjs"), `${script}\nconsole.log(JSON.stringify(Array.from(samples, Number)));\n`);
      assert.deepEqual(JSON.parse(run(process.execPath, ["code.mjs"])), wanted);
      // The command, by a shell, with `samplez` on its path.
      const command = snippet("Command", shown).replace(/^samplez /, `"${process.env["SAMPLEZ"]}" `);
      run("/bin/sh", ["-ec", command.replace("--out", "--quiet --out")]);
      assert.deepEqual(npy(join(folder, "samples.npy")), wanted);
      rmSync(join(folder, "samples.npy"));
      // Each language has the very recipe, source, seed and count.
      for (const language of LANGUAGES) {
        const code = snippet(language, shown);
        const recipe = /\b(?:sigma|sigma_squared|k_sigma2|s)=[\w=,./&-]+/.exec(code)?.[0] ?? "";
        assert.equal(recipe, d.recipe, language);
        const built = await DiscreteGaussian.create(/** @type {any} */ ({ recipe, source: options.source, seed: options.seed }));
        assert.deepEqual(Array.from(built.fill(new BigInt64Array(100)), Number), wanted.slice(0, 100), language);
        for (const part of [options.source, options.seed]) assert.ok(code.includes(part), `${language}: ${part}`);
        assert.ok(code.replaceAll("_", "").includes(String(count)), `${language}: ${count}`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** The languages' names in a fence. @type {Record<string, string>} */
const FENCES = { JavaScript: "js", Python: "python", Rust: "rust", C: "c", Command: "sh" };

test("page: docs/book/names.md has the code that it shows, which the other languages' tests run", async () => {
  const { shownBy, snippet, LANGUAGES } = await page("code");
  const programs = [...readFileSync(join(root, "docs/book/names.md"), "utf8").matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, fence, text]) => ({ fence, text }));
  const wanted = [];
  for (const source of /** @type {const} */ (["chacha20", "os"])) {
    // The page for newcomers leaves the planner's choice out.
    const shown = { ...shownBy(await DiscreteGaussian.create({ recipe: "sigma=3.2", source }), "42", 100_000), recipe: "sigma=3.2" };
    for (const language of LANGUAGES) wanted.push({ fence: FENCES[language], text: snippet(language, shown) });
  }
  assert.deepEqual(programs, wanted);
  // Of the first, what it draws is compared above; the second is of other samples each time.
  const shown = shownBy(await DiscreteGaussian.create({ recipe: "sigma=3.2", source: "os" }), "42", 1000);
  const folder = mkdtempSync(join(tmpdir(), "samplez-os-"));
  try {
    const script = snippet("JavaScript", shown).replace('from "samplez"', `from ${JSON.stringify(new URL("dist/index.js", site).href)}`);
    writeFileSync(join(folder, "code.mjs"), `${script}\nconsole.log(samples.length, new Set(samples).size > 10);\n`);
    assert.equal(execFileSync(process.execPath, [join(folder, "code.mjs")]).toString(), "1000 true\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("page: the recipes that it writes are of the forms of kat/recipes.csv, and draw their samples", async () => {
  const { shownBy, snippet, LANGUAGES } = await page("code");
  const lines = readFileSync(join(root, "kat/recipes.csv"), "utf8").trim().split("\n").slice(1);
  assert.ok(lines.length >= 18);
  for (const line of lines) {
    const [recipe = "", source = "", seed = "", samples = ""] = line.split(",");
    const said = recipe.replaceAll("&", ",");
    const d = await DiscreteGaussian.create(/** @type {any} */ ({ recipe: said, source, seed }));
    const shown = shownBy(d, seed, 16);
    const again = await DiscreteGaussian.create(/** @type {any} */ ({ recipe: shown.recipe, source: shown.source, seed: shown.seed }));
    assert.equal(Array.from(again.fill(new Int32Array(16))).join(" "), samples, line);
    for (const language of LANGUAGES) assert.ok(snippet(language, shown).includes(shown.recipe), `${language}: ${line}`);
  }
  // Of a source without a seed there is nothing to repeat.
  const os = await DiscreteGaussian.create({ sigma: 3, source: "os" });
  for (const language of LANGUAGES) assert.ok(!/42|seed[32]/.test(snippet(language, shownBy(os, "42", 16))), language);
});

test("page: every method has its paper, proof and source, and every link leads to a file of the repository", async () => {
  const rows = methodRows();
  assert.deepEqual(Object.keys(rows), (await methods()).map(({ name }) => name));
  const shown = JSON.parse(readFileSync(new URL("documents.json", site), "utf8"));
  for (const [name, row] of Object.entries(rows)) {
    assert.ok(row.papers.length > 0, name);
    for (const { key, title, url } of row.papers) {
      assert.ok(title.length > 10, `${key}: ${title}`);
      assert.match(url, /^https:\/\/(arxiv\.org\/abs|eprint\.iacr\.org)\/[\d./]+$|^repository\/docs\/papers\.md\.txt$/, key);
    }
    assert.match(row.proof, /^docs\/proofs\/[\w-]+\.md$/, name);
    assert.equal(shown.methods[name].source, copyOf(row.source));
    assert.equal(shown.methods[name].proof, copyOf(row.proof));
  }
  for (const path of linked()) {
    assert.ok(existsSync(join(root, path)), path);
    assert.equal(readFileSync(new URL(copyOf(path), site), "utf8"), readFileSync(join(root, path), "utf8"));
  }
});

test("page: native figures have their machine and day", () => {
  const { machine, date, rates } = nativeRates();
  assert.match(machine, /\w/);
  assert.match(date, /^\d{4}-\d\d-\d\d$/);
  assert.ok(Object.keys(rates).length >= 4);
  for (const of of Object.values(rates)) assert.deepEqual(Object.keys(of).sort(), ["107", "3.3311", "55.5649"]);
});
