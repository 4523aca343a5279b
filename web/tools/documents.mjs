// What the page says of the library's own files: of each method its paper, proof and source, from ARCHITECTURE.md's generated
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

/** @typedef {{ law: string, papers: { key: string, title: string, url: string }[], source: string, proof: string }} Row */

/** A row for each method. @returns {Record<string, Row>} */
export function methodRows() {
  const papers = text("docs/papers.md");
  const table = text("ARCHITECTURE.md").split("<!-- samplers:")[1]?.split("<!-- /samplers -->")[0] ?? "";
  const rows = table.matchAll(/^\| `([\w-]+)` \| \[[^\]]*\]\(([^)]+)\) \| ([^|]+) \| ([^|]+) \|/gm);
  return Object.fromEntries(
    Array.from(rows, ([, name = "", source = "", keys = "", law = ""]) => {
      const proof = /docs\/proofs\/[\w-]+\.md/.exec(text(source))?.[0] ?? "";
      const cited = Array.from(keys.matchAll(/\[(\w+)\]/g), ([, key = ""]) => paper(key, papers));
      return [name, { law: law.replace(/[*`]/g, "").trim(), papers: cited, source, proof }];
    }),
  );
}

/** [JSDGS17]'s Table 3 as the native library does it: samples per millisecond in single calls, by method and σ; where and when. */
export function nativeRates() {
  /** @type {Record<string, Record<string, number>>} */
  const rates = {};
  let machine = "";
  let date = "";
  for (const line of text("docs/report/run.jsonl").trim().split("\n")) {
    const item = JSON.parse(line);
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

/** The files of the repository that the page links to. */
export function linked() {
  const own = Object.values(methodRows()).flatMap(({ source, proof }) => [source, proof]);
  const files = [...new Set([...own, "docs/papers.md", "docs/errata.md", "docs/report/prose.md"])];
  const missing = files.filter((path) => !existsSync(join(root, path)));
  if (missing.length > 0) throw new Error(`the page links to what is not there: ${missing.join(", ")}`);
  return files;
}
