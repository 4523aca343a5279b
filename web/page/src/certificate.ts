/** The certificate in words. */

import type { Certificate, Plan } from "../../dist/index.js";
import { rich } from "./svg.js";

/** A power of two whose exponent is so many hundredths. */
const two = (hundredths: number): string => `2^{${(hundredths / 100).toFixed(2).replace("-", "−")}}`;
/** An upper bound: rounded up, never down. */
const power = (log2: number | null): string => log2 === null ? "0" : `≤ ${two(Math.ceil(log2 * 100))}`;
/** A number of samples: rounded down. */
const samples = (log2: number | null | undefined): string =>
  log2 === null || log2 === undefined || log2 < 0 ? "none" : two(Math.floor(log2 * 100));
/** A number of bits: rounded down. */
const bits = (kept: number | undefined): string =>
  `${(Math.floor((kept ?? 0) * 100) / 100).toFixed(2)} for any number of samples`;

export function certificateRows(c: Certificate, plan: Plan, simd: boolean): [string, string][] {
  const rows: [string, string][] = [
    ["law", c.law],
    ["method", plan.reason === null ? c.method : `${c.method}: ${plan.reason}${plan.reason.includes(" a second") ? " (as measured in WebAssembly on another machine)" : ""}`],
  ];
  if (c.exact) {
    rows.push(["distance", "none: the law is exact, given ideal random bits"]);
  } else {
    if (c.precision !== null) rows.push(["precision", `${c.precision} bits`]);
    rows.push(["statistical distance", power(c.log2_sd)]);
    for (const [order, log2] of Object.entries(c.log2_renyi)) rows.push([`Rényi R_{${order.replace("inf", "∞")}} − 1`, power(log2)]);
    rows.push(["tail cut off", power(c.log2_tail)]);
    rows.push(
      ["samples drawn", `at most ${c.samples_per_time} for a unit of the adversary's time`],
      ["samples that cost at most 2 of 128 bits, search", samples(c.samples_log2["128"])],
      ["samples, advantage ≤ 2^{−128}", samples(c.samples_log2_advantage["128"])],
    );
  }
  for (const problem of ["search", "decision"] as const) {
    rows.push([`bits kept of 128, ${problem}`, bits(c.bits_kept[problem]["128"])]);
  }
  rows.push(
    ["table", `${c.table_bytes.toLocaleString("en")} bytes`],
    ["random bits per sample", `${c.expected_bits.toFixed(2)} expected`],
    ["trials per sample", `${c.expected_trials.toFixed(4)} expected`],
    ["timing", c.timing === "unpromised" ? "none promised in WebAssembly" : c.timing],
    ["instructions", simd ? "WebAssembly with SIMD" : "WebAssembly without SIMD"],
  );
  return rows;
}

/** Fills a description list; texts as `rich` takes them. */
export function describe(list: HTMLDListElement, rows: readonly [string, string][]): void {
  list.replaceChildren(
    ...rows.map(([name, text]) => {
      const pair = document.createElement("div");
      const term = document.createElement("dt");
      const definition = document.createElement("dd");
      term.append(...rich(name));
      definition.append(...rich(text));
      pair.append(term, definition);
      return pair;
    }),
  );
}
