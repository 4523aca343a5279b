// The package and the page in Chromium, Firefox and WebKit, driven as a person would.
// @ts-check

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { DiscreteGaussian, methods, zigguratFigure } from "../dist/index.js";
import { BROWSERS } from "./drivers.mjs";
import { serveSite } from "./site.mjs";

/** @typedef {import("./drivers.mjs").Driver} Driver */

test("page: the throws that the picture shows have the law", async () => {
  const { throwOnce } = await import(new URL("../build/site/page/src/ziggurat.js", import.meta.url).href);
  const sigma = 4;
  const figure = await zigguratFigure({ sigma, rectangles: 12 });
  let state = 1n;
  const uniform = () => {
    state = (state * 0x5851f42d4c957f2dn + 0x14057b7ef767814fn) % (1n << 64n);
    return Number(state >> 32n) / 2 ** 32;
  };
  const counts = new Array(80).fill(0);
  let kept = 0;
  for (let i = 0; i < 400_000; i++) {
    const { column, accepted } = throwOnce(figure, sigma, [uniform(), uniform(), uniform(), uniform()]);
    counts[column] += accepted ? 1 : 0;
    kept += accepted ? 1 : 0;
  }
  // |X| of D_Z: 0 once, the others twice. Within 5 standard deviations.
  const d = await DiscreteGaussian.create({ sigma });
  for (let x = 0; x < 16; x++) {
    const p = (x === 0 ? 1 : 2) * d.pmf(x);
    assert.ok(Math.abs(counts[x] - kept * p) < 5 * Math.sqrt(kept * p), `${x}: ${counts[x]}, ${kept * p}`);
  }
});

const SEED = "5a".repeat(32);
const PAGE = `?recipe=sigma=3.2,center=0,method=auto,precision=128&source=chacha20&count=1000000&seed=${SEED}&rectangles=12`;
const pause = () => new Promise((resolve) => setTimeout(resolve, 100));

/** @param {Driver} driver @param {string} condition @param {number} [seconds] */
async function until(driver, condition, seconds = 45) {
  for (const end = Date.now() + 1000 * seconds; !(await driver.evaluate(condition)); await pause()) {
    if (Date.now() > end) throw new Error(`${condition} does not become true; the page says: ${await driver.evaluate(SAYS)}`);
  }
}

const SAYS = 'document.getElementById("alert").textContent + " | " + document.getElementById("status").textContent';
const IDLE = 'document.body.dataset.state === "idle"';
const TEXT = (/** @type {string} */ id) => `document.getElementById(${JSON.stringify(id)}).textContent`;

/** Chooses an option of a list as its user does.
 * @param {Driver} driver @param {string} id @param {string} value */
async function choose(driver, id, value) {
  const list = `document.getElementById(${JSON.stringify(id)})`;
  await driver.evaluate(`(${list}.focus(), ${list}.value = ${JSON.stringify(value)}, ${list}.dispatchEvent(new Event("change", { bubbles: true })))`);
}

/** The picture's table: value, seen, expected, residual.
 * @param {Driver} driver @returns {Promise<[string, number, number, number][]>} */
async function cells(driver) {
  const text = await driver.evaluate(
    'JSON.stringify(Array.from(document.querySelectorAll("#cells tr"), (row) => Array.from(row.cells, (cell) => cell.textContent)))',
  );
  return JSON.parse(text).map((/** @type {string[]} */ [value, ...numbers]) => [value, ...numbers.map(Number)]);
}

/** A definition of one of the page's lists.
 * @param {Driver} driver @param {string} list @param {string} term @returns {Promise<string>} */
const definition = (driver, list, term) =>
  driver.evaluate(
    `Array.from(document.querySelectorAll("#${list} dt")).find((term) => term.textContent === ${JSON.stringify(term)})?.nextSibling.textContent`,
  );

