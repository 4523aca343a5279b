// What an engine, a policy or a missing file makes impossible is said, and nothing hangs.
// @ts-check

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { POLICY, serve } from "../tools/serve.mjs";
import { BROWSERS, ENGINES } from "./drivers.mjs";
import { testsOf } from "./engines.mjs";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const folder = fileURLToPath(new URL("../build/refusals", import.meta.url));
const whole = join(folder, "whole");
const lacking = (/** @type {string} */ name) => join(folder, name);

/** Copies of the package that lack a file each, and one in which a page stands for the module, as from a server that answers so. */
before(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const name of ["whole", "samplez-simd.wasm", "samplez-verify.wasm", "samplez-worker.js", "replaced"]) {
    const copy = lacking(name);
    mkdirSync(copy, { recursive: true });
    cpSync(dist, join(copy, "dist"), { recursive: true });
    if (name !== "whole" && name !== "replaced") rmSync(join(copy, "dist", name));
    if (name === "replaced") writeFileSync(join(copy, "dist/samplez-simd.wasm"), "<!doctype html>");
    writeFileSync(join(copy, "index.html"), '<!doctype html><html lang="en"><link rel="icon" href="icon.svg"><title>empty</title></html>');
    cpSync(fileURLToPath(new URL("../page/icon.svg", import.meta.url)), join(copy, "icon.svg"));
  }
});
after(() => rmSync(folder, { recursive: true, force: true }));

const SAMPLE = "(s) => s.DiscreteGaussian.create({ sigma: 3 })";
const VERIFY = "(s) => s.verify(new Int8Array(100), { sigma: 3 })";
const SHARED = VERIFY.replace("sigma: 3", "sigma: 3, threads: 2");
const WORKER = "(s) => s.WorkerGaussian.create({ sigma: 3 }).then((d) => d.dispose())";
const FILL = "(s) => s.fillParallel(new BigInt64Array(9), { sigma: 3 }, { workers: 2 })";

/** What this gives in Node: the error's text.
 * @param {string} copy @param {string} act @param {{ flags?: string[], first?: string }} [more] */
function said(copy, act, { flags = [], first = "" } = {}) {
  const index = pathToFileURL(join(copy, "dist/index.js")).href;
  const program = `${first}; import("${index}").then(${act}).then(() => "no error", String).then(console.log)`;
  return execFileSync(process.execPath, [...flags, "-e", program], { encoding: "utf8", timeout: 180_000, stdio: ["ignore", "pipe", "ignore"] }).trim();
}

test("node: what is missing is said", () => {
  const must = "it must lie where the script looks for it, and Node be 20.16 or newer; or import samplez/inline";
  assert.match(said(lacking("samplez-simd.wasm"), SAMPLE), new RegExp(`^Error: file:.*/samplez-simd\\.wasm could not be loaded: ENOENT.*; ${must}$`));
  assert.match(said(lacking("samplez-verify.wasm"), VERIFY), new RegExp(`^Error: file:.*/samplez-verify\\.wasm could not be loaded: ENOENT.*; ${must}$`));
  assert.equal(said(lacking("samplez-verify.wasm"), SAMPLE), "no error");
  assert.equal(said(lacking("samplez-simd.wasm"), VERIFY), "no error");
  assert.match(said(lacking("replaced"), SAMPLE), /^Error: file:.*\/samplez-simd\.wasm is no WebAssembly module: a server or a bundler has put something else in its place/);
  assert.match(said(lacking("samplez-worker.js"), FILL), /^Error: a worker could not be started: .*samplez-worker\.js.*; samplez-worker\.js must lie where/);
  assert.match(said(lacking("samplez-worker.js"), SHARED), /^Error: a worker could not be started: .*samplez-worker\.js.*; samplez-worker\.js must lie where/);
  assert.match(said(lacking("samplez-worker.js"), WORKER), /^Error: a worker could not be started: /);
  assert.equal(said(lacking("samplez-worker.js"), VERIFY), "no error");
  assert.equal(said(whole, FILL), "no error");
  assert.equal(said(whole, SHARED), "no error");
  assert.equal(said(whole, WORKER), "no error");
});

