// Who uses the page without a mouse, or sees little of it: the tests of test/browsers.test.mjs about that.
// @ts-check

import assert from "node:assert/strict";
import { IDLE, PAGE, TEXT, choose, pause, until } from "./gestures.mjs";

/** @typedef {import("./drivers.mjs").Driver} Driver */

/** @param {{
 *   name: string,
 *   test: ReturnType<typeof import("./engines.mjs").testsOf>,
 *   start: (typeof import("./drivers.mjs").BROWSERS)[string],
 *   open: (query: string) => Promise<void>,
 *   clean: () => Promise<void>,
 *   now: () => { driver: Driver, site: Awaited<ReturnType<typeof import("./site.mjs").serveSite>> },
 * }} context */
export function reachable({ name, test, start, open, clean, now }) {
  /** What a function of access.mjs gives on the page. */
  const access = async (/** @type {Driver} */ driver, /** @type {string} */ call) =>
    JSON.parse(await driver.evaluate(`import("/test/access.mjs").then((access) => JSON.stringify(access.${call}()))`));

  test(`${name}: Tab reaches every control in the order of the page, and one sees where it is; keys work them`, async () => {
    const { driver } = now();
    await open(PAGE);
    const controls = await access(driver, "controls");
    assert.ok(controls.length >= 18, controls.join());
    const seen = [];
    for (const control of controls) {
      await driver.press("Tab");
      let focused = await access(driver, "focus");
      for (let tries = 0; !focused.seen && tries < 20; tries++) {
        await pause(); // the page may still be on its way there
        focused = await access(driver, "focus");
      }
      assert.ok(focused.seen, `the focus on ${control} is not seen: ${focused.name}, ${focused.why}`);
      seen.push(focused.name);
    }
    assert.deepEqual(seen, controls);
    const focus = (/** @type {string} */ selector) => driver.evaluate(`document.querySelector(${JSON.stringify(selector)}).focus()`);
    await focus("#numbers summary");
    await driver.press("Enter");
    assert.ok(await driver.evaluate('document.getElementById("numbers").open'));
    const before = await driver.evaluate('document.getElementById("seed").value');
    await focus("#reseed");
    await driver.press("Space");
    assert.notEqual(await driver.evaluate('document.getElementById("seed").value'), before);
    await driver.evaluate('document.getElementById("status").textContent = ""');
    await focus("#width");
    await driver.press("Enter");
    await until(driver, `${IDLE} && ${TEXT("status")} === "Drew 1,000,000 samples."`);
    await clean();
  });

  test(`${name}: text and pictures stand out in light and in dark; what need not move does not`, async () => {
    const judge = async (/** @type {Driver} */ driver, /** @type {boolean} */ wanted) => {
      const { dark, found } = await access(driver, "contrasts");
      assert.equal(dark, wanted);
      assert.ok(found.length > 100, `${found.length}`);
      for (const { what, ratio, least } of found) assert.ok(ratio >= least, `${what}: ${ratio.toFixed(2)}, not ${least}`);
    };
    /** When the histogram is drawn, so many times, in a long run, by a clock that each look at it moves by a tenth of a second. */
    const redrawn = async (/** @type {Driver} */ driver, /** @type {number} */ count) => {
      await choose(driver, "method", "karney");
      await choose(driver, "count", "1000000000");
      await driver.click("#run");
      await driver.evaluate(`void (
        window.redrawn = [],
        window.clock = performance.now(),
        performance.now = () => (window.clock += 100),
        new MutationObserver(() => window.redrawn.push(window.clock)).observe(document.getElementById("histogram"), { childList: true })
      )`);
      await until(driver, `window.redrawn.length >= ${count}`);
      const times = JSON.parse(await driver.evaluate("JSON.stringify(window.redrawn)"));
      await driver.click("#stop");
      await until(driver, IDLE);
      return times;
    };
    const { driver } = now();
    await open(PAGE);
    await judge(driver, false);
    await redrawn(driver, 3);
    const other = await start({ dark: true, calm: true });
    try {
      await other.open(now().site.url + PAGE);
      await until(other, `${IDLE} && document.body.dataset.walks === "idle"`);
      await judge(other, true);
      if (await other.evaluate('matchMedia("(prefers-reduced-motion: reduce)").matches')) {
        const times = await redrawn(other, 2);
        times.slice(1).forEach((/** @type {number} */ at, /** @type {number} */ i) => assert.ok(at - times[i] > 1500, times.join()));
      } else {
        assert.equal(name, "webkit"); // which has to be told by its desktop
      }
    } finally {
      await other.close();
    }
    await clean();
  });

  // After those of the keys: WebKitGTK has crashed on a page whose window had been narrow, and did not here.
  test(`${name}: every control has a name, every picture a description; a phone is wide enough`, async () => {
    const { driver } = now();
    await open(PAGE);
    assert.deepEqual(await access(driver, "faults"), []);
    const labels = JSON.parse(await driver.evaluate('JSON.stringify(Array.from(document.querySelectorAll("svg[role=img]"), (svg) => svg.getAttribute("aria-label")))'));
    assert.equal(labels.length, 5);
    assert.match(labels[0], /^Histogram of 1,000,000 samples over the exact law, with residuals\. Chi squared /);
    for (const label of labels) assert.ok(label.length > 30, label);
    // What the browser would tell a screen reader, where it can be asked.
    const told = await driver.told?.();
    if (told !== undefined) {
      for (const control of ["textbox Width σ", "slider σ, on a logarithmic scale", "combobox Method", "button Run", "image Histogram of", "heading The Ziggurat", "button The coins: play", "slider The walk: speed", "combobox Algorithm", "button Make a key", "textbox Text to sign"]) {
        assert.ok(told.some((line) => line.startsWith(control)), `${control} is not among ${told.join("; ")}`);
      }
    }
    await driver.resize(360, 800);
    await until(driver, "innerWidth <= 500");
    if (name !== "webkit") assert.equal(await driver.evaluate("innerWidth"), 360);
    assert.ok(await driver.evaluate("document.documentElement.scrollWidth <= innerWidth"));
    await driver.resize(1000, 900);
    await clean();
  });
}
