// Bad inputs in Node; test/browsers.test.mjs runs the same in browsers.
// @ts-check

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { BigGaussian, DiscreteGaussian, OtherNoise, Stream, TableNoise, WorkerGaussian, fillParallel, verify } from "../dist/index.js";
import * as samplez from "../dist/index.js";
import * as schemes from "../dist/schemes/index.js";
import { meant } from "../dist/options.js";
import { WORDS } from "../dist/words.js";
import { FUNCTIONS, KINDS, TABLE, checkTable } from "./bad-inputs.mjs";

test("node: what is wrong with an input is said, and nothing that is secret", async () => {
  const functions = new Function(`return ${FUNCTIONS}`)();
  assert.deepEqual(await checkTable(samplez, schemes, functions), { count: TABLE.length, wrong: [], leaks: [] });
  assert.ok(TABLE.length >= 190);
  const [call = "", want] = TABLE[0] ?? [];
  const { wrong } = await checkTable(samplez, schemes, [() => "another answer", ...functions.slice(1)]);
  assert.deepEqual(wrong, [`${call}: another answer`]);
  assert.notEqual(want, "another answer");
});

test("node: the README lists the kinds of errors", () => {
  const [, list = ""] = /`kind` is\s([^]*?)\.\s/.exec(readFileSync(new URL("../README.md", import.meta.url), "utf8")) ?? [];
  assert.deepEqual(Array.from(list.matchAll(/`([^`]+)`/g), ([, kind]) => kind), KINDS);
});

// `cargo tools gen-docs` writes the words, and a test in Rust has each lead to its own quantity or to none.
test("node: every word of other libraries is answered with an option of its quantity, or with no option", async () => {
  const [d, r] = [await DiscreteGaussian.create({ sigma: 3 }), await Stream.create()];
  const any = (/** @type {unknown} */ options) => /** @type {any} */ (options);
  /** Every function with options, but for `samplez/core`, whose size leaves the words out.
   * @type {((option: object) => unknown)[]} */
  const calls = [
    (option) => DiscreteGaussian.create(any({ sigma: 3, ...option })),
    async (option) => (await WorkerGaussian.create(any({ sigma: 3, ...option }))).dispose(),
    (option) => BigGaussian.create(any({ sigma: 3, ...option })),
    (option) => OtherNoise.create(any({ ternary: true, ...option })),
    (option) => TableNoise.create(any({ sigma: 2.8, form: "frodo", entries: [1], ...option })),
    (option) => Stream.create(any(option)),
    (option) => verify([1], any({ sigma: 3, ...option })),
    (option) => fillParallel(new Int8Array(1), any({ sigma: 3, ...option })),
    (option) => fillParallel(new Int8Array(1), { sigma: 3 }, any(option)),
    (option) => d.chunks(any(option)),
    (option) => r.round([1], 3, any(option)),
  ];
  const seen = { words: 0, options: 0, advice: 0, nothing: 0 };
  for (const line of WORDS.split("\n")) {
    const [words = "", same = "", advice = "", beside = ""] = line.split("|");
    const group = [...words.split(" "), ...same.split(" ").filter((name) => name !== "")];
    for (const word of words.split(" ")) {
      seen.words++;
      for (const call of calls) {
        const message = await (async () => call({ [word]: "1" }))().then(() => "", (error) => String(error.message));
        const [, list, , hint = ""] = /^[^ ]+: no such option; there are (.*?)(; (.*))?$/.exec(message) ?? [];
        if (list === undefined || !message.startsWith(`${word}: `)) {
          assert.doesNotMatch(message, /no such option/, `${word}, ${call}`);
          continue; // an option of this call
        }
        const known = list.split(", ");
        const there = known.filter((name) => group.includes(name) && (beside === "" || known.includes(beside)));
        const [, option = ""] = /^write (\w+)(?: for .*)?$/.exec(hint) ?? [];
        if (known.includes("against") && there.length === 0 && /^only laplace is cut|that draws$/.test(advice)) {
          assert.match(hint, advice.endsWith("that draws") ? /^verify draws no samples/ : /^of a cut law pass the weights/, `${word}: ${message}`);
          continue;
        }
        assert.ok(there.length > 0 ? there.includes(option) : (/^the (seed|source|number of threads) .*the call that draws$/.test(advice) ? /^(create|the second argument|keygen and the other operations|fillParallel) takes? (the seed|the source|workers)/.test(hint) : hint === advice), `${word}: ${message}`);
        seen[option !== "" ? "options" : hint !== "" ? "advice" : "nothing"]++;
      }
    }
  }
  assert.ok(seen.words > 110 && seen.options > 250 && seen.advice > 400, JSON.stringify(seen));
});

// The package has a parser of its own, because the library's would take 4 KB of each module.
test("node: the advice about a number of another notation is the command's", () => {
  const command = process.env["SAMPLEZ"] ?? fileURLToPath(new URL("../../target/debug/samplez", import.meta.url));
  const [numbers, groups] = [["3", "3.2", "-1", "0", "1e3"], ["12", "000"]];
  const alone = "# −# 0x# 0X# 16/5# sqrt(#) sqrt(·#·) #/sqrt(2*pi) #·/·√(2π) #ms #·s #µs #ns #us #min #%".split(" ");
  const pairs = groups.flatMap((group) => "#,@ #,@,@ #,@,000 #_@ #·@ #^@ #·**·@ #·/·@".replaceAll("@", group).split(" "));
  const values = numbers.flatMap((number) => [...alone, ...pairs].map((form) => form.replace("#", number).replaceAll("·", " ")));
  const seen = new Set();
  for (const value of new Set(values)) {
    for (const [option, name] of [["--center", "center"], ["--sigma", "sigma"], ["--setup-time", "setupTime"]]) {
      const { stderr } = spawnSync(command, ["plan", `${option}=${value}`, ...(option === "--sigma" ? [] : ["--sigma=3"])], { encoding: "utf8" });
      const [, way = ""] = /; (write [^;]*)$/.exec(stderr.split("\n")[0] ?? "") ?? [];
      const ours = meant(name ?? "", value).replace(/^; /, "");
      assert.equal(ours, way.replace("--sigma-squared", "sigmaSquared").replace("--s", "s"), `${option} = ${value}`);
      seen.add(ours);
    }
  }
  assert.ok(seen.size > 50, String(seen.size));
});
