/** The histogram over the exact law, and below it what is left. */

import type { Cells, Snapshot } from "./protocol.js";
import { draw, path, shape } from "./svg.js";

const WIDTH = 720;
const TOP = 260; // the height of the histogram
const LEFT = 8;
const BOTTOM = 130; // of the residuals
/** Residuals are drawn to so many standard deviations. */
const SPREAD = 4;

export const expected = (cells: Cells, done: number): number[] => cells.probabilities.map((p) => p * done);

/** (seen - expected)/√expected. */
export function residuals(cells: Cells, snapshot: Snapshot): number[] {
  return expected(cells, snapshot.done).map((e, i) => (e > 0 ? ((snapshot.counts[i] ?? 0) - e) / Math.sqrt(e) : 0));
}

export function drawHistogram(svg: SVGElement, cells: Cells, snapshot: Snapshot): void {
  const number = cells.probabilities.length - 2;
  const step = (WIDTH - 2 * LEFT) / number;
  const most = Math.max(...cells.probabilities.slice(1, -1)) * 1.12;
  const y = (p: number) => TOP - (p / most) * (TOP - 14);
  const x = (i: number) => LEFT + (i + 0.5) * step;
  const shapes: SVGElement[] = [];
  for (let i = 0; i < number; i++) {
    const part = (snapshot.counts[i + 1] ?? 0) / snapshot.done;
    shapes.push(shape("rect", { class: "bar", x: x(i) - 0.42 * step, y: y(part), width: 0.84 * step, height: TOP - y(part), "data-cell": i }));
  }
  const exact = cells.probabilities.slice(1, -1).map((p, i) => [x(i), y(p)] as const);
  shapes.push(shape("path", { class: "exact", d: path(exact) }));
  for (const [cx, cy] of exact) shapes.push(shape("circle", { class: "exact-dot", cx, cy, r: Math.min(2.5, step / 3) }));
  shapes.push(shape("line", { class: "axis", x1: LEFT, x2: WIDTH - LEFT, y1: TOP, y2: TOP }));
  const ticks = Math.max(1, Math.ceil(number / 9));
  const middle = (number - 1) / 2;
  for (let i = middle % ticks; i < number; i += ticks) {
    const value = cells.first + i * cells.width + Math.floor((cells.width - 1) / 2);
    shapes.push(shape("text", { class: "tick", x: x(i), y: TOP + 16, "text-anchor": "middle" }, value.toLocaleString("en")));
  }
  const zero = TOP + 30 + BOTTOM / 2;
  const scale = BOTTOM / 2 / SPREAD;
  for (const level of [-2, 0, 2]) {
    shapes.push(shape("line", { class: level === 0 ? "axis" : "grid", x1: LEFT, x2: WIDTH - LEFT, y1: zero - level * scale, y2: zero - level * scale }));
  }
  residuals(cells, snapshot).slice(1, -1).forEach((residual, i) => {
    if ((cells.probabilities[i + 1] ?? 0) * snapshot.done < 1) return; // too few to say
    const height = Math.min(SPREAD, Math.abs(residual)) * scale;
    shapes.push(shape("rect", { class: Math.abs(residual) > 3 ? "residual far" : "residual", x: x(i) - 0.3 * step, y: residual > 0 ? zero - height : zero, width: 0.6 * step, height }));
  });
  const label =
    `Histogram of ${snapshot.done.toLocaleString("en")} samples over the exact law, with residuals. ` +
    `Chi squared ${snapshot.chi2.toFixed(1)} with ${snapshot.degrees} degrees of freedom, p = ${snapshot.p.toPrecision(3)}.`;
  draw(svg, label, shapes);
}

/** The same in numbers, for those who read rather than look. */
export function fillTable(body: HTMLTableSectionElement, cells: Cells, snapshot: Snapshot): void {
  const wanted = expected(cells, snapshot.done);
  const left = residuals(cells, snapshot);
  const name = (i: number): string => {
    const last = cells.probabilities.length - 1;
    const from = cells.first + (i - 1) * cells.width;
    if (i === 0) return `below ${cells.first}`;
    if (i === last) return `from ${from}`;
    return cells.width === 1 ? `${from}` : `${from} to ${from + cells.width - 1}`;
  };
  const rows = snapshot.counts.map((count, i) => {
    const row = document.createElement("tr");
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = name(i);
    row.append(head);
    for (const text of [`${count}`, (wanted[i] ?? 0).toPrecision(6), (left[i] ?? 0).toFixed(2)]) {
      const cell = document.createElement("td");
      cell.textContent = text;
      row.append(cell);
    }
    return row;
  });
  body.replaceChildren(...rows);
}
