// The package as it is packed, in every toolchain of tools.mjs, each in a project of its own. Writes toolchains.json, of which table.mjs
// makes the README's table. TOOLCHAINS=folder keeps the projects; ONLY=text runs those whose names have it, and leaves the other rows.
// @ts-check

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { DiscreteGaussian, fillParallel } from "../dist/index.js";
import { Schemes } from "../dist/schemes/index.js";
import { BROWSERS } from "../test/drivers.mjs";
import { writeTable } from "./table.mjs";
import { TOOLCHAINS, project, version } from "./tools.mjs";

const web = fileURLToPath(new URL("..", import.meta.url));
const kept = process.env["TOOLCHAINS"];
const only = process.env["ONLY"] ?? "";
const folder = kept ?? mkdtempSync(join(tmpdir(), "samplez-toolchains-"));
const json = new URL("toolchains.json", import.meta.url);

/** @type {import("../test/drivers.mjs").Driver} */
let driver;
/** @type {Record<string, unknown>} */
let expected;
let tarball = "";
/** @type {Record<string, string>[]} */
const rows = [];

/** What files have together, each gzipped, in KB. @param {string[]} urls */
async function size(urls) {
  const bodies = urls.map(async (url) => gzipSync(Buffer.from(await (await fetch(url)).arrayBuffer()), { level: 9 }).length);
  return (await Promise.all(bodies)).reduce((sum, length) => sum + length, 0) / 1024;
}

/** What a page puts down as its result, and the size of what it had loaded by its first sample. @param {string} url */
async function look(url) {
  const results = await lookedAt(url);
  const { loaded } = results;
  return Array.isArray(loaded) ? { ...results, loaded: await size([url, ...loaded]).catch(() => undefined) } : results;
}

/** @param {string} url @returns {Promise<Record<string, unknown>>} */
async function lookedAt(url) {
  await driver.open(url);
  for (const end = Date.now() + 120_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const text = await driver.evaluate("document.body?.dataset.result").catch(() => undefined);
    if (text !== undefined) return JSON.parse(text);
  }
  return { run: `no answer in time: ${driver.problems().join("; ").slice(0, 500)}` };
}

before(async () => {
  const packed = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: web, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  tarball = join(folder, packed[0].filename);
  const options = { sigma: "3.2", seed: Uint8Array.from({ length: 32 }, (_, i) => 7 * i) };
  expected = {
    samples: Array.from((await DiscreteGaussian.create(options)).fill(new Int16Array(8))),
    verify: 10_000,
    schemes: Array.from((await Schemes.create()).bliss({ set: "I" }).sampleNoise(4, options)),
    workers: Array.from((await fillParallel(new Int16Array(600_000), options)).subarray(-4)),
  };
  driver = await /** @type {any} */ (BROWSERS)["chromium"]();
});
after(async () => {
  await driver?.close();
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  /** @type {Record<string, string>[]} */
  const before = only === "" ? [] : JSON.parse(readFileSync(json, "utf8"));
  const all = TOOLCHAINS.map(({ name, entry = "samplez" }) => {
    const is = (/** @type {Record<string, string>} */ row) => row["name"] === name && row["entry"] === entry;
    return rows.find(is) ?? before.find(is);
  });
  writeFileSync(json, `${JSON.stringify(all.filter((row) => row !== undefined), null, 2)}\n`);
  writeTable();
});

/** What fails today, and is said in the README: the parts, by name and entry. */
const FAILS = JSON.parse(readFileSync(new URL("fails.json", import.meta.url), "utf8"));

for (const toolchain of TOOLCHAINS.filter(({ name }) => name.includes(only))) {
  const { name, entry = "samplez", note = "" } = toolchain;
  test(`toolchains: ${name}, ${entry}`, async () => {
    const place = join(folder, toolchain.packages.join("+").replace(/[^\w.+-]/g, "_") || "node");
    /** @type {Record<string, unknown>} */
    let results;
    try {
      project(toolchain, place, tarball);
      results = await toolchain.run({ folder: place, look });
    } catch (error) {
      results = { run: String(error) };
    }
    const failed = Object.keys(expected).filter((part) => JSON.stringify(results[part]) !== JSON.stringify(expected[part]));
    const { first, loaded } = results;
    const works = !failed.includes("samples");
    const milliseconds = works && typeof first === "number" && first > 0 ? `${Math.round(first)} ms` : "";
    const kilobytes = works && typeof loaded === "number" ? `${Math.round(loaded)} KB` : "";
    rows.push({ name, version: version(toolchain, place), entry, fails: failed.join(", "), first: milliseconds, loaded: kilobytes, note });
    if (failed.length > 0) console.log(`${name}, ${entry}: ${JSON.stringify(results).slice(0, 1500)}`);
    assert.deepEqual(failed, FAILS[`${name}, ${entry}`] ?? [], JSON.stringify(results).slice(0, 1500));
  });
}
