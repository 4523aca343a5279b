// [JSDGS17]'s Tables 4 and 5 in Node, Chromium, Firefox and WebKit: prints a table for each, and ends with 1 where Table 4's operations
// or, by the best noise, Table 5's sampling are less than so many times as fast as the paper's. Arguments: milliseconds of a
// figure (600), engines (node, chromium, firefox, webkit; all if none is named).
// @ts-check

import { BROWSERS } from "../test/drivers.mjs";
import { serveSite } from "../test/site.mjs";

const milliseconds = Number(process.argv[2] ?? 600);
const chosen = process.argv.slice(3);
const wanted = (/** @type {string} */ engine) => chosen.length === 0 || chosen.includes(engine);
const GOAL = 20;

/** @typedef {import("../build/site/page/src/tables45.js").SchemeTime} SchemeTime */

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
if (wanted("node")) {
  const { measureSchemes } = await import("../build/site/page/src/tables45.js");
  /** @type {SchemeTime[]} */
  const rows = [];
  for await (const row of measureSchemes(milliseconds)) rows.push(row);
  missed += show(rows, `Node ${process.version}`);
}
const site = await serveSite();
for (const [name, start] of Object.entries(BROWSERS).filter(([name]) => wanted(name))) {
  const driver = await start();
  try {
    await driver.open(site.url);
    const measure = `(async () => {
      const { measureSchemes } = await import("/page/src/tables45.js");
      const rows = [];
      for await (const row of measureSchemes(${milliseconds})) rows.push(row);
      return JSON.stringify(rows);
    })()`;
    missed += show(JSON.parse(await driver.evaluate(measure)), name);
  } finally {
    await driver.close();
  }
}
site.close();
process.exitCode = missed > 0 ? 1 : 0;
