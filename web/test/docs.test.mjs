// The documentation site with its playground. Its search and how examples are taken apart, wherever out/site is there; and, for make docs, which
// says in SITE where it is: what a checker of accessibility finds, examples that run in place, and the page that measures.
// @ts-check

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { playground } from "../tools/playground.mjs";
import { serve } from "../tools/serve.mjs";
import { BROWSERS } from "./drivers.mjs";
import { testsOf } from "./engines.mjs";
import { FURTHER, QUESTIONS, searchOf } from "./search.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const site = process.env["SITE"] ?? join(root, "out/site");
/** Only make lint and make docs build it. */
const skip = existsSync(join(site, "index.html")) ? false : `${site} is not there: make docs builds it`;
/** Browsers take two minutes. */
const browsers = skip || process.env["SITE"] ? skip : "make docs does it";
/** The theme's own scripts stand in its pages; the playground has a policy of its own. */
const POLICY = "default-src 'self' 'unsafe-inline' data: blob: 'wasm-unsafe-eval'";
const DONE = 180_000;

/** @typedef {import("./drivers.mjs").Driver} Driver */

/** @param {Driver} driver @param {string} condition */
async function until(driver, condition) {
  for (const end = Date.now() + DONE; !(await driver.evaluate(condition)); await new Promise((resolve) => setTimeout(resolve, 100))) {
    if (Date.now() > end) throw new Error(`${condition} does not become true`);
  }
}

test("docs: the search finds the right page first, for nine of ten questions of newcomers", { skip }, async () => {
  const find = await searchOf(site);
  const wrong = [];
  for (const [question, wanted] of QUESTIONS) {
    const found = await find(question);
    if (found[0] !== wanted) wrong.push(`${question}: ${found.slice(0, 4).join(", ")}; wanted: ${wanted}`);
  }
  assert.equal(QUESTIONS.length, 10);
  assert.ok(wrong.length <= 1, wrong.join("\n"));
  // Further ones are answered by one of the first five pages.
  const late = [];
  for (const [question, wanted] of FURTHER) {
    const found = (await find(question)).slice(0, 5);
    if (!found.includes(wanted)) late.push(`${question}: ${found.join(", ")}; wanted: ${wanted}`);
  }
  assert.deepEqual(late, []);
  // What no page has finds nothing.
  assert.deepEqual(await find("xyzzyplugh"), []);
});

test("docs: an example is taken apart into its statements, and shows what they give", async () => {
  const { statements, program } = await import(pathToFileURL(join(root, "docs/site/run.js")).href);
  const example = 'import { x } from "samplez";\n\n// A text; with a brace {\nconst { a, b: c } = x("};", [\n  1,\n]);\nx(a);   // 5; done\nfor (const i of [1]) {\n  x(i);\n}\nlet n = 0;\nn\n';
  const parts = statements(example);
  assert.deepEqual(parts.map((/** @type {string} */ part) => part.trim().split("\n").length), [1, 4, 1, 3, 1, 1]);
  const made = program(['import { y } from "samplez/core";\ny();\n', example], "http://here/playground/");
  for (const line of ['import { y } from "http://here/playground/dist/core/index.js";', 'import { x } from "http://here/playground/dist/index.js";', 'show("a", a);show("c", c);', 'show("n", n);']) {
    assert.ok(made.includes(line), `${line} is not in ${made}`);
  }
  assert.match(made, /show\("x\(a\)", x\(a\)\n\);/);
  assert.ok(!made.includes("show(\"y()"), "only the last example shows what it gives");
  // It runs as JavaScript does.
  const told = /** @type {any[]} */ ([]);
  const run = program(["const a = [1n, 2.5];\nlet s = 0;\nfor (const x of [1, 2]) {\n  s += x;\n}\n", "s + 1;   // 4\nnew Int8Array([1, 2]);\n({ k: 5n });\nawait Promise.resolve(7);\n"], "http://here/");
  await new Function("postMessage", `return (async () => {${run.replace("(async", "return (async")}})()`)((/** @type {any} */ message) => told.push(message));
  assert.deepEqual(told, [
    { name: "s + 1", value: "4" },
    { name: "new Int8Array([1, 2])", value: "Int8Array(2) [1, 2]" },
    { name: "({ k: 5n })", value: '{"k":"5n"}' },
    { name: "await Promise.resolve(7)", value: "7" },
    { done: true },
  ]);
});

