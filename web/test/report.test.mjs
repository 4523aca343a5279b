// The laboratory's page in Chromium and Firefox: no error, no need of a mouse or of good eyes, and a phone is wide enough.
// @ts-check

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { serve } from "../tools/serve.mjs";
import { BROWSERS, ENGINES } from "./drivers.mjs";

const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
/** The laboratory's command, as `make test-web` builds it. */
const LAB = join(dirname(process.env["SAMPLEZ"] ?? at("../../target/debug/samplez")), "samplez-lab");
/** Items that are exact: findings of every verdict, a chart, a table of names by names. */
const ITEMS = "E,B4,B8,D15,J14,S12";

/** @typedef {import("./drivers.mjs").Driver} Driver */

/** @type {string} */
let folder;
/** @type {Awaited<ReturnType<typeof serve>>} */
let site;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "samplez-report-"));
  execFileSync(LAB, ["report", "--quick", "--quiet", "--only", ITEMS, "--out", folder]);
  // The page has its style in itself, and nothing from elsewhere.
  const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'self'";
  site = await serve(folder, 0, { "/test/access.mjs": at("access.mjs") }, policy);
});
after(() => {
  site?.close();
  rmSync(folder, { recursive: true, force: true });
});

for (const name of ENGINES.filter((name) => name !== "webkit")) {
  describe(name, () => {
    /** What a function of access.mjs gives on the page. @param {Driver} driver @param {string} call */
    const access = async (driver, call) =>
      JSON.parse(await driver.evaluate(`import("/test/access.mjs").then((access) => JSON.stringify(access.${call}()))`));
    for (const dark of [false, true]) {
      test(`${name}: the report ${dark ? "in the dark" : "by day"}`, async () => {
        const driver = await /** @type {NonNullable<(typeof BROWSERS)[string]>} */ (BROWSERS[name])({ dark });
        try {
          await driver.open(`${site.url}index.html`);
          const { dark: is, found } = await access(driver, "contrasts");
          assert.equal(is, dark);
          assert.ok(found.length > 500, `${found.length}`);
          for (const { what, ratio, least } of found) assert.ok(ratio >= least, `${what}: ${ratio.toFixed(2)}, not ${least}`);
          assert.deepEqual(driver.problems(), []);
          if (dark) return;
          // Tab reaches every link and every table that may have to be scrolled, and one sees where it is.
          /** @type {string[]} */
          const wanted = await access(driver, "controls");
          assert.ok(wanted.length >= 9, wanted.join());
          const seen = new Set();
          for (let i = 0; i < wanted.length; i++) {
            await driver.press("Tab");
            const now = await access(driver, "focus");
            assert.ok(now.seen, `the focus on ${now.name} is not seen`);
            seen.add(now.name);
          }
          assert.deepEqual(wanted.filter((control) => !seen.has(control)), []);
          await driver.resize(360, 800);
          for (const end = Date.now() + 180_000; (await driver.evaluate("innerWidth")) !== 360 && Date.now() < end; ) {
            await new Promise((resolve) => setTimeout(resolve, 100));
          }
          assert.equal(await driver.evaluate("innerWidth"), 360);
          assert.ok(await driver.evaluate("document.documentElement.scrollWidth <= innerWidth"));
          assert.deepEqual(driver.problems(), []);
        } finally {
          await driver.close();
        }
      });
    }
  });
}
