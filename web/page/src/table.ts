/** The benchmark's table, and its file. */

import { csv, paper, PAPER_SIGMAS } from "./paper.js";
import type { Documents } from "./documents.js";
import type { Measurement } from "./protocol.js";
import { save } from "./save.js";

const rate = (samples: number): string => samples.toLocaleString("en", { maximumFractionDigits: samples < 1000 ? 1 : 0 });

/** A row for each method, two cells for each σ: the rate, and how many times the paper's that is. */
export function showTable(body: HTMLTableSectionElement, rows: readonly Measurement[]): void {
  const names = [...new Set(rows.map(({ method }) => method))];
  body.replaceChildren(
    ...names.map((method) => {
      const row = document.createElement("tr");
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = method;
      row.append(head);
      const same = document.createElement("td");
      same.textContent = paper(method, PAPER_SIGMAS[0])?.name ?? "";
      row.append(same);
      for (const sigma of PAPER_SIGMAS) {
        const found = rows.find((measured) => measured.method === method && measured.sigma === sigma);
        const beside = paper(method, sigma);
        const cell = document.createElement("td");
        cell.className = "number";
        if (found?.rate != null) {
          cell.textContent = rate(found.rate);
          if (beside) {
            const times = document.createElement("small");
            times.textContent = ` ${(found.rate / beside.rate).toFixed(0)} × ${beside.rate}`;
            cell.append(times);
          }
        } else if (found?.refusal != null) {
          cell.textContent = "refused";
          cell.title = found.refusal;
        }
        row.append(cell);
      }
      return row;
    }),
  );
}

/** What the native library does at the same widths, and where that was measured: not here. */
export function showNative(home: HTMLElement, { machine, date, rates }: Documents["native"]): void {
  const said = Object.entries(rates).map(([method, of]) => `${method} ${PAPER_SIGMAS.map((sigma) => rate(of[sigma] ?? 0)).join(", ")}`);
  home.textContent = `Measured natively on ${machine}, ${date}, not in this browser, in single calls, samples per millisecond at the same three widths: ${said.join("; ")}.`;
}

/** Hands the table to the browser as a file. */
export const download = (rows: readonly Measurement[]): void => save("samplez-benchmark.csv", csv(rows, navigator.userAgent));
