/** [JSDGS17]'s Figure 4: a picture for each browser. */

import { numeral } from "./axes.js";
import { path, shape } from "./svg.js";

/** Samples per millisecond by method and kind, as "Ziggurat, WebAssembly", and σ. */
export interface Speeds {
  readonly by: string;
  readonly when: string;
  readonly rows: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export const METHODS = ["rejection", "inversion", "Ziggurat", "Knuth-Yao"] as const;
const [WIDTH, HEIGHT] = [340, 230];
const [LEFT, RIGHT, TOP, FOOT] = [44, 24, 8, 26];
/** The ends of the scales, as powers of ten. */
const [SIGMAS, RATES] = [[0, 3], [1, 5]] as const;

const along = (x: number): number => LEFT + ((Math.log10(x) - SIGMAS[0]) / (SIGMAS[1] - SIGMAS[0])) * (WIDTH - LEFT - RIGHT);
const up = (y: number): number => {
  const part = (Math.log10(y) - RATES[0]) / (RATES[1] - RATES[0]);
  return HEIGHT - FOOT - Math.min(1, Math.max(0, part)) * (HEIGHT - FOOT - TOP);
};

/** The picture of one browser. */
export function panel({ by, when, rows }: Speeds): HTMLElement {
  const shapes: SVGElement[] = [];
  for (let power = SIGMAS[0]; power <= SIGMAS[1]; power++) {
    const x = along(10 ** power);
    shapes.push(shape("line", { class: "grid", x1: x, x2: x, y1: TOP, y2: HEIGHT - FOOT }), shape("text", { class: "tick", x, y: HEIGHT - FOOT + 17, "text-anchor": "middle" }, numeral(10 ** power)));
  }
  for (let power = RATES[0]; power <= RATES[1]; power++) {
    const y = up(10 ** power);
    shapes.push(shape("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y }), shape("text", { class: "tick", x: LEFT - 5, y: y + 4, "text-anchor": "end" }, `10${"¹²³⁴⁵"[power - 1]}`));
  }
  const words: string[] = [];
  for (const [name, speeds] of Object.entries(rows)) {
    const [method = "", kind = ""] = name.split(", ");
    const plain = kind === "WebAssembly" ? "" : " plain";
    const colour = `s${METHODS.findIndex((known) => known === method)}`;
    // Keys that are whole numbers come first in an object.
    const sorted = Object.entries(speeds).sort(([a], [b]) => Number(a) - Number(b));
    const points = sorted.map(([sigma, speed]) => [along(Number(sigma)), up(speed)] as const);
    const group = shape("g", { class: colour });
    group.append(shape("path", { class: `curve${plain}`, d: path(points) }), ...points.map(([cx, cy]) => shape("circle", { class: `point${plain}`, cx, cy, r: 3 })));
    shapes.push(group);
    words.push(`${name}: ${sorted.map(([sigma, speed]) => `${Math.round(speed)} at ${sigma}`).join(", ")}`);
  }
  const svg = shape("svg", { role: "img", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-label": `${by}, samples per millisecond. ${words.join("; ")}.` });
  svg.append(...shapes);
  const figure = document.createElement("figure");
  const caption = document.createElement("figcaption");
  caption.textContent = `${by} (${when})`;
  figure.append(caption, svg);
  return figure;
}