/** Pages of every kind. */
const PAGES = ["index.html", "web/index.html", "docs/book/choosing.html", "docs/papers-reproduced.html", "reference/javascript.html", "docs/proofs/exact.html", "playground/index.html", "playground/measure.html"];
/** Pages whose examples run. */
const NOISE = /^noise → Int16Array\(1000000\) \[-?\d+, /m;

for (const [name, start] of Object.entries(BROWSERS)) {
  describe(name, { skip: browsers }, () => {
    /** @type {Driver} */
    let driver;
    /** @type {Awaited<ReturnType<typeof serve>>} */
    let served;
    before(async () => {
      playground(site);
      served = await serve(site, 0, {}, POLICY);
      driver = await start();
    });
    after(async () => {
      await driver?.close();
      served?.close();
    });
    const test = testsOf(name, async () => {
      await driver.close();
      driver = await start();
    });
    /** Opens a page and waits until it has settled. @param {Driver} driver @param {string} page */
    const open = async (driver, page) => {
      await driver.open(served.url + page);
      if (page === "playground/index.html") await until(driver, 'document.body.dataset.state === "idle" && document.body.dataset.walks === "idle"');
      if (page === "playground/measure.html") await until(driver, 'document.body.dataset.known === "yes"');
    };

    test(`${name}: one navigation above every page, no error, and a phone is wide enough`, async () => {
      const bars = [];
      for (const page of ["index.html", "docs/book/choosing.html", "playground/index.html", "playground/measure.html"]) {
        await open(driver, page);
        const links = 'Array.from(document.querySelectorAll(".bar-of-site a:not(.mark)"), (a) => a.textContent + " " + a.href)';
        bars.push(await driver.evaluate(`JSON.stringify(${links})`));
        assert.deepEqual(driver.problems(), [], page);
      }
      assert.equal(new Set(bars).size, 1, bars.join("\n"));
      assert.equal(JSON.parse(bars[0] ?? "[]").length, 7);
      if (name !== "chromium") return;
      await driver.resize(360, 800);
      for (const page of PAGES) {
        await open(driver, page);
        const [wide, is] = JSON.parse(await driver.evaluate("JSON.stringify([document.documentElement.scrollWidth, innerWidth])"));
        assert.ok(wide <= is, `${page}: ${wide} pixels for ${is}`);
      }
      await driver.resize(1000, 900);
    });

    test(`${name}: the search's index comes at the first focus, or with a question in the address, and finds`, async () => {
      const indexes = 'performance.getEntriesByType("resource").filter((entry) => entry.name.endsWith("search_index.json")).length';
      const first = 'document.querySelector(".md-search-result__link")?.getAttribute("href") ?? ""';
      await open(driver, "index.html");
      await until(driver, 'document.querySelector(".run button") !== null && document.readyState === "complete"');
      assert.equal(await driver.evaluate(indexes), 0);
      await driver.type(".md-search__input", "streaming");
      await until(driver, `${first} !== ""`);
      assert.equal(await driver.evaluate(indexes), 1);
      assert.match(await driver.evaluate(first), /web\/index\.html/);
      await open(driver, "docs/book/why.html?q=streaming");
      await until(driver, `${first} !== ""`);
      assert.match(await driver.evaluate(first), /web\/index\.html/);
      assert.deepEqual(driver.problems(), []);
    });

    test(`${name}: an example runs in place, and can be changed`, async () => {
      await open(driver, "index.html");
      const run = async (/** @type {number} */ at) => {
        await driver.evaluate(`document.querySelectorAll(".run button")[${at}].click()`);
        await until(driver, `document.querySelectorAll(".run output")[${at}].dataset.state === "done"`);
        return driver.evaluate(`document.querySelectorAll(".run output")[${at}].textContent`);
      };
      await until(driver, 'document.querySelector(".run button") !== null');
      assert.match(await run(0), NOISE);
      await driver.evaluate('document.querySelector(".language-js code").textContent = "const x = 6 * 7;\\n"');
      assert.equal(await run(0), "x → 42\n");
      await driver.evaluate('document.querySelector(".language-js code").textContent = "nothing.there();\\n"');
      assert.match(await run(0), /^ReferenceError: /);
      if (name !== "chromium") return;
      // All of the guide's, one after the other.
      await open(driver, "web/index.html");
      await until(driver, 'document.querySelector(".run button") !== null');
      const last = (await driver.evaluate('document.querySelectorAll(".run button").length')) - 1;
      assert.ok(last >= 8, `${last}`);
      assert.match(await run(last), /^publicKey\.verify\("Meet me at noon", signature\) → true$/m);
      const law = await driver.evaluate('Array.from(document.querySelectorAll(".language-js code"), (code) => code.textContent.includes("d.logcdf(-100)")).indexOf(true)');
      const given = await run(law);
      for (const line of ["d.logcdf(-100) → -490.36328468588016", "d.isf(1e-100) → 68", 'd.stats("mv") → [0,10.24]']) assert.ok(given.includes(`${line}\n`), given);
      assert.deepEqual(driver.problems(), []);
    });

    if (name !== "chromium") return;

    test(`${name}: a checker of accessibility finds nothing, by day and in the dark`, async () => {
      const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
      const other = await start({ dark: true });
      try {
        for (const [which, browser] of /** @type {const} */ ([["light", driver], ["dark", other]])) {
          // In the dark only colours are others.
          for (const page of which === "dark" ? PAGES.slice(0, 4).concat(PAGES.slice(-2)) : PAGES) {
            await open(browser, page);
            await browser.evaluate(`${axe}; undefined`);
            const rules = which === "dark" ? '{ runOnly: ["color-contrast"] }' : "{}";
            const found = JSON.parse(await browser.evaluate(`axe.run(${rules}).then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => html.slice(0, 160) + failureSummary) }))))`));
            assert.deepEqual(found, [], `${page}, ${which}`);
          }
        }
      } finally {
        await other.close();
      }
    });

    test(`${name}: the playground has the colours that were chosen in the documents`, async () => {
      await open(driver, "index.html");
      await driver.evaluate('document.querySelector("label[for=__palette_2]").click()');
      await until(driver, 'document.body.dataset.mdColorScheme === "slate"');
      const paper = "getComputedStyle(document.body).backgroundColor";
      const dark = await driver.evaluate(paper);
      await open(driver, "playground/index.html");
      assert.equal(await driver.evaluate(paper), dark);
      await driver.evaluate("localStorage.clear()");
      await open(driver, "playground/index.html");
      assert.notEqual(await driver.evaluate(paper), dark);
    });

    test(`${name}: every claim is measured, and results of other browsers join Figure 4`, async () => {
      await open(driver, "playground/measure.html");
      const panels = () => driver.evaluate('Array.from(document.querySelectorAll("#panels figcaption"), (caption) => caption.textContent).join("; ")');
      const before = await panels();
      for (const engine of ["Node", "chromium", "firefox", "webkit"]) assert.ok(before.includes(engine), before);
      await driver.evaluate('(document.getElementById("effort").value = "40", document.getElementById("measure").click())');
      await until(driver, 'document.body.dataset.state === "idle"');
      assert.equal(await driver.evaluate('document.getElementById("alert").textContent'), "");
      assert.equal(await driver.evaluate('Array.from(document.querySelectorAll("#claims .here")).filter((cell) => cell.textContent === "not measured yet").length'), 0);
      assert.match(await driver.evaluate('document.querySelector("#J13 .here").textContent'), /rejection at 3\.3311: [\d,]+ samples\/ms \(the paper: 25\.549 samples\/ms\)/);
      assert.match(await panels(), /^Chromium \d+ \(now, here\); /);
      assert.match(await driver.evaluate('document.querySelector("#J13 a").href'), /\/docs\/papers-reproduced\.html#J13$/);
      const add = async (/** @type {string} */ name, /** @type {string} */ text, /** @type {string} */ answer) => {
        await driver.evaluate(`(() => {
          const files = new DataTransfer();
          files.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
          const input = document.getElementById("others");
          input.files = files.files;
          input.dispatchEvent(new Event("change"));
        })()`);
        await until(driver, answer);
        return driver.evaluate('document.getElementById("alert").textContent');
      };
      const line = { item: "J17", quantity: "Ziggurat, WebAssembly × 3.3311", terms: "", ours: 1000, unit: "samples/ms", by: "Phone 1", date: "2026-01-01", command: "x" };
      const said = (/** @type {string} */ name) => `document.getElementById("alert").textContent.startsWith("${name}")`;
      assert.equal(await add("phone.jsonl", `${JSON.stringify(line)}\n`, 'document.getElementById("panels").textContent.includes("phone.jsonl")'), "");
      assert.match(await panels(), /; Phone 1 \(2026-01-01, phone\.jsonl\)$/);
      assert.equal(await add("bad.jsonl", "<html>", said("bad.jsonl")), "bad.jsonl:1: expected a finding: JSON with item, quantity, by and date");
      assert.match(await add("none.jsonl", "", said("none.jsonl")), /^none\.jsonl: no speeds of Figure 4: expected a file of/);
      assert.deepEqual(driver.problems(), []);
    });
  });
}
