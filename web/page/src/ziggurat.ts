/** The Ziggurat's rectangles under the density. */

import type { ZigguratFigure } from "../../dist/index.js";
import { draw, path, shape } from "./svg.js";

const WIDTH = 720;
const HEIGHT = 320;
const POINTS = 200;

/** A throw: the rectangle, the column and the height in it, and what becomes of it. */
interface Throw {
  readonly rectangle: number;
  readonly column: number;
  readonly height: number;
  readonly accepted: boolean;
  readonly why: string;
}

/** One trial of the Ziggurat by four uniforms below 1: rectangle, column, height, and the coin of column 0. */
export function throwOnce({ edges, heights }: ZigguratFigure, sigma: number, uniforms: readonly number[]): Throw {
  const [first = 0, second = 0, third = 0, coin = 0] = uniforms;
  const rectangle = 1 + Math.floor(first * (edges.length - 1));
  const column = Math.floor(second * (edges[rectangle] ?? 1));
  const [top, bottom] = [heights[rectangle - 1] ?? 0, heights[rectangle] ?? 0];
  const height = bottom + third * (top - bottom);
  const whole = column < (edges[rectangle - 1] ?? 0);
  const under = whole || height < Math.exp(-((column / sigma) ** 2) / 2);
  const kept = column > 0 || coin < 0.5;
  const verdict = whole
    ? "the whole column lies under the density: accepted, with nothing to compute"
    : `the random height is ${under ? "below" : "above"} the density: ${under ? "accepted" : "rejected, throw again"}`;
  const zero = under && column === 0 ? `; but 0, which has no sign, is kept by half of the coins only: ${kept ? "kept" : "rejected"}` : "";
  return { rectangle, column, height, accepted: under && kept, why: `${verdict}${zero}` };
}

/** Draws the rectangles and a throw, and says what the throw came to. */
export function drawZiggurat(svg: SVGElement, figure: ZigguratFigure, sigma: number): string {
  const { edges, heights } = figure;
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
  const uniforms = Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word / 2 ** 32);
  const { rectangle, column, height, accepted, why } = throwOnce(figure, sigma, uniforms);
  const [top, bottom] = [y(heights[rectangle - 1] ?? 0), y(heights[rectangle] ?? 0)];
  shapes.push(shape("rect", { class: "thrown", x: x(0), y: top, width: x(edges[rectangle] ?? 0) - x(0), height: bottom - top }));
  shapes.push(shape("circle", { class: accepted ? "step" : "missed", cx: x(column), cy: y(height), r: 5 }));
  const said = `${edges.length - 1} rectangles of one area. A throw into rectangle ${rectangle}, column ${column}: ${why}.`;
  draw(svg, `The Ziggurat under the half of the density: ${said}`, shapes);
  return said;
}
