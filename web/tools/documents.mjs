// What the page says of the library's own files: of each method its paper, proof and source, from docs/methods.md's generated
// table and the head of the source; the rates measured natively, from the kept run of the report.
// @ts-check

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
const text = (/** @type {string} */ path) => readFileSync(join(root, path), "utf8");

/** A path in the repository as the page links to it: a copy, named so that every server and browser shows it as text.
 * @param {string} path */
export const copyOf = (path) => `repository/${path}.txt`;

/** Where a paper's entry in docs/papers.md says that it can be read; else the entry itself.
 * @param {string} key @param {string} papers */
function paper(key, papers) {
  const start = papers.indexOf(`- **[${key}]**`);
  if (start < 0) throw new Error(`docs/papers.md has no entry [${key}]`);
  const entry = papers.slice(start, papers.indexOf("\n- **[", start + 1)).split("From it:")[0] ?? "";
  const rest = entry.slice(entry.indexOf("]**") + 3).trim();
  const title = (/\*([^*]+)\*/.exec(rest)?.[1] ?? rest.split(",")[0] ?? key).replace(/\s+/g, " ");
  const arxiv = /arXiv:(\d{4}\.\d{4,5})/.exec(entry)?.[1];
  const eprint = /ePrint\s+(\d{4}\/\d+)/.exec(entry)?.[1];
  const url = arxiv ? `https://arxiv.org/abs/${arxiv}` : eprint ? `https://eprint.iacr.org/${eprint}` : copyOf("docs/papers.md");
  return { key, title, url };
}

/** @typedef {{ papers: { key: string, title: string, url: string }[], source: string, proof: string }} Row */

/** A method's file, which may contain several methods: that of du-wei-5-ky is du_wei.rs. @param {string} name @returns {string} */
function fileOf(name) {
  const path = `crates/samplez-core/src/samplers/${name.replaceAll("-", "_")}.rs`;
  return existsSync(join(root, path)) || !name.includes("-") ? path : fileOf(name.slice(0, name.lastIndexOf("-")));
}

/** A row for each method. @returns {Record<string, Row>} */
export function methodRows() {
  const papers = text("docs/papers.md");
  const table = text("docs/methods.md").split("<!-- methods:")[1]?.split("<!-- /methods -->")[0] ?? "";
  const rows = table.matchAll(/^\| `([\w-]+)` ([^|]+) \|/gm);
  const methods = Object.fromEntries(
    Array.from(rows, ([, name = "", keys = ""]) => {
      const source = fileOf(name);
      const proof = /docs\/proofs\/[\w-]+\.md/.exec(text(source))?.[0] ?? "";
      const cited = Array.from(keys.matchAll(/\[(\w+)\]/g), ([, key = ""]) => paper(key, papers));
      return [name, { papers: cited, source, proof }];
    }),
  );
  if (Object.keys(methods).length === 0) throw new Error("docs/methods.md has no table of methods");
  return methods;
}

/** [JSDGS17]'s Table 3 as the native library does it: samples per millisecond in single calls, by method and σ; where and when. */
export function nativeRates() {
  /** @type {Record<string, Record<string, number>>} */
  const rates = {};
  let machine = "";
  let date = "";
  for (const item of kept()) {
    for (const { terms, ours, unit } of item.findings ?? []) {
      const found = /^sigma=([\d.]+),method=([\w-]+),precision=128\b.*natively, the paper's in Opera$/.exec(terms);
      if (found === null || unit !== "million samples/s") continue;
      const [, sigma = "", method = ""] = found;
      (rates[method] ??= {})[sigma] = ours * 1000;
      ({ machine, date } = item);
    }
  }
  return { machine, date, rates };
}

/** The records of the kept run. @returns {any[]} */
const kept = () => text("docs/report/run.jsonl").trim().split("\n").map((line) => JSON.parse(line));

/** [JSDGS17]'s Figure 4 as the report has it: samples per millisecond by browser, method and σ. */
export function knownSpeeds() {
  return kept()
    .filter(({ item, by }) => item === "J17" && by)
    .map(({ by, date, machine, findings }) => {
      /** @type {Record<string, Record<string, number>>} */
      const rows = {};
      for (const { quantity, ours } of findings) {
        const [, name = "", sigma = ""] = /^(.+) × ([\d.]+)$/.exec(quantity) ?? [];
        if (name !== "") (rows[name] ??= {})[sigma] = ours;
      }
      return { by, when: `${date}, ${machine}`, rows };
    })
    .filter(({ rows }) => Object.keys(rows).length > 0);
}

/** Where the page's table of claims links to the report. */
export const REPORT = copyOf("docs/papers-reproduced.md");

/** The claims of [JSDGS17] that the page measures, as rows of its table, and what the paper prints by claim and quantity. */
export function claimRows() {
  /** @type {string[]} */
  const measured = [...JSON.parse(text("web/bench/measured.json")), ...JSON.parse(text("web/bench/here.json"))];
  measured.sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
  const escaped = (/** @type {string} */ words) => words.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const titles = new Map(text("kat/papers/items.csv").split("\n").map((line) => [line.split(",")[0], line.split(",")[3] ?? ""]));
  const rows = measured.map((item) => {
    const title = titles.get(item);
    if (title === undefined) throw new Error(`kat/papers/items.csv has no ${item}`);
    return `<tr id="${item}"><th scope="row">${item}</th><td>${escaped(title)}</td><td class="here">not measured yet</td><td><a href="${REPORT}#${item}" aria-label="result: the report on ${item}">result</a></td></tr>`;
  });
  /** @type {Record<string, string>} */
  const printed = {};
  for (const line of text("kat/papers/jsdgs17.csv").split("\n").slice(1)) {
    const [, item = "", , quantity = "", value = "", unit = ""] = line.split(",");
    if (measured.includes(item) && /^[\d.]+$/.test(value)) printed[`${item} ${quantity}`] = `${value} ${unit}`;
  }
  return { rows: rows.join("\n"), printed };
}

/** The files of the repository that the page links to. */
export function linked() {
  const own = Object.values(methodRows()).flatMap(({ source, proof }) => [source, proof]);
  const files = [...new Set([...own, "docs/papers.md", "docs/errata.md", "docs/report/prose.md", "docs/papers-reproduced.md"])];
  const missing = files.filter((path) => !existsSync(join(root, path)));
  if (missing.length > 0) throw new Error(`the page links to what is not there: ${missing.join(", ")}`);
  return files;
}
