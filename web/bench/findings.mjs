// What browsers find of [JSDGS17], for `samplez-lab report --merge`: a line of JSON for each finding. Arguments: the file, milliseconds of a
// figure (200), engines (node, chromium, firefox, webkit; all if none is named).
// @ts-check

import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { claims, claimsOf } from "./claims.mjs";
import { inEngines } from "./engines.mjs";

const [file, time, ...chosen] = process.argv.slice(2);
if (file === undefined) {
  console.error("usage: node bench/findings.mjs FILE [MILLISECONDS [ENGINE ...]]");
  process.exit(2);
}
const milliseconds = Number(time ?? 200);
const command = "node bench/findings.mjs";
const date = new Date().toISOString().slice(0, 10);

/** How many wanted a processor before this began. */
const load = loadavg()[0];

/** @type {string[]} */
const lines = [];
/** @param {string} by @param {import("./claims.mjs").Finding[]} findings */
const keep = (by, findings) => void lines.push(...findings.map(({ item, quantity, terms, ours, unit, ...more }) => `${JSON.stringify({ item, quantity, terms, ours, unit, by, date, load, command, ...more })}\n`));

/** @param {string} engine @param {import("./claims.mjs").Measured} measured */
function tell(engine, measured) {
  keep(engine, claims(measured));
  console.log(`${engine}: ${measured.rows.length} speeds, ${measured.schemes.length} times`);
}

const browsers = await inEngines(chosen, "beside.mjs", "all", milliseconds, tell);
keep(browsers.join(", "), claimsOf(browsers));
writeFileSync(file, lines.join(""));
