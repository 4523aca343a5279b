/** A uniform that is revealed bit by bit, beside what it is compared with: where in [0, 1) it can still lie. */

import { linear } from "./axes.js";
import type { Step, Story } from "./story.js";
import { draw, shape, widthOf } from "./svg.js";

const HEIGHT = 130;

/** Draws the comparison of a step, or the last one before it. */
export function drawInterval(svg: SVGSVGElement, step: Step, { steps }: Story): void {
  const width = widthOf(svg, HEIGHT);
  const x = linear([0, 1], [24, width - 24]);
  const [top, bottom] = [44, 86];
  const shapes: SVGElement[] = [shape("rect", { class: "inner", x: x(0), y: top, width: x(1) - x(0), height: bottom - top })];
  const { comparison } = steps.slice(0, steps.indexOf(step) + 1).filter((done) => done.comparison !== undefined).at(-1) ?? step;
  if (comparison !== undefined) {
    const { low, size, goal, below } = comparison;
    shapes.push(shape("rect", { class: "goal", x: x(0), y: top, width: x(goal) - x(0), height: bottom - top }));
    const kind = below === undefined ? "open" : below ? "yes" : "no";
    shapes.push(shape("rect", { class: `unsure ${kind}`, x: x(low), y: top + 8, width: Math.max(3, x(low + size) - x(low)), height: bottom - top - 16 }));
    shapes.push(shape("line", { class: "walk", x1: x(goal), x2: x(goal), y1: top - 8, y2: bottom + 8 }));
    const side = goal < 0.25 ? "start" : goal > 0.75 ? "end" : "middle";
    shapes.push(shape("text", { class: "leaf", x: x(goal), y: top - 14, "text-anchor": side }, `${comparison.name} = ${Number(goal.toPrecision(4))}`));
    const middle = low + size / 2;
    shapes.push(shape("text", { class: "leaf", x: x(middle), y: bottom + 22, "text-anchor": middle < 0.15 ? "start" : middle > 0.85 ? "end" : "middle" }, "u is in here"));
  }
  for (const value of [0, 0.25, 0.5, 0.75, 1]) {
    shapes.push(shape("line", { class: "axis", x1: x(value), x2: x(value), y1: bottom, y2: bottom + 5 }));
    if (comparison === undefined || Math.abs(x(value) - x(comparison.low + comparison.size / 2)) > 62) {
      shapes.push(shape("text", { class: "tick", x: x(value), y: bottom + 22, "text-anchor": "middle" }, `${value}`));
    }
  }
  draw(svg, `Line ${step.line}. ${step.text.replace(/\^\{([^}]*)\}/g, "^($1)")}`, shapes);
}
