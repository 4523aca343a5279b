// [JSDGS17]'s Tables 4 and 5 in Node, Chromium, Firefox and WebKit: prints a table for each, and ends with 1 where Table 4's operations
// or, by the best noise, Table 5's sampling are less than so many times as fast as the paper's. Arguments: milliseconds of a
// figure (600), engines (node, chromium, firefox, webkit; all if none is named).
// @ts-check

import { inEngines } from "./engines.mjs";

const milliseconds = Number(process.argv[2] ?? 600);
const chosen = process.argv.slice(3);
const GOAL = 20;

/** @typedef {import("./measure.mjs").SchemeTime} SchemeTime */

/** @param {SchemeTime[]} rows @param {string} engine */
function show(rows, engine) {
  console.log(`\n### ${engine}, milliseconds\n`);
  console.log("| table | what | set | noise | the paper's | here | times as fast |\n|---|---|---|---|---|---|---|");
  /** @type {Map<string, number>} */
  const best = new Map();
  for (const { table, what, set, noise, paper, milliseconds } of rows) {
    const times = paper / milliseconds;
    const row = `${table}, ${what.split(",")[0]}`;
    best.set(row, Math.max(times, best.get(row) ?? 0));
    console.log(`| ${table} | ${what} | ${set} | ${noise} | ${paper} | ${milliseconds.toPrecision(3)} | ${times.toPrecision(3)} |`);
  }
  const missed = [...best].filter(([, times]) => times < GOAL);
  for (const [row, times] of missed) console.log(`\nMissed: table ${row}: ${times.toFixed(1)} times the paper's, not ${GOAL}.`);
  return missed.length;
}

let missed = 0;
await inEngines(chosen, "measure.mjs", "schemes", milliseconds, (engine, /** @type {SchemeTime[]} */ rows) => (missed += show(rows, engine)));
process.exitCode = missed > 0 ? 1 : 0;