test("node: an engine that lacks something is told so", () => {
  assert.equal(said(whole, SAMPLE, { flags: ["--jitless"] }), "Error: samplez needs WebAssembly, which this engine lacks or has switched off");
  // Node before 20.16 has no way to its modules without an import of their names.
  const first = "delete process.getBuiltinModule";
  assert.match(said(whole, SAMPLE, { first }), /^Error: file:.* could not be loaded: .*, and Node be 20.16 or newer; or import samplez\/inline$/);
  assert.match(said(whole, FILL, { first: `process.getBuiltinModule = ((get) => (name) => name === "node:worker_threads" ? undefined : get(name))(process.getBuiltinModule)` }), /neither Worker nor node:worker_threads; Node has both from 20\.16 on/);
});

for (const name of ENGINES) {
  const start = /** @type {(typeof BROWSERS)[string]} */ (BROWSERS[name]);
  describe(name, () => {
    /** @type {import("./drivers.mjs").Driver} */
    let driver;
    before(async () => void (driver = await start()));
    after(() => driver?.close());
    const test = testsOf(name, async () => {
      await driver.close();
      driver = await start();
    });

    /** What this gives on a page of that copy under that policy: the error's text.
     * @param {string} copy @param {string} policy @param {string} act */
    async function refusal(copy, policy, act) {
      const { url, close } = await serve(copy, 0, {}, policy);
      try {
        await driver.open(url);
        // Of a module that stopped, the engine's own reason is wanted too.
        const text = "(error) => (String(error).includes(' stopped, ') ? `${error}: ${error.cause?.stack}, ${error.cause}` : String(error))";
        return await driver.evaluate(`import("/dist/index.js").then(${act}).then(() => "no error", ${text})`);
      } finally {
        close();
      }
    }

    test(`${name}: what a policy forbids is said`, async () => {
      const without = (/** @type {string} */ from, /** @type {string} */ to) => POLICY.replace(from, to);
      assert.match(await refusal(whole, without(" 'wasm-unsafe-eval'", ""), SAMPLE), /samplez-simd\.wasm was not compiled: .*; a Content-Security-Policy must allow script-src 'wasm-unsafe-eval', and a runtime/s);
      assert.match(await refusal(whole, without("connect-src 'self'", "connect-src 'none'"), SAMPLE), /samplez-simd\.wasm could not be loaded: .*; it must lie where the script looks for it, and a Content-Security-Policy allow it under connect-src; or import samplez\/inline$/);
      for (const act of [FILL, SHARED, WORKER]) {
        assert.match(await refusal(whole, without("worker-src 'self'", "worker-src 'none'"), act), /^Error: a worker could not be started: .*allow it under worker-src$/);
        assert.equal(await refusal(whole, POLICY, act), "no error");
      }
      assert.match(await refusal(whole, without(" 'wasm-unsafe-eval'", ""), VERIFY), /samplez-verify\.wasm was not compiled: /);
      assert.match(await refusal(whole, without("connect-src 'self'", "connect-src 'none'"), VERIFY), /samplez-verify\.wasm could not be loaded: .*allow it under connect-src; or import samplez\/inline$/);
      assert.equal(await refusal(whole, POLICY, VERIFY), "no error");
    });

    test(`${name}: what is missing is said`, async () => {
      assert.match(await refusal(lacking("samplez-simd.wasm"), POLICY, SAMPLE), /samplez-simd\.wasm could not be loaded: 404 Not Found; /);
      assert.match(await refusal(lacking("samplez-verify.wasm"), POLICY, VERIFY), /samplez-verify\.wasm could not be loaded: 404 Not Found; /);
      // Once it is there, the next call has it: a failure is not remembered.
      const again = `(s) => { const { fetch } = globalThis; globalThis.fetch = () => Promise.reject(new Error("offline")); return (${VERIFY})(s).catch((error) => { globalThis.fetch = fetch; if (!error.message.includes("offline")) throw error; return (${VERIFY})(s); }); }`;
      assert.equal(await refusal(whole, POLICY, again), "no error");
      assert.match(await refusal(lacking("replaced"), POLICY, SAMPLE), /samplez-simd\.wasm is no WebAssembly module: /);
      for (const act of [FILL, SHARED, WORKER]) {
        assert.match(await refusal(lacking("samplez-worker.js"), POLICY, act), /^Error: a worker could not be started: .*samplez-worker\.js must lie where/);
      }
      const engine = `(s) => (delete globalThis.WebAssembly, (${SAMPLE})(s))`;
      assert.equal(await refusal(whole, POLICY, engine), "Error: samplez needs WebAssembly, which this engine lacks or has switched off");
    });
  });
}
