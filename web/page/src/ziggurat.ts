/** The Ziggurat's rectangles under the density. */

import type { ZigguratFigure } from "../../dist/index.js";
import { draw, path, shape } from "./svg.js";

const WIDTH = 720;
const HEIGHT = 320;
const POINTS = 200;

export function drawZiggurat(svg: SVGElement, { edges, heights }: ZigguratFigure, sigma: number): void {
  const columns = edges.at(-1) ?? 1;
  // The last rectangle reaches far into the tail: it is cut where the density is too low to see.
  const right = Math.min(columns, Math.max(4 * sigma, 1.15 * (edges.at(-2) ?? 0)));
  const x = (value: number) => 8 + (Math.min(value, right) / right) * (WIDTH - 16);
  const y = (height: number) => HEIGHT - 24 - Math.min(1, height) * (HEIGHT - 36);
  const shapes: SVGElement[] = [];
  for (let i = 1; i < edges.length; i++) {
    const [top, bottom] = [y(heights[i - 1] ?? 0), y(heights[i] ?? 0)];
    const [inner, outer] = [x(edges[i - 1] ?? 0), x(edges[i] ?? 0)];
    shapes.push(shape("rect", { class: "sure", x: x(0), y: top, width: inner - x(0), height: bottom - top }));
    shapes.push(shape("rect", { class: "doubt", x: inner, y: top, width: outer - inner, height: bottom - top }));
  }
  const density = Array.from({ length: POINTS + 1 }, (_, i) => {
    const value = (right * i) / POINTS;
    return [x(value), y(Math.exp(-((value / sigma) ** 2) / 2))] as const;
  });
  shapes.push(shape("path", { class: "exact", d: path(density) }));
  for (let i = 0; i <= 4; i++) {
    const value = (right * i) / 4;
    shapes.push(shape("text", { class: "tick", x: x(value), y: HEIGHT - 6, "text-anchor": i === 0 ? "start" : i === 4 ? "end" : "middle" }, Number(value.toPrecision(3)).toLocaleString("en")));
  }
  const label =
    `${edges.length - 1} rectangles of one area under the half of the density. ` +
    "A point in the filled part of a rectangle is accepted at once; beyond it the density decides.";
  draw(svg, label, shapes);
}
