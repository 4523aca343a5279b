/** One Knuth–Yao walk through the levels of its tree. */

import type { KnuthYaoFigure } from "../../dist/index.js";
import { draw, path, shape } from "./svg.js";

const WIDTH = 720;
const HEIGHT = 300;
/** A tree of more than 2^50 children a level is not drawn on. */
const CHILDREN = 2 ** 50;

interface Level {
  /** Children of the inner nodes of the level above; the first of them are leaves. */
  readonly children: number;
  readonly leaves: number;
  /** Where the walk is among them; undefined after its end. */
  readonly at: number | undefined;
  readonly bit: number;
}

/** The walk by these bits, and the value at its end. */
export function walk({ leaves, columns }: KnuthYaoFigure, bits: (level: number) => number) {
  const levels: Level[] = [];
  let inner = 1;
  let at: number | undefined = 0;
  let end: { level: number; value: number | undefined } | undefined;
  for (let i = 0; i < leaves.length && 2 * inner < CHILDREN; i++) {
    const children = 2 * inner;
    const count = leaves[i] ?? 0;
    const bit = bits(i) & 1;
    const child: number | undefined = at === undefined ? undefined : 2 * at + bit;
    levels.push({ children, leaves: count, at: child, bit });
    if (child !== undefined && child < count) {
      end = { level: i + 1, value: columns[i]?.[child] };
      at = undefined;
    } else if (child !== undefined) {
      at = child - count;
    }
    inner = children - count;
    if (end !== undefined && i > end.level + 1) break;
  }
  return { levels, end };
}

export function drawWalk(svg: SVGElement, figure: KnuthYaoFigure): string {
  const random = crypto.getRandomValues(new Uint8Array(figure.leaves.length));
  const { levels, end } = walk(figure, (i) => random[i] ?? 0);
  const step = (WIDTH - 24) / Math.max(levels.length, 8);
  const high = HEIGHT - 60;
  const shapes: SVGElement[] = [];
  const points: [number, number][] = [[10, 30 + high / 2]];
  levels.forEach(({ children, leaves, at, bit }, i) => {
    const x = 24 + i * step;
    const y = (child: number) => 30 + (child / children) * high;
    shapes.push(shape("rect", { class: "leaves", x, y: y(0), width: step * 0.5, height: y(leaves) - y(0) }));
    shapes.push(shape("rect", { class: "inner", x, y: y(leaves), width: step * 0.5, height: y(children) - y(leaves) }));
    if (children <= 16) {
      for (let child = 0; child <= children; child++) {
        shapes.push(shape("line", { class: "grid", x1: x, x2: x + step * 0.5, y1: y(child), y2: y(child) }));
      }
      for (let child = 0; child < leaves; child++) {
        shapes.push(shape("text", { class: "leaf", x: x + step * 0.25, y: y(child + 0.5) + 4, "text-anchor": "middle" }, `${figure.columns[i]?.[child] ?? ""}`));
      }
    }
    if (at !== undefined) {
      points.push([x + step * 0.25, y(at + 0.5)]);
      shapes.push(shape("text", { class: "tick", x: x + step * 0.25, y: HEIGHT - 12, "text-anchor": "middle" }, `${bit}`));
    }
    shapes.push(shape("text", { class: "tick", x: x + step * 0.25, y: 20, "text-anchor": "middle" }, `${leaves}/${children < 1000 ? children : `2^${Math.log2(children).toFixed(1)}`}`));
  });
  shapes.push(shape("path", { class: "walk", d: path(points) }));
  for (const [cx, cy] of points) shapes.push(shape("circle", { class: "step", cx, cy, r: 4 }));
  const value = end?.value === undefined ? "a leaf" : `the leaf ${end.value}`;
  const sign = figure.folded ? ", to which a last bit gives the sign" : "";
  const text =
    end === undefined
      ? "This walk goes on beyond the levels drawn."
      : `After ${end.level} bits the walk ends at ${value}${sign}. On average a sample takes ${figure.expectedBits.toFixed(2)} bits.`;
  draw(svg, `A walk through ${levels.length} levels. ${text}`, shapes);
  return text;
}
