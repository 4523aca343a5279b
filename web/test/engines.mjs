// Tests in an engine that sometimes fails by itself: such a failure is told, and the test has to pass in a new browser.
// @ts-check

import { test } from "node:test";

/** How many tests of a file may fail at first: as many as have failed on busy machines, in dozens of whole runs, and never so that it could
 * be repeated. web/toolchains/README.md says which. @type {Record<string, number>} */
const FORGIVEN = { chromium: 0, firefox: 1, webkit: 2 };

/** @typedef {{ diagnostic: (message: string) => void }} Context */

/** A test's body, which is run once more after a failure, as long as some are forgiven.
 * @param {string} name @param {() => Promise<void>} restart  gives a new browser @param {number} [left] */
export function forgiving(name, restart, left = FORGIVEN[name] ?? 0) {
  return (/** @type {(context: Context) => Promise<void>} */ body) => async (/** @type {Context} */ context) => {
    try {
      return await body(context);
    } catch (error) {
      if (left <= 0) throw error;
      left--;
      context.diagnostic(`${name} failed once, and has to pass in a new browser: ${error instanceof Error ? error.stack : error}`);
    }
    await restart();
    await body(context);
  };
}

/** `test` for this engine.
 * @param {string} name @param {() => Promise<void>} restart */
export function testsOf(name, restart) {
  const body = forgiving(name, restart);
  return (/** @type {string} */ title, /** @type {(context: Context) => Promise<void>} */ run) => void test(title, body(run));
}
