// [JSDGS17]'s Table 3 in Node, Chromium, Firefox and WebKit: prints a table for each, and ends with 1 where a method is
// less than so many times as fast as the paper's. Arguments: milliseconds of a figure (600), engines (node, chromium,
// firefox, webkit; all if none is named).
// @ts-check

import { paper, PAPER, PAPER_SIGMAS } from "../build/site/page/src/paper.js";
import { inEngines } from "./engines.mjs";

const milliseconds = Number(process.argv[2] ?? 600);
const chosen = process.argv.slice(3);
const GOAL = 20;
/** Of the Knuth–Yao walk at σ = 3.3311. */
const GOAL_NARROW = 10;

/** @typedef {import("./measure.mjs").Row} Row */

/** @param {Row[]} rows @param {string} engine */
function show(rows, engine) {
  const cell = (/** @type {string} */ method, /** @type {string} */ sigma) => {
    const rate = rows.find((row) => row.method === method && row.sigma === sigma)?.rate;
    const beside = paper(method, sigma);
    return rate == null ? "–" : `${Math.round(rate)}${beside ? ` (${(rate / beside.rate).toFixed(0)} × ${beside.rate})` : ""}`;
  };
  console.log(`\n### ${engine}, samples per ms\n`);
  console.log(`| method | the paper's | ${PAPER_SIGMAS.map((sigma) => `σ = ${sigma}`).join(" | ")} |\n|---|---|---|---|---|`);
  for (const method of new Set(rows.map((row) => row.method))) {
    console.log(`| ${method} | ${paper(method, PAPER_SIGMAS[0])?.name ?? ""} | ${PAPER_SIGMAS.map((sigma) => cell(method, sigma)).join(" | ")} |`);
  }
  const gain = PAPER_SIGMAS.map((sigma) => {
    const rate = (/** @type {string} */ method) => rows.find((row) => row.method === method && row.sigma === sigma)?.rate ?? NaN;
    return `${(rate("cdt") / rate("plain JavaScript")).toFixed(1)} (cdt), ${(rate("cdt-guided") / rate("plain JavaScript")).toFixed(1)} (cdt-guided)`;
  });
  console.log(`\nTimes the plain JavaScript: ${gain.join("; ")}.`);
  // Of the methods that do the work of one of the paper's, the best counts.
  let missed = 0;
  for (const name of Object.keys(PAPER)) {
    for (const sigma of PAPER_SIGMAS) {
      const ratios = rows.flatMap(({ method, sigma: at, rate }) => {
        const beside = paper(method, sigma);
        return at === sigma && beside?.name === name && rate !== null ? [rate / beside.rate] : [];
      });
      const goal = name === "Knuth–Yao" && sigma === PAPER_SIGMAS[0] ? GOAL_NARROW : GOAL;
      if (Math.max(0, ...ratios) < goal) {
        missed++;
        console.log(`\nMissed: ${name} at σ = ${sigma} is ${Math.max(0, ...ratios).toFixed(1)} times the paper's, not ${goal}.`);
      }
    }
  }
  return missed;
}

let missed = 0;
await inEngines(chosen, "measure.mjs", "measure", milliseconds, (engine, /** @type {Row[]} */ rows) => (missed += show(rows, engine)));
process.exitCode = missed > 0 ? 1 : 0;
