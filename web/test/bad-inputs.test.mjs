// Bad inputs in Node; test/browsers.test.mjs runs the same in browsers.
// @ts-check

import assert from "node:assert/strict";
import { test } from "node:test";
import * as samplez from "../dist/index.js";
import * as schemes from "../dist/schemes/index.js";
import { FUNCTIONS, TABLE, checkTable } from "./bad-inputs.mjs";

test("node: what is wrong with an input is said, and nothing that is secret", async () => {
  const functions = new Function(`return ${FUNCTIONS}`)();
  assert.deepEqual(await checkTable(samplez, schemes, functions), { count: TABLE.length, wrong: [], leaks: [] });
  assert.ok(TABLE.length >= 190);
  const [call = "", want] = TABLE[0] ?? [];
  const { wrong } = await checkTable(samplez, schemes, [() => "another answer", ...functions.slice(1)]);
  assert.deepEqual(wrong, [`${call}: another answer`]);
  assert.notEqual(want, "another answer");
});
