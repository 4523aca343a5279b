/** [JSDGS17]'s figures beside ours, and both as files. */

import type { Measurement, SchemeTime } from "./protocol.js";

/** [JSDGS17], Table 3: samples per millisecond at 128 bits. */
export const PAPER_SIGMAS = ["3.3311", "55.5649", "107"] as const;
export const PAPER: Readonly<Record<string, readonly [number, number, number]>> = {
  rejection: [25.5, 25.0, 24.6],
  inversion: [179.2, 83.4, 53.9],
  Ziggurat: [657.9, 602.4, 544.7],
  "Knuth–Yao": [5882, 1429, 862],
};

/** The paper's algorithm that a method does the work of. */
const SAME: Readonly<Record<string, string>> = {
  "rejection-table": "rejection",
  cdt: "inversion",
  "cdt-guided": "inversion",
  ziggurat: "Ziggurat",
  "knuth-yao": "Knuth–Yao",
  "knuth-yao-compact": "Knuth–Yao",
};

/** The paper's name and figure beside a method's. */
export function paper(method: string, sigma: string): { name: string; rate: number } | undefined {
  const name = SAME[method];
  const rate = name && PAPER[name]?.[PAPER_SIGMAS.indexOf(sigma as (typeof PAPER_SIGMAS)[number])];
  return name === undefined || !rate ? undefined : { name, rate };
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** The table as comma-separated values. */
export function csv(rows: readonly Measurement[], where: string): string {
  const lines = rows.map(({ method, sigma, rate, refusal }) => {
    const beside = paper(method, sigma);
    const ratio = beside && rate !== null ? (rate / beside.rate).toFixed(1) : "";
    return [method, sigma, rate?.toFixed(1) ?? "", beside?.name ?? "", beside?.rate ?? "", ratio, quoted(refusal ?? ""), quoted(where)].join();
  });
  return ["method,sigma,samples per ms,paper's method,paper's samples per ms,ratio,refusal,where", ...lines, ""].join("\n");
}

/** The schemes' rows as comma-separated values. */
export function schemesCsv(rows: readonly SchemeTime[], where: string): string {
  const lines = rows.map(({ table, what, set, noise, paper, milliseconds }) =>
    [table, quoted(what), quoted(set), quoted(noise), paper, milliseconds.toPrecision(4), (paper / milliseconds).toFixed(1), quoted(where)].join(),
  );
  return ["table,what,set,noise,paper's ms,ms,times as fast,where", ...lines, ""].join("\n");
}
