// What fails for good fails, and what failed once is told.
// @ts-check

import assert from "node:assert/strict";
import { test } from "node:test";
import { forgiving } from "./engines.mjs";

test("node: a failure is forgiven an engine only if a new browser passes, and only so often", async () => {
  /** @type {string[]} */
  const log = [];
  const context = { diagnostic: (/** @type {string} */ message) => void log.push(message.replace(/\n.*/s, "")) };
  const restart = async () => void log.push("new browser");
  /** @param {ReturnType<typeof forgiving>} engine @param {number} failures */
  const outcome = async (engine, failures) => {
    log.length = 0;
    const body = async () => {
      log.push("run");
      if (failures-- > 0) throw new Error(`${failures} more`);
    };
    return await engine(body)(context).then(() => "passed", (error) => `failed: ${error.message}`);
  };
  const told = "webkit failed once, and has to pass in a new browser: Error: 0 more";
  const webkit = forgiving("webkit", restart, 2);
  assert.deepEqual([await outcome(webkit, 0), log], ["passed", ["run"]]);
  assert.deepEqual([await outcome(webkit, 1), log], ["passed", ["run", told, "new browser", "run"]]);
  assert.deepEqual([await outcome(webkit, 2), log.slice(-2)], ["failed: 0 more", ["new browser", "run"]]);
  assert.deepEqual([await outcome(webkit, 1), log], ["failed: 0 more", ["run"]]);
  assert.equal(await outcome(forgiving("firefox", restart), 1), "passed");
  assert.equal(await outcome(forgiving("firefox", restart), 2), "failed: 0 more");
  for (const name of ["chromium", "none"]) {
    assert.deepEqual([await outcome(forgiving(name, restart), 1), log], ["failed: 0 more", ["run"]]);
  }
});
