/** The histogram over the exact law, and below it what is left. */

import type { Cells, Snapshot } from "./protocol.js";
import { linear, nice, numeral } from "./axes.js";
import { draw, path, shape, widthOf } from "./svg.js";

const HEIGHT = 440;
const TOP = 260; // the foot of the histogram
const HEAD = 14; // its highest bar
const [LEFT, RIGHT] = [54, 10];
const FOOT = 330; // where the residuals begin
const BOTTOM = 104; // their height
/** Residuals are drawn to so many standard deviations. */
const SPREAD = 4;

export const expected = (cells: Cells, done: number): number[] => cells.probabilities.map((p) => p * done);

/** (seen - expected)/√expected. */
export function residuals(cells: Cells, snapshot: Snapshot): number[] {
  return expected(cells, snapshot.done).map((e, i) => (e > 0 ? ((snapshot.counts[i] ?? 0) - e) / Math.sqrt(e) : 0));
}

/** The value in the middle of a cell. */
const middleOf = (cells: Cells, i: number): number => cells.first + i * cells.width + (cells.width - 1) / 2;

/** Draws the law and, once there are any, the samples. */
export function drawHistogram(svg: SVGSVGElement, cells: Cells, snapshot: Snapshot | undefined): void {
  const width = widthOf(svg, HEIGHT);
  const number = cells.probabilities.length - 2;
  const step = (width - LEFT - RIGHT) / number;
  const most = Math.max(...cells.probabilities.slice(1, -1)) * 1.12;
  const y = (p: number) => TOP - (p / most) * (TOP - HEAD);
  const x = (i: number) => LEFT + (i + 0.5) * step;
  const shapes: SVGElement[] = [];
  const text = (kind: string, at: number, height: number, anchor: string, words: string) =>
    void shapes.push(shape("text", { class: kind, x: at, y: height, "text-anchor": anchor }, words));
  const across = (kind: string, height: number) => void shapes.push(shape("line", { class: kind, x1: LEFT, x2: width - RIGHT, y1: height, y2: height }));
  const levels = nice(0, most, 7);
  const decimals = Math.max(0, Math.ceil(-Math.log10(levels[1] ?? 1) - 1e-9));
  for (const p of levels) {
    if (p > 0) across("grid", y(p));
    text("tick", LEFT - 6, y(p) + 4, "end", p === 0 ? "0" : p.toFixed(decimals));
  }
  for (let i = 0; i < number && snapshot; i++) {
    const part = (snapshot.counts[i + 1] ?? 0) / snapshot.done;
    shapes.push(shape("rect", { class: "bar", x: x(i) - 0.42 * step, y: y(part), width: 0.84 * step, height: TOP - y(part), "data-cell": i }));
  }
  const exact = cells.probabilities.slice(1, -1).map((p, i) => [x(i), y(p)] as const);
  shapes.push(shape("path", { class: "exact", d: path(exact) }));
  for (const [cx, cy] of exact) shapes.push(shape("circle", { class: "exact-dot", cx, cy, r: Math.min(2.5, step / 3) }));
  across("axis", TOP);
  const [from, to] = [middleOf(cells, 0), middleOf(cells, number - 1)];
  const place = linear([from, to], [x(0), x(number - 1)]);
  const longest = Math.max(...[from, to].map((value) => numeral(value).length));
  for (const value of nice(from, to, (width - LEFT) / Math.max(56, 11 * longest), 1)) {
    shapes.push(shape("line", { class: "axis", x1: place(value), x2: place(value), y1: TOP, y2: TOP + 4 }));
    text("tick", place(value), TOP + 18, "middle", numeral(value));
  }
  const per = cells.width === 1 ? "of each value" : `of bars of ${numeral(cells.width)} values`;
  text("title", LEFT + 4, HEAD - 3, "start", `probability ${per}`);
  text("title", width - RIGHT, TOP + 36, "end", "value x");
  text("title", LEFT + 4, FOOT - 8, "start", "(seen − expected)/√expected");
  const zero = FOOT + BOTTOM / 2;
  const scale = BOTTOM / 2 / SPREAD;
  for (const level of [-4, -2, 0, 2, 4]) {
    across(level === 0 ? "axis" : "grid", zero - level * scale);
    text("tick", LEFT - 6, zero - level * scale + 4, "end", numeral(level));
  }
  const left = snapshot ? residuals(cells, snapshot) : [];
  left.slice(1, -1).forEach((residual, i) => {
    if ((cells.probabilities[i + 1] ?? 0) * (snapshot?.done ?? 0) < 1) return; // too few to say
    const height = Math.min(SPREAD, Math.abs(residual)) * scale;
    shapes.push(shape("rect", { class: Math.abs(residual) > 3 ? "residual far" : "residual", x: x(i) - 0.3 * step, y: residual > 0 ? zero - height : zero, width: 0.6 * step, height }));
  });
  const label = snapshot
    ? `Histogram of ${snapshot.done.toLocaleString("en")} samples over the exact law, with residuals. ` +
      `Chi squared ${snapshot.chi2.toFixed(1)} with ${snapshot.degrees} degrees of freedom, p = ${snapshot.p.toPrecision(3)}.`
    : "The exact law, as the formula gives it; no samples yet";
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
