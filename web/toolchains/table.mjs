// The README's table of toolchains, from toolchains.json. By itself: `node toolchains/table.mjs`, with --check only compares.
// @ts-check

import { readFileSync, writeFileSync } from "node:fs";

const readme = new URL("README.md", import.meta.url);
const MARKS = ["<!-- toolchains: by make test-toolchains -->\n", "<!-- /toolchains -->"];

/** The README with the table as it is to be. */
function renewed() {
  /** @type {Record<string, string>[]} */
  const rows = JSON.parse(readFileSync(new URL("toolchains.json", import.meta.url), "utf8"));
  const lines = rows.map(({ name, version, entry, fails, loaded = "", note }) => {
    const works = fails === "" ? "all" : fails === "samples, verify, schemes, workers" ? "**nothing**" : `all but ${fails}`;
    return `| ${name}${entry === "samplez" ? "" : `, \`${entry}\``} | ${version} | ${works} | ${loaded} | ${note} |\n`;
  });
  const text = readFileSync(readme, "utf8");
  const [start, end] = [text.indexOf(MARKS[0] ?? "") + (MARKS[0] ?? "").length, text.indexOf(MARKS[1] ?? "")];
  if (end < 0) throw new Error("the README has no marks for the table");
  return `${text.slice(0, start)}| toolchain | version | what works | loaded | what is needed |\n|---|---|---|---|---|\n${lines.join("")}${text.slice(end)}`;
}

/** Writes the table. */
export const writeTable = () => writeFileSync(readme, renewed());

/** Whether the README has the table that toolchains.json makes. */
export const isWritten = () => readFileSync(readme, "utf8") === renewed();

if (process.argv[1]?.endsWith("table.mjs")) {
  if (!process.argv.includes("--check")) writeTable();
  else if (!isWritten()) throw new Error("web/toolchains/README.md: its table of toolchains is not that of toolchains.json: run node toolchains/table.mjs");
}
