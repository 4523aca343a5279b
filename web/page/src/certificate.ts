/** The certificate in words. */

import type { Certificate, Plan } from "../../dist/index.js";

/** An upper bound: rounded up, never down. */
const power = (log2: number): string => `≤ 2^${(Math.ceil(log2 * 100) / 100).toFixed(2)}`;
/** A number of samples: rounded down. */
const samples = (log2: number | null): string =>
  log2 === null ? "no bound of a large enough order" : log2 < 0 ? "not even one" : `2^${(Math.floor(log2 * 100) / 100).toFixed(2)}`;

export function certificateRows(c: Certificate, plan: Plan, simd: boolean): [string, string][] {
  const rows: [string, string][] = [
    ["law", c.law],
    ["method", plan.reason === null ? c.method : `${c.method}: ${plan.reason}${plan.reason.includes(" a second") ? " (in native code)" : ""}`],
  ];
  if (c.bound === null) {
    rows.push(["distance", "none: the law is exact, given ideal random bits"]);
  } else {
    rows.push(["precision", `${c.precision} bits`], ["statistical distance", power(c.bound.log2Sd)]);
    for (const [order, log2] of Object.entries(c.bound.log2Renyi)) rows.push([`Rényi R_${order} − 1`, power(log2)]);
    rows.push(["Rényi R_∞ − 1", power(c.bound.log2RenyiInf)], ["tail cut off", power(c.bound.log2Tail)]);
    for (const [level, { search, decision }] of Object.entries(c.bound.samplesLog2)) {
      rows.push([`samples, ${level} bits, search`, samples(search)], [`samples, ${level} bits, decision`, samples(decision)]);
    }
  }
  rows.push(
    ["table", `${c.tableBytes.toLocaleString("en")} bytes`],
    ["random bits per sample", `${c.expectedBits.toFixed(2)} expected`],
    ["trials per sample", `${c.expectedTrials.toFixed(4)} expected`],
    ["timing", c.timing],
    ["instructions", simd ? "WebAssembly with SIMD" : "WebAssembly without SIMD"],
  );
  return rows;
}

/** Fills a description list. */
export function describe(list: HTMLDListElement, rows: readonly [string, string][]): void {
  list.replaceChildren(
    ...rows.map(([name, text]) => {
      const pair = document.createElement("div");
      const term = document.createElement("dt");
      const definition = document.createElement("dd");
      term.textContent = name;
      definition.textContent = text;
      pair.append(term, definition);
      return pair;
    }),
  );
}
