// The package and the page in Chromium, Firefox and WebKit, driven as a person would.
// @ts-check

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { DiscreteGaussian, methods } from "../dist/index.js";
import { FUNCTIONS, TABLE } from "./bad-inputs.mjs";
import { BROWSERS, ENGINES } from "./drivers.mjs";
import { testsOf } from "./engines.mjs";
import { IDLE, PAGE, PATIENCE, SEED, TEXT, cells, choose, definition, pause, until } from "./gestures.mjs";
import { reachable } from "./reachable.mjs";
import { serveSite } from "./site.mjs";
import { CASES as BIG } from "./big-vectors.mjs";
import { CASES as CORE } from "./core-vectors.mjs";
import { CASES as VERDICTS } from "./verify-vectors.mjs";

/** @typedef {import("./drivers.mjs").Driver} Driver */

for (const name of ENGINES) {
  const start = /** @type {(typeof BROWSERS)[string]} */ (BROWSERS[name]);
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
    const test = testsOf(name, async () => {
      await driver.close();
      driver = await start();
    });
    const open = async (/** @type {string} */ query) => {
      await driver.open(site.url + query);
      await until(driver, `${IDLE} && document.body.dataset.walks === "idle"`);
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

    test(`${name}: the law to the last bit, Python's integers around centres, and bad inputs`, async () => {
      await open(PAGE);
      const check = `(async () => {
        const [samplez, schemes] = [await import("/dist/index.js"), await import("/dist/schemes/index.js")];
        const { checkLaw } = await import("/test/law-vectors.mjs");
        const { checkRounding } = await import("/test/round-vectors.mjs");
        const { checkTable } = await import("/test/bad-inputs.mjs");
        const law = await checkLaw(samplez, await (await fetch("/kat/law-distribution.csv")).text(), false);
        return JSON.stringify([law, await checkRounding(samplez, true), await checkTable(samplez, schemes, ${FUNCTIONS})]);
      })()`;
      const [law, rounding, table] = JSON.parse(await driver.evaluate(check));
      assert.deepEqual(law.failures, []);
      assert.ok(Object.values(law.seen).reduce((sum, n) => sum + n, 0) > 4500);
      assert.deepEqual([rounding.count > 7, rounding.wrong], [true, []]);
      assert.deepEqual([table.count, table.wrong, table.leaks], [TABLE.length, [], []]);
      await clean();
    });

    test(`${name}: the command's verdicts, its integers with parameters beyond 64 bits, and the small module's`, async () => {
      await open(PAGE);
      const check = `(async () => {
        const parts = ["/dist/index.js", "/dist/core/index.js", "/dist/core/table.js", ...["verify", "big", "core"].map((name) => "/test/" + name + "-vectors.mjs")];
        const all = Object.assign({}, ...(await Promise.all(parts.map((name) => import(name)))));
        return JSON.stringify([await all.checkVerdicts(all), await all.checkBig(all), await all.checkCore(all)]);
      })()`;
      const want = [VERDICTS, BIG, CORE].map((cases) => ({ count: cases.length, wrong: [], ...(cases === CORE && { loads: CORE.map(({ loads }) => loads) }) }));
      assert.deepEqual(JSON.parse(await driver.evaluate(check)), want);
      await clean();
    });

    test(`${name}: workers fill what one fills, and stop when told to`, async () => {
      await open(PAGE);
      const fill = `(async () => {
        const { DiscreteGaussian, WorkerGaussian, fillParallel } = await import("/dist/index.js");
        const options = { sigma: "3.2", seed: Uint8Array.from({ length: 32 }, (_, i) => 9 * i) };
        const one = (await DiscreteGaussian.create(options)).fillAt(77, new Int16Array(1e6));
        let [seen, controller, shares, stop] = [0, new AbortController(), [], new AbortController()];
        const many = await fillParallel(new Int16Array(1e6), options, { first: 77, workers: 2, onProgress: (done) => (seen = done) });
        const never = fillParallel(new Int16Array(1e8), options, { workers: 2, onProgress: () => controller.abort(), signal: controller.signal });
        const end = await never.then(() => "filled", (error) => error.name);
        const onProgress = (done, of) => (shares.push(done / of) === 5 && stop.abort());
        const made = await WorkerGaussian.create({ sigma: "1.6e5", method: "ziggurat" }, { signal: stop.signal, onProgress }).then(() => "built", (error) => error.name);
        return JSON.stringify([one.every((x, i) => x === many[i]), seen, end, made, shares.length, shares.every((share, i) => share > (shares[i - 1] ?? 0) && share < 1)]);
      })()`;
      assert.deepEqual(JSON.parse(await driver.evaluate(fill)), [true, 1_000_000, "AbortError", "AbortError", 5, true]);
      await clean();
    });

    test(`${name}: the widest samples, by one and by workers, disposed of; and on the page`, async () => {
      await open(PAGE);
      const fill = `(async () => {
        const { DiscreteGaussian, fillParallel } = await import("/dist/index.js");
        const heads = [];
        for (const [sigma, method] of [["1e8", "auto"], ["1e12", "auto"], ["70368744177664", "karney"], ["2e16", "auto"]]) {
          const options = { sigma, method, seed: Uint8Array.from({ length: 32 }, (_, i) => 9 * i) };
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
        heads.push(String((await DiscreteGaussian.create({ sigma, method, seed: Uint8Array.from({ length: 32 }, (_, i) => 9 * i) })).sampleBigInt()));
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
      assert.equal(await definition(driver, "certificate", "distance"), "none: the law is exact, given ideal random bits");
      await choose(driver, "method", "cdt");
      await driver.click("#run");
      await until(driver, `${IDLE} && ${TEXT("code")}.includes("method=cdt,")`);
      assert.match(await definition(driver, "certificate", "statistical distance"), /^≤ 2−123\.\d\d$/);
      assert.match(String(await driver.evaluate('document.querySelector("#certificate sup").textContent')), /^−123\.\d\d$/);
      assert.equal(await definition(driver, "moments", "95 % of the law"), "−6 to 6");
      assert.equal(await definition(driver, "moments", "entropy"), `${d.entropy(2).toFixed(4)} bits a sample`);
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
      // The link gives a colleague the picture, the code and the certificate.
      const shown = async () => Promise.all(["code", "certificate", "origin", "histogram"].map((id) => driver.evaluate(`document.getElementById("${id}").innerHTML`)));
      const before = await shown();
      await driver.click("#share");
      const address = await driver.evaluate("location.search");
      await open(`?recipe=sigma=3.2&count=100000&seed=1`);
      assert.notDeepEqual((await shown())[0], before[0]);
      await open(address);
      await until(driver, `${TEXT("origin")} !== ""`);
      assert.deepEqual(await cells(driver), rows);
      assert.deepEqual(await shown(), before);
      // Every control acts at once: no other click is needed, and the address follows the picture.
      await choose(driver, "method", "karney");
      await until(driver, `${IDLE} && ${TEXT("code")}.includes("method=karney") && location.search.includes("karney")`);
      assert.equal(await definition(driver, "certificate", "method"), "karney");
      await choose(driver, "method", "ziggurat");
      await until(driver, `${IDLE} && ${TEXT("code")}.includes("method=ziggurat") && ${TEXT("status")} === "Drew 100,000 samples."`);
      assert.deepEqual(await cells(driver), rows);
      // What is refused changes neither picture nor link.
      await driver.type("#width", "-2\n");
      await until(driver, `${TEXT("alert")} !== ""`);
      assert.match(await driver.evaluate(TEXT("status")), /^Picture, certificate, code and link are still those/);
      assert.ok((await driver.evaluate("decodeURIComponent(location.search)")).includes("sigma=215,"));
      await driver.type("#width", "215\n");
      await until(driver, `${IDLE} && ${TEXT("alert")} === ""`);
      await driver.click("#reseed");
      await until(driver, `${IDLE} && ${TEXT("status")} === "Drew 100,000 samples." && !location.search.includes("${SEED}")`);
      assert.notDeepEqual(await cells(driver), rows);
      await clean();
    });

    test(`${name}: the walks go step by step to the library's samples, on and back, by buttons and by keys`, async () => {
      await open(PAGE);
      const said = (/** @type {string} */ walk) => driver.evaluate(TEXT(`${walk}-caption`));
      const place = async (/** @type {string} */ walk) => /^Sample (\d+), step (\d+) of (\d+)\. /.exec(await said(walk))?.slice(1).map(Number) ?? [];
      for (const [walk, method] of /** @type {const} */ ([["ziggurat", "ziggurat"], ["walk", "knuth-yao"], ["coins", "du-wei-4"], ["coins", "du-wei-5"], ["coins", "karney"]])) {
        if (walk === "coins") {
          // What was chosen before is built anew too, and begins again when it comes.
          await choose(driver, "coin-method", method);
          await until(driver, 'document.body.dataset.walks === "idle"');
        }
        const line = new Map([["du-wei-4", "e−½"], ["du-wei-5", "2−x²"], ["karney", "H is true"]]).get(method);
        if (line !== undefined) await until(driver, `${TEXT("algorithm")}.includes(${JSON.stringify(line)})`);
        await until(driver, `${TEXT(`${walk}-caption`)}.startsWith("Sample 0, step 1 of")`);
        const ends = new Set();
        for (let sample = 0; sample < 3; sample++) {
          const [now, step, of = 0] = await place(walk);
          assert.deepEqual([now, step], [sample, 1]);
          // All but one by the script, which is fast; that one as a person does.
          await driver.evaluate(`void Array.from({ length: ${of - 2} }, () => document.getElementById("${walk}-step").click())`);
          if (of > 1) await driver.click(`#${walk}-step`);
          assert.deepEqual(await place(walk), [sample, of, of]);
          const text = await said(walk);
          const own = / The library's own sample number \d+ of this seed is (-?\d+), too\.$/.exec(text)?.[1];
          if (method === "karney") assert.match(text, /Accepted: -?\d+, from \d+ bits\.$/);
          else assert.match(text, new RegExp(`(is|Accepted:) ${own}, from \\d+ bits`), text);
          ends.add(text);
          await driver.click(`#${walk}-step`);
        }
        assert.equal(ends.size, 3);
        // Back over the border of two samples.
        await driver.click(`#${walk}-back`);
        assert.deepEqual((await place(walk))[0], 2);
        await driver.click(`#${walk}-next`);
        assert.deepEqual((await place(walk)).slice(0, 2), [3, 1]);
        const bits = await driver.evaluate(TEXT(`${walk}-bits`));
        assert.match(bits, /^\d+ bits? drawn: [01]*$/);
        // The buttons stay where they are, whatever the text below them needs; a click that is on its way to one meets it.
        const tops = await driver.evaluate(`Array.from({ length: 40 }, () => {
          document.getElementById("${walk}-step").click();
          return ["play", "step"].map((part) => Math.round(document.getElementById("${walk}-" + part).getBoundingClientRect().top - document.getElementById("${walk}-player").getBoundingClientRect().top)).join();
        }).filter((top, i, all) => all.indexOf(top) === i).join(" ")`);
        assert.match(tops, /^\d+,\d+$/);
        await driver.evaluate(`Array.from({ length: 40 }, () => document.getElementById("${walk}-back").click()).length`);
        // It plays, and stops when told to.
        await driver.evaluate(`(document.getElementById("${walk}-speed").value = 5, document.getElementById("${walk}-play").click())`);
        await until(driver, `!${TEXT(`${walk}-caption`)}.startsWith("Sample 3, step 1 of")`);
        await driver.click(`#${walk}-play`);
        const stood = await said(walk);
        await new Promise((resolve) => setTimeout(resolve, 300));
        assert.equal(await said(walk), stood);
        // Keys, where the focus is on the picture.
        await driver.evaluate(`document.querySelector("#${walk}-player .stage").focus()`);
        const before = await said(walk);
        await driver.press("Right");
        assert.notEqual(await said(walk), before);
        await driver.press("Left");
        assert.equal(await said(walk), before);
      }
      assert.equal(await driver.evaluate('document.querySelectorAll("#ziggurat .sure").length'), 12);
      await driver.type("#rectangles", "20\n");
      await until(driver, `${IDLE} && document.querySelectorAll("#ziggurat .sure").length === 20`);
      await driver.type("#center", "1/3\n");
      await until(driver, `${IDLE} && document.getElementById("ziggurat").hasAttribute("hidden")`);
      assert.match(await driver.evaluate(TEXT("ziggurat-caption")), /^No picture: center = 1\/3: /);
      await clean();
    });

    test(`${name}: a broken sampler is seen, and a mended one is not`, async () => {
      await open(PAGE);
      const calm = 'document.body.dataset.broken === "idle"';
      await driver.click("#break");
      await until(driver, `${calm} && ${TEXT("broken-status")}.startsWith("Not these samples: ")`);
      assert.ok((await driver.evaluate('document.querySelectorAll("#broken-tests dt").length')) > 0);
      assert.match(await driver.evaluate('document.getElementById("broken").getAttribute("aria-label")'), /^Histogram of 100,000 samples/);
      for (const fault of ["seed", "coin"]) {
        await choose(driver, "fault", fault);
        await until(driver, `${calm} && ${TEXT("broken-status")}.startsWith("Not these samples: ")`);
        await driver.click("#mend");
        await until(driver, `${calm} && ${TEXT("broken-status")}.startsWith("No test rejects ")`);
      }
      await clean();
    });

    test(`${name}: code in every language is of the samples that are shown, and the method's documents are there`, async () => {
      await open(PAGE);
      await driver.type("#center", "5\n");
      await until(driver, `${IDLE} && ${TEXT("code")}.includes("center=5")`);
      const recipe = "sigma=16/5,center=5,method=knuth-yao-ct,precision=128,exact=true";
      for (const language of ["Python", "Rust", "C", "Command", "JavaScript"]) {
        await driver.click(`#code-${language}`);
        const code = await driver.evaluate(TEXT("code"));
        for (const part of [recipe, SEED, "chacha20"]) assert.ok(code.includes(part), `${language}: ${part}`);
        assert.match(code, /\b1_?000_?000\b/);
        assert.equal(await driver.evaluate('document.querySelectorAll("[aria-pressed=true]").length'), 1);
      }
      await until(driver, 'document.querySelectorAll("#origin a").length >= 4');
      const links = JSON.parse(await driver.evaluate('JSON.stringify(Array.from(document.querySelectorAll("#origin a"), (link) => link.getAttribute("href")))'));
      assert.ok(links.includes("repository/docs/proofs/knuth-yao-ct.md.txt"), links.join());
      const missing = await driver.evaluate(`(async () => {
        const own = ${JSON.stringify(links)}.filter((link) => !link.startsWith("https:"));
        const answers = await Promise.all(own.map((link) => fetch(link)));
        return own.filter((_, i) => !answers[i].ok).join();
      })()`);
      assert.equal(missing, "");
      assert.match(await driver.evaluate(TEXT("native")), /^Measured natively on .+, \d{4}-\d\d-\d\d, not in this browser/);
      await clean();
    });

    test(`${name}: sliders move the law and its samples`, async () => {
      await open(PAGE);
      const slide = (/** @type {string} */ id, /** @type {number} */ value) =>
        driver.evaluate(`((slider) => {
          slider.value = ${value};
          slider.dispatchEvent(new Event("input", { bubbles: true }));
          slider.dispatchEvent(new Event("change", { bubbles: true }));
        })(document.getElementById("${id}"))`);
      await slide("sigma-slider", 1);
      await slide("center-slider", 1.5);
      await until(driver, `${IDLE} && ${TEXT("certificate")}.includes("D_Z(sigma = 10, center = 3/2)")`);
      await until(driver, `${TEXT("status")} === "Drew 1,000,000 samples."`);
      assert.equal(await driver.evaluate('document.getElementById("width").value + " " + document.getElementById("center").value'), "10 1.5");
      assert.match(await driver.evaluate("location.search"), /sigma%3D10%2Ccenter%3D1\.5/);
      const rows = await cells(driver);
      assert.equal(rows.reduce((sum, [, seen]) => sum + seen, 0), 1_000_000);
      // From the keyboard it is the browser's own slider.
      await driver.evaluate('document.getElementById("sigma-slider").focus()');
      await driver.press("Right");
      await until(driver, 'document.getElementById("width").value === "10.2"');
      await until(driver, `${IDLE} && ${TEXT("certificate")}.includes("sigma = 51/5")`);
      await clean();
    });

    test(`${name}: a first visit sees the law at once and the samples grow; nothing moves`, async () => {
      await driver.open(site.url);
      await until(driver, `${IDLE} && ${TEXT("status")} === "Drew 1,000,000 samples."`);
      const [law, samples, drawn, shifts] = JSON.parse(
        await driver.evaluate(`(() => {
          const [law, samples] = ["law", "samples"].map((name) => performance.getEntriesByName(name));
          return JSON.stringify([law[0].startTime, samples[0].startTime, samples.map((mark) => mark.detail), watch.shifts]);
        })()`),
      );
      console.log(`    ${name}: the law is drawn after ${law.toFixed(0)} ms, the first samples after ${samples.toFixed(0)}`);
      assert.ok(law < samples, `${law}, ${samples}`);
      assert.ok(drawn[0] < drawn.at(-1), drawn.join());
      assert.equal(drawn.at(-1), 1_000_000);
      if (name === "chromium") assert.ok(await driver.evaluate('PerformanceObserver.supportedEntryTypes.includes("layout-shift")'));
      assert.deepEqual(shifts, []);
      assert.equal(await driver.evaluate("location.search"), "");
      if (name === "chromium") {
        // On a phone, too.
        await driver.resize(390, 844);
        await driver.open(site.url);
        await until(driver, `${IDLE} && ${TEXT("status")} === "Drew 1,000,000 samples."`);
        assert.equal(await driver.evaluate("JSON.stringify([innerWidth, watch.shifts])"), "[390,[]]");
        await driver.resize(1000, 900);
      }
      await clean();
    });

    test(`${name}: mistakes are said in the library's words`, async () => {
      await open(PAGE);
      await driver.type("#width", "-2\n");
      await until(driver, `${TEXT("alert")} !== ""`);
      assert.equal(await driver.evaluate(TEXT("alert")), "sigma = -2: expected a number greater than 0");
      await driver.type("#width", "3.2\n");
      await until(driver, `${IDLE} && ${TEXT("alert")} === ""`);
      await clean();
    });

    test(`${name}: a mistake that is mended at once is not told afterwards`, async () => {
      await open(PAGE);
      await driver.evaluate(`(async () => {
        const width = document.getElementById("width");
        for (const text of ["", "4", "", "5", "-1", "6"]) {
          width.value = text;
          width.dispatchEvent(new Event("change", { bubbles: true }));
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      })()`);
      await until(driver, `${IDLE} && ${TEXT("status")} === "Drew 1,000,000 samples."`);
      assert.equal(await driver.evaluate(TEXT("alert")), "");
      assert.match(await driver.evaluate("location.search"), /sigma%3D6%2C/);
      await clean();
    });

    test(`${name}: a long run shows how far it is, and can be stopped`, async () => {
      await open(PAGE);
      await choose(driver, "method", "karney");
      await choose(driver, "count", "1000000000");
      await driver.click("#run");
      await until(driver, `document.body.dataset.state === "running" && Number(document.querySelector("#moments dd").textContent.replaceAll(",", "")) > 200000`);
      await driver.click("#stop");
      await until(driver, IDLE);
      assert.match(await driver.evaluate(TEXT("status")), /^Stopped after [\d,]+ samples\.$/);
      await clean();
    });

    test(`${name}: a large table shows how far it is`, async () => {
      await open(PAGE);
      await driver.evaluate(`void (
        window.heard = [],
        new MutationObserver(() => window.heard.push(${TEXT("status")})).observe(document.getElementById("status"), { childList: true, characterData: true, subtree: true })
      )`);
      await choose(driver, "method", "ziggurat");
      await until(driver, `${IDLE} && ${TEXT("status")} === "Drew 1,000,000 samples."`);
      await driver.evaluate("void (window.heard.length = 0)"); // a loaded machine may show the small table's build too
      await driver.type("#width", "40000\n");
      await until(driver, 'window.heard.some((text) => text.startsWith("Building"))');
      await until(driver, `${IDLE} && ${TEXT("status")} === "Drew 1,000,000 samples."`);
      const heard = /** @type {string[]} */ (JSON.parse(await driver.evaluate("JSON.stringify(window.heard)")));
      const shares = heard.flatMap((text) => Array.from(/^Building the table: (\d+) %$/.exec(text) ?? []).slice(1).map(Number));
      assert.ok(shares.length >= 2, heard.join("; "));
      assert.deepEqual(shares, Array.from(shares).sort((a, b) => a - b));
      assert.ok(shares.every((share) => share % 5 === 0 && share <= 100), shares.join());
      await clean();
    });

    test(`${name}: the benchmark beside the paper's, as a file too`, async () => {
      await open(PAGE);
      await choose(driver, "effort", "40");
      await driver.click("#benchmark");
      await until(driver, `${IDLE} && ${TEXT("status")} === "The benchmark is done."`);
      const names = (await methods()).map((method) => method.name);
      const shown = JSON.parse(await driver.evaluate('JSON.stringify(Array.from(document.querySelectorAll("#rates th"), (head) => head.textContent))'));
      assert.deepEqual(shown, names);
      await driver.click("#download");
      await until(driver, "watch.files.length === 1");
      const csv = /** @type {string} */ (await driver.evaluate("watch.files[0]"));
      if (driver.downloads !== undefined) {
        const file = join(driver.downloads, "samplez-benchmark.csv");
        for (const end = Date.now() + 1000 * PATIENCE; !existsSync(file) && Date.now() < end; ) await pause();
        assert.equal(readFileSync(file, "utf8"), csv);
      }
      const lines = csv.trimEnd().split("\n");
      assert.equal(lines.length, 1 + 3 * names.length);
      const rate = (/** @type {string} */ method) => Number(lines.find((line) => line.startsWith(`${method},3.3311,`))?.split(",")[2]);
      for (const method of ["cdt-guided", "rejection"]) assert.ok(rate(method) > 0, method); // not all have the law
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
      assert.equal((await driver.evaluate(TEXT("decrypted"))).length, 15);
      // 7 % of 240 letters: none is wrong with probability 10^-7.
      await driver.type("#encrypt-text", "Meet me at noon. ".repeat(14));
      await choose(driver, "encrypt-set", "regev mr09-136");
      await driver.click("#encrypt");
      await until(driver, `${TEXT("scheme-status")}.includes("of 1904 bits")`);
      const marked = await driver.evaluate('Array.from(document.querySelectorAll("#decrypted mark"), (part) => part.textContent.length)');
      const wrong = marked.reduce((/** @type {number} */ sum, /** @type {number} */ length) => sum + length, 0);
      const bits = Number(/; (\d+) of/.exec(await driver.evaluate(TEXT("scheme-status")))?.[1]);
      assert.ok(wrong > 0 && wrong <= bits && bits < 60, `${wrong} letters, ${bits} bits`);
      await choose(driver, "effort", "40");
      await driver.click("#scheme-measure");
      await until(driver, `${calm} && document.querySelectorAll("#scheme-times tr").length === 17`);
      await driver.click("#scheme-download");
      await until(driver, "watch.files.length === 1");
      const lines = /** @type {string} */ (await driver.evaluate("watch.files[0]")).trimEnd().split("\n");
      assert.equal(lines.length, 18);
      assert.match(lines[1] ?? "", /^4,"keys","BLISS-II, B","",130.33,/);
      await clean();
    });

    reachable({ name, test, start, open, clean, now: () => ({ driver, site }) });

    test(`${name}: what goes wrong would be seen`, async () => {
      await open(PAGE);
      await driver.evaluate('(console.error("on purpose"), fetch("https://example.invalid/").catch(() => {}))');
      await until(driver, 'watch.problems.some((problem) => problem.startsWith("policy: connect-src"))');
      assert.ok(await driver.evaluate('watch.problems.includes("console.error: on purpose")'));
    });
  });
}
