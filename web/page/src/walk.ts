/** Knuth–Yao walks through the levels of the tree, on the bits of the library's own samples. */

import type { KnuthYaoFigure } from "../../dist/figures.js";
import type { Tape } from "./chacha.js";
import type { Step, Story } from "./story.js";
import { draw, path, shape, widthOf } from "./svg.js";

const HEIGHT = 330;
/** A tree of more than 2^50 children a level is not drawn on. */
const CHILDREN = 2 ** 50;

interface Level {
  /** Children of the inner nodes of the level above; the first of them are leaves. */
  readonly children: number;
  readonly leaves: number;
  /** Where the walk is among them, by this bit. */
  readonly at: number;
  readonly bit: number;
}

export interface Walked extends Step {
  readonly levels: readonly Level[];
}

/** The walk: a bit a level, and one more for the sign. */
export function walk({ leaves, columns, folded }: KnuthYaoFigure, center: bigint, tape: Tape): Story<Walked> {
  tape.mark();
  const levels: Level[] = [];
  const steps: Walked[] = [];
  const say = (line: string, text: string): void => void steps.push({ line, text, drawn: tape.recent.length, levels: levels.slice() });
  say("1", "The walk begins at the root. It has two children; every bit chooses one of the two children of a node.");
  let inner = 1;
  let at = 0;
  for (let i = 0; i < leaves.length && 2 * inner < CHILDREN; i++) {
    const children = 2 * inner;
    const count = leaves[i] ?? 0;
    const bit = tape.bit();
    const child = 2 * at + bit;
    levels.push({ children, leaves: count, at: child, bit });
    const where = `Level ${i + 1}, bit ${bit}: child ${child + 1} of ${children < 1e6 ? children : children.toExponential(2)}, of which ${count} ${count === 1 ? "is a leaf" : "are leaves"}`;
    if (child < count) {
      const row = columns[i]?.[child];
      if (row === undefined) throw new Error("the leaf lies beyond the values that are listed");
      say("2", `${where}. This is one: the leaf ${row}${folded ? ", a distance from the centre" : ""}. The walk ends.`);
      let value = BigInt(row);
      if (folded) {
        const negative = row !== 0 && tape.bit() === 1;
        value = center + (negative ? -value : value);
        say("3", `${row === 0 ? "0 has no sign" : `A last bit gives the sign, ${negative ? "−" : "+"}`}: the sample is ${value}, from ${tape.recent.length} bits.`);
      } else say("3", `The sample is ${value}, from ${tape.recent.length} bits.`);
      return { steps, bits: tape.recent.slice(), value };
    }
    say("2", `${where}. This is none: the walk goes on from here.`);
    at = child - count;
    inner = children - count;
  }
  throw new Error("the walk goes on beyond the levels drawn");
}

/** Draws the levels, `deepest` of them at least, and the walk as far as it has come. */
export function drawWalk(svg: SVGSVGElement, figure: KnuthYaoFigure, now: Walked, deepest: number): void {
  const width = widthOf(svg, HEIGHT);
  const shown = Math.max(deepest, Math.min(8, figure.leaves.length));
  const [left, top, high] = [64, 30, HEIGHT - 30 - 62];
  const step = (width - left - 4) / shown;
  const box = Math.min(step * 0.62, 64);
  const shapes: SVGElement[] = [];
  const points: [number, number][] = [[left - 26, top + high / 2]];
  const label = (text: string, y: number): SVGElement => shape("text", { class: "title", x: 0, y }, text);
  shapes.push(label("level", 14), label("root", top + high / 2 - 10), label("leaves", HEIGHT - 36), label("bit", HEIGHT - 10));
  // Beside each other they may need every second or third only.
  const every = Math.max(1, Math.ceil(34 / step));
  let inner = 1;
  for (let i = 0; i < shown && 2 * inner < CHILDREN; i++) {
    const children = 2 * inner;
    const leaves = figure.leaves[i] ?? 0;
    const x = left + i * step;
    const middle = x + box / 2;
    const y = (child: number): number => top + (child / children) * high;
    shapes.push(shape("rect", { class: "leaves", x, y: y(0), width: box, height: y(leaves) - y(0) }));
    shapes.push(shape("rect", { class: "inner", x, y: y(leaves), width: box, height: y(children) - y(leaves) }));
    if (children <= 16) {
      for (let child = 0; child <= children; child++) {
        shapes.push(shape("line", { class: "grid", x1: x, x2: x + box, y1: y(child), y2: y(child) }));
      }
      if (box >= 18) {
        for (let child = 0; child < leaves; child++) {
          shapes.push(shape("text", { class: "leaf", x: middle, y: y(child + 0.5) + 4, "text-anchor": "middle" }, `${figure.columns[i]?.[child] ?? ""}`));
        }
      }
    }
    const level = now.levels[i];
    if (level !== undefined) {
      points.push([middle, y(level.at + 0.5)]);
      shapes.push(shape("text", { class: "bit", x: middle, y: HEIGHT - 10, "text-anchor": "middle" }, `${level.bit}`));
    }
    if (i % every === 0) {
      shapes.push(shape("text", { class: "tick", x: middle, y: 14, "text-anchor": "middle" }, `${i + 1}`));
      const share = (100 * leaves) / children;
      shapes.push(shape("text", { class: "tick", x: middle, y: HEIGHT - 36, "text-anchor": "middle" }, `${share.toFixed(0)}%`));
    }
    inner = children - leaves;
  }
  shapes.push(shape("path", { class: "walk", d: path(points) }));
  points.forEach(([cx, cy], i) => shapes.push(shape("circle", { class: i === points.length - 1 ? "step now" : "step", cx, cy, r: i === points.length - 1 ? 6 : 4 })));
  draw(svg, `A Knuth–Yao walk, ${now.levels.length} levels deep. ${now.text}`, shapes);
}