for (const [name, start] of Object.entries(BROWSERS)) {
  describe(name, () => {
    /** @type {Driver} */
    let driver;
    /** @type {Awaited<ReturnType<typeof serveSite>>} */
    let site;
    before(async () => {
      site = await serveSite();
      driver = await start();
    });
    after(async () => {
      await driver?.close();
      site?.close();
    });
    const open = async (/** @type {string} */ query) => {
      await driver.open(site.url + query);
      await until(driver, IDLE);
    };
    /** What has gone wrong on the page since it was opened. */
    const clean = async () => {
      assert.deepEqual(JSON.parse(await driver.evaluate("JSON.stringify(watch.problems)")), []);
      assert.deepEqual(driver.problems(), []);
    };

    test(`${name}: the native library's samples, with and without SIMD`, async () => {
      await open(PAGE);
      for (const simd of [false, true]) {
        const check = `(async () => {
          const { check } = await import("/test/vectors.mjs");
          const csv = await (await fetch("/kat/streams.csv")).text();
          return JSON.stringify(await check(await import("/dist/index.js"), csv, ${simd}));
        })()`;
        const { count, failures } = JSON.parse(await driver.evaluate(check));
        assert.ok(count >= 70);
        assert.deepEqual(failures, []);
      }
      await clean();
    });

    test(`${name}: workers fill what one fills, and stop when told to`, async () => {
      await open(PAGE);
      const fill = `(async () => {
        const { DiscreteGaussian, fillParallel } = await import("/dist/index.js");
        const options = { sigma: "3.2", seed: new Uint8Array(32).fill(9) };
        const one = (await DiscreteGaussian.create(options)).fillAt(77, new Int16Array(1e6));
        let seen = 0;
        const many = await fillParallel(new Int16Array(1e6), options, { first: 77, workers: 2, onProgress: (done) => (seen = done) });
        const controller = new AbortController();
        const never = fillParallel(new Int16Array(1e8), options, { workers: 2, onProgress: () => controller.abort(), signal: controller.signal });
        const end = await never.then(() => "filled", (error) => error.name);
        return JSON.stringify([one.every((x, i) => x === many[i]), seen, end]);
      })()`;
      assert.deepEqual(JSON.parse(await driver.evaluate(fill)), [true, 1_000_000, "AbortError"]);
      await clean();
    });

    test(`${name}: the widest samples, by one and by workers, disposed of; and on the page`, async () => {
      await open(PAGE);
      const fill = `(async () => {
        const { DiscreteGaussian, fillParallel } = await import("/dist/index.js");
        const heads = [];
        for (const [sigma, method] of [["1e8", "auto"], ["1e12", "auto"], ["70368744177664", "karney"], ["2e16", "auto"]]) {
          const options = { sigma, method, seed: new Uint8Array(32).fill(9) };
          const d = await DiscreteGaussian.create(options);
          heads.push(String(d.sampleBigInt()));
          const one = d.fillAt(5, new BigInt64Array(1e5));
          d.dispose();
          const many = await fillParallel(new BigInt64Array(1e5), options, { first: 5, workers: 2 });
          if (!one.every((x, i) => x === many[i])) heads.push("workers differ");
        }
        return JSON.stringify(heads);
      })()`;
      const heads = [];
      for (const [sigma, method] of /** @type {const} */ ([["1e8", "auto"], ["1e12", "auto"], ["70368744177664", "karney"], ["2e16", "auto"]])) {
        heads.push(String((await DiscreteGaussian.create({ sigma, method, seed: new Uint8Array(32).fill(9) })).sampleBigInt()));
      }
      assert.deepEqual(JSON.parse(await driver.evaluate(fill)), heads);
      for (const sigma of ["1e12", "1e16"]) {
        await open(`?recipe=sigma=${sigma}&count=100000&seed=${SEED}`);
        await until(driver, `${TEXT("status")} === "Drew 100,000 samples."`);
        assert.equal(await driver.evaluate(TEXT("alert")), "");
        assert.equal((await cells(driver)).reduce((sum, [, seen]) => sum + seen, 0), 100_000);
        assert.ok(Number(await definition(driver, "moments", "p-value")) > 1e-6);
      }
      await clean();
    });

    test(`${name}: the picture shows the samples, and the law`, async () => {
      await open(PAGE);
      const rows = await cells(driver);
      const d = await DiscreteGaussian.create({ sigma: "3.2", seed: SEED });
      const samples = d.fill(new Int8Array(1_000_000));
      /** @type {Map<string, number>} */
      const counts = new Map();
      for (const x of samples) counts.set(`${x}`, (counts.get(`${x}`) ?? 0) + 1);
      let total = 0;
      let chi2 = 0;
      for (const [value, seen, expected, residual] of rows) {
        total += seen;
        if (/^-?\d+$/.test(value)) {
          assert.equal(seen, counts.get(value) ?? 0, value);
          assert.ok(Math.abs(expected / (1e6 * d.pmf(Number(value))) - 1) < 1e-5, value);
        }
        assert.ok(Math.abs((seen - expected) / Math.sqrt(expected) - residual) < 0.011, value);
        if (expected >= 5) chi2 += (seen - expected) ** 2 / expected;
      }
      assert.equal(total, 1_000_000);
      const said = Number.parseFloat(await definition(driver, "moments", "χ²"));
      assert.ok(Math.abs(said - chi2) < 12, `${said}, ${chi2}`); // the tails are merged there, and left out here
      assert.ok(Number(await definition(driver, "moments", "p-value")) > 1e-6);
      // The bars are as high as the counts, and the line as the probabilities.
      const drawn = JSON.parse(
        await driver.evaluate(`JSON.stringify([
          Array.from(document.querySelectorAll("#histogram .bar"), (bar) => Number(bar.getAttribute("height"))),
          Array.from(document.querySelectorAll("#histogram .exact-dot"), (dot) => Number(dot.getAttribute("cy"))),
        ])`),
      );
      const inner = rows.slice(1, -1);
      const most = Math.max(...inner.map(([, , expected]) => expected));
      inner.forEach(([value, seen, expected], i) => {
        const scale = (260 - 14) / (1.12 * most);
        assert.ok(Math.abs(drawn[0][i] - seen * scale) < 0.02, value);
        assert.ok(Math.abs(drawn[1][i] - (260 - expected * scale)) < 0.02, value);
      });
      assert.match(await definition(driver, "certificate", "statistical distance"), /^≤ 2\^-123\.\d\d$/);
      await clean();
    });

    test(`${name}: choose, run, share`, async () => {
      await open(PAGE);
      await choose(driver, "preset", "sigma:215");
      await choose(driver, "method", "ziggurat");
      await choose(driver, "source", "chacha8");
      await choose(driver, "count", "100000");
      await driver.type("#center", "-3");
      await driver.click("#run");
      await until(driver, `${IDLE} && ${TEXT("status")} === "Drew 100,000 samples."`);
      assert.equal(await definition(driver, "certificate", "law"), "D_Z(sigma = 215, center = -3)");
      assert.equal(await definition(driver, "certificate", "method"), "ziggurat");
      const rows = await cells(driver);
      assert.equal(rows.reduce((sum, [, seen]) => sum + seen, 0), 100_000);
      const address = await driver.evaluate("location.search");
      await open(address);
      assert.deepEqual(await cells(driver), rows);
      await driver.click("#reseed");
      await driver.click("#run");
      await until(driver, `${IDLE} && ${TEXT("status")} === "Drew 100,000 samples."`);
      assert.notDeepEqual(await cells(driver), rows);
      await clean();
    });

    test(`${name}: the tables are drawn for the law`, async () => {
      await open(PAGE);
      await until(driver, 'document.querySelectorAll("#ziggurat .sure").length === 12');
      const verdicts = new Set();
      for (let i = 0; i < 12; i++) {
        await driver.click("#throw");
        const text = await driver.evaluate(TEXT("ziggurat-caption"));
        assert.match(text, /^12 rectangles of one area\. A throw into rectangle \d+, column \d+: .* the density: (accepted|rejected)/);
        assert.equal(await driver.evaluate('document.querySelectorAll("#ziggurat .thrown").length'), 1);
        verdicts.add(text);
      }
      assert.ok(verdicts.size > 1);
      await driver.type("#rectangles", "20\n");
      await until(driver, `${IDLE} && document.querySelectorAll("#ziggurat .sure").length === 20`);
      const ends = new Set();
      for (let i = 0; i < 12; i++) {
        await driver.click("#again");
        const text = await driver.evaluate(TEXT("walk-caption"));
        assert.match(text, /^After \d+ bits the walk ends at the leaf \d+, to which a last bit gives the sign/);
        ends.add(text);
      }
      assert.ok(ends.size > 1);
      await choose(driver, "method", "karney");
      await driver.type("#center", "1/3\n");
      await until(driver, `${IDLE} && document.getElementById("ziggurat").hasAttribute("hidden")`);
      assert.match(await driver.evaluate(TEXT("ziggurat-caption")), /^No picture: center = 1\/3: /);
      await clean();
    });

    test(`${name}: mistakes are said in the library's words`, async () => {
      await open(PAGE);
      await driver.type("#width", "-2\n");
      await until(driver, `${TEXT("alert")} !== ""`);
      assert.equal(await driver.evaluate(TEXT("alert")), "sigma = -2: must be greater than 0");
      await driver.type("#width", "3.2\n");
      await until(driver, `${IDLE} && ${TEXT("alert")} === ""`);
      await clean();
    });

    test(`${name}: a long run shows how far it is, and can be stopped`, async () => {
      await open(PAGE);
      await choose(driver, "method", "karney");
      await choose(driver, "count", "1000000000");
      await driver.click("#run");
      await until(driver, `document.body.dataset.state === "running" && Number(document.querySelector("#moments dd").textContent.replaceAll(",", "")) > 200000`);
      await driver.click("#stop");
      await until(driver, IDLE, 10);
      assert.match(await driver.evaluate(TEXT("status")), /^Stopped after [\d,]+ samples\.$/);
      await clean();
    });

    test(`${name}: the benchmark beside the paper's, as a file too`, async () => {
      await open(PAGE);
      await choose(driver, "effort", "40");
      await driver.click("#benchmark");
      await until(driver, `${IDLE} && ${TEXT("status")} === "The benchmark is done."`, 240);
      const names = (await methods()).map((method) => method.name);
      const shown = JSON.parse(await driver.evaluate('JSON.stringify(Array.from(document.querySelectorAll("#rates th"), (head) => head.textContent))'));
      assert.deepEqual(shown, names);
      await driver.click("#download");
      await until(driver, "watch.files.length === 1", 10);
      const csv = /** @type {string} */ (await driver.evaluate("watch.files[0]"));
      if (driver.downloads !== undefined) {
        const file = join(driver.downloads, "samplez-benchmark.csv");
        for (const end = Date.now() + 20_000; !existsSync(file) && Date.now() < end; ) await pause();
        assert.equal(readFileSync(file, "utf8"), csv);
      }
      const lines = csv.trimEnd().split("\n");
      assert.equal(lines.length, 1 + 3 * names.length);
      const rate = (/** @type {string} */ method) => Number(lines.find((line) => line.startsWith(`${method},3.3311,`))?.split(",")[2]);
      assert.ok(rate("cdt-guided") > rate("rejection") && rate("rejection") > 0);
      assert.match(lines.find((line) => line.startsWith("knuth-yao,107,")) ?? "", /,Knuth–Yao,862,/);
      await clean();
    });

    test(`${name}: the native library's keys, signatures and ciphertexts`, async () => {
      await open(PAGE);
      const check = `(async () => {
        const { checkSchemes } = await import("/test/scheme-vectors.mjs");
        const csv = await (await fetch("/kat/schemes.csv")).text();
        return JSON.stringify(await checkSchemes(await import("/dist/schemes/index.js"), csv));
      })()`;
      const { count, failures } = JSON.parse(await driver.evaluate(check));
      assert.ok(count >= 40);
      assert.deepEqual(failures, []);
      await clean();
    });

    test(`${name}: a key signs a text, another letter is found, a text comes back, the tables are a file`, async () => {
      await open(PAGE);
      const says = async (/** @type {string} */ text) => until(driver, `${TEXT("scheme-status")}.startsWith(${JSON.stringify(text)})`);
      const calm = 'document.body.dataset.schemes === "idle"';
      await choose(driver, "sign-noise", "method=cdt-guided");
      await driver.click("#make-key");
      await says("A key is made.");
      await driver.click("#sign");
      await says("The signature is valid");
      await driver.click("#alter");
      await says("The signature is not valid");
      await driver.type("#sign-text", "Meet me at noon");
      await says("The signature is valid");
      await driver.click("#sign-many");
      await until(driver, calm);
      assert.equal(await definition(driver, "signature", "signatures"), "501");
      const [, rejected, attempts, exact] =
        /^([\d.]+) % of (\d+) attempts \(exact ([\d.]+) %\)$/.exec(await definition(driver, "signature", "rejected")) ?? [];
      assert.ok(Number(attempts) > 501 && Math.abs(Number(rejected) - Number(exact)) < 10, `${rejected}, ${exact}`);
      await choose(driver, "encrypt-set", "lp11 ring-256");
      await driver.click("#encrypt");
      await says("A ciphertext of ");
      assert.match(await driver.evaluate(TEXT("scheme-status")), /; [01] of 120 bits came back wrong\.$/);
      assert.equal((await driver.evaluate('document.getElementById("decrypted").value')).length, 15);
      await choose(driver, "effort", "40");
      await driver.click("#scheme-measure");
      await until(driver, `${calm} && document.querySelectorAll("#scheme-times tr").length === 17`, 240);
      await driver.click("#scheme-download");
      await until(driver, "watch.files.length === 1", 10);
      const lines = /** @type {string} */ (await driver.evaluate("watch.files[0]")).trimEnd().split("\n");
      assert.equal(lines.length, 18);
      assert.match(lines[1] ?? "", /^4,"keys","BLISS-II, B","",130.33,/);
      await clean();
    });

    /** What a function of access.mjs gives on the page. */
    const access = async (/** @type {Driver} */ driver, /** @type {string} */ call) =>
      JSON.parse(await driver.evaluate(`import("/test/access.mjs").then((access) => JSON.stringify(access.${call}()))`));

    test(`${name}: Tab reaches every control in the order of the page, and one sees where it is; keys work them`, async () => {
      await open(PAGE);
      const controls = await access(driver, "controls");
      assert.ok(controls.length >= 18, controls.join());
      const seen = [];
      for (const control of controls) {
        await driver.press("Tab");
        let now = await access(driver, "focus");
        for (let tries = 0; !now.seen && tries < 20; tries++) {
          await pause(); // the page may still be on its way there
          now = await access(driver, "focus");
        }
        assert.ok(now.seen, `the focus on ${control} is not seen`);
        seen.push(now.name);
      }
      assert.deepEqual(seen, controls);
      const focus = (/** @type {string} */ selector) => driver.evaluate(`document.querySelector(${JSON.stringify(selector)}).focus()`);
      await focus("summary");
      await driver.press("Enter");
      assert.ok(await driver.evaluate('document.querySelector("details").open'));
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
      /** When the histogram is drawn within a second of a long run, in milliseconds. */
      const redrawn = async (/** @type {Driver} */ driver) => {
        await choose(driver, "method", "karney");
        await choose(driver, "count", "1000000000");
        await driver.click("#run");
        await driver.evaluate(`void (
          window.redrawn = [],
          new MutationObserver(() => window.redrawn.push(performance.now())).observe(document.getElementById("histogram"), { childList: true })
        )`);
        await new Promise((resolve) => setTimeout(resolve, 1000));
        const times = JSON.parse(await driver.evaluate("JSON.stringify(window.redrawn)"));
        await driver.click("#stop");
        await until(driver, IDLE, 10);
        return times;
      };
      await open(PAGE);
      await judge(driver, false);
      assert.ok((await redrawn(driver)).length >= 3);
      const other = await start({ dark: true, calm: true });
      try {
        await other.open(site.url + PAGE);
        await until(other, IDLE);
        await judge(other, true);
        if (await other.evaluate('matchMedia("(prefers-reduced-motion: reduce)").matches')) {
          const times = await redrawn(other);
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
      await open(PAGE);
      const nameless = `Array.from(document.querySelectorAll("input, select, button, summary"))
        .filter((control) => !(control.labels?.[0] ?? control).textContent.trim()).map((control) => control.id).join()`;
      assert.equal(await driver.evaluate(nameless), "");
      const labels = JSON.parse(await driver.evaluate('JSON.stringify(Array.from(document.querySelectorAll("svg[role=img]"), (svg) => svg.getAttribute("aria-label")))'));
      assert.equal(labels.length, 3);
      assert.match(labels[0], /^Histogram of 1,000,000 samples over the exact law, with residuals\. Chi squared /);
      for (const label of labels) assert.ok(label.length > 30, label);
      // What the browser would tell a screen reader, where it can be asked.
      const told = await driver.told?.();
      if (told !== undefined) {
        for (const control of ["textbox Width", "combobox Method", "spinbutton Precision, bits", "button Run", "image Histogram of", "heading The Ziggurat", "button Make a key", "textbox Text to sign"]) {
          assert.ok(told.some((line) => line.startsWith(control)), `${control} is not among ${told.join("; ")}`);
        }
      }
      await driver.resize(360, 800);
      await until(driver, "innerWidth <= 500", 10);
      if (name !== "webkit") assert.equal(await driver.evaluate("innerWidth"), 360);
      assert.ok(await driver.evaluate("document.documentElement.scrollWidth <= innerWidth"));
      await driver.resize(1000, 900);
      await clean();
    });

    test(`${name}: what goes wrong would be seen`, async () => {
      await open(PAGE);
      await driver.evaluate('(console.error("on purpose"), fetch("https://example.invalid/").catch(() => {}))');
      await until(driver, 'watch.problems.some((problem) => problem.startsWith("policy: connect-src"))', 10);
      assert.ok(await driver.evaluate('watch.problems.includes("console.error: on purpose")'));
    });
  });
}
