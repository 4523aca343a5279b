/** The Ziggurat's rectangles under the density, and its trials on the bits of the library's own samples. */

import type { ZigguratFigure } from "../../dist/figures.js";
import { linear, nice, numeral } from "./axes.js";
import type { Tape } from "./chacha.js";
import { below, Teller, type Step, type Story } from "./story.js";
import { draw, path, shape, widthOf } from "./svg.js";

const HEIGHT = 340;
const POINTS = 200;
/** Doubles are off by less, so that what they decide by more is decided. */
const DOUBT = 2 ** -36;

/** What is known of a trial after a step. */
export interface Trial extends Step {
  readonly rectangle?: number;
  readonly column?: number;
  readonly height?: number;
  readonly accepted?: boolean;
}

/** Draws as `samplers/ziggurat.rs` does: 1 bit of sign, 24 of rectangle, 39 of column; 64 of height where it matters. */
export function trials({ edges, heights }: ZigguratFigure, sigma: number, center: bigint, tape: Tape): Story<Trial> {
  const teller = new Teller(tape);
  const steps: Trial[] = [];
  const say = (line: string, text: string, known: Omit<Trial, keyof Step>): void => void steps.push({ line, text, drawn: tape.recent.length, ...known });
  /** ⌊all·r/2^n⌋ of an n-bit draw; the r too many are drawn again. */
  const scaled = (all: bigint, r: bigint, n: bigint): bigint => {
    const product = all * r;
    const low = product & ((1n << n) - 1n);
    return low < (1n << n) % all ? below(teller, all, "the draw") : product >> n;
  };
  for (;;) {
    const negative = tape.bit() === 1;
    const first = tape.bits(24);
    const second = tape.bits(39);
    const i = Number(scaled(BigInt(edges.length - 1), first, 24n));
    const rectangle = i + 1;
    const [fast, all] = [edges[i] ?? 0, edges[i + 1] ?? 1];
    say("1", `64 bits choose a sign, ${negative ? "−" : "+"}, and rectangle ${rectangle} of ${edges.length - 1}: all have one area, so each is as likely.`, { rectangle });
    const column = Number(scaled(BigInt(all), second, 39n));
    say("2", `And column ${column} of its ${all}.`, { rectangle, column });
    const [top, bottom] = [heights[i] ?? 0, heights[i + 1] ?? 0];
    let accepted = column < fast;
    let height: number | undefined;
    if (accepted) {
      say("2", "The whole column lies under the density: accepted, with nothing to compute.", { rectangle, column, accepted });
    } else {
      const part = Number(tape.bits(64)) / 2 ** 64;
      height = bottom + part * (top - bottom);
      const density = Math.exp(-((column / sigma) ** 2) / 2);
      if (Math.abs(height - density) < DOUBT * (top - bottom)) throw new Error("a height lies too close to the density for a picture");
      accepted = height < density;
      const verdict = accepted ? "below the density: accepted" : "above the density: rejected, throw again";
      say("3", `The column sticks out. 64 bits more choose a height in it, ${height.toFixed(4)}; exp(−x²/2σ²) is ${density.toFixed(4)}. It is ${verdict}.`, { rectangle, column, height, accepted });
    }
    if (!accepted) continue;
    const kept = column > 0 || !negative;
    if (column === 0) {
      say("4", `0 has no sign, and must not come twice as often: kept if the sign is +. It is ${kept ? "+: kept" : "−: rejected, throw again"}.`, { rectangle, column, ...(height === undefined ? {} : { height }), accepted: kept });
    }
    if (!kept) continue;
    const value = center + (negative ? -BigInt(column) : BigInt(column));
    say("4", `The sample is ${value}, from ${tape.recent.length} bits.`, { rectangle, column, ...(height === undefined ? {} : { height }), accepted });
    return { steps, bits: tape.recent.slice(), value };
  }
}

/** Draws the rectangles, and a trial as far as it is known. */
export function drawZiggurat(svg: SVGSVGElement, figure: ZigguratFigure, sigma: number, trial: Trial): void {
  const { edges, heights } = figure;
  const [left, right, width] = [44, 12, widthOf(svg, HEIGHT)];
  const columns = edges.at(-1) ?? 1;
  // The last rectangle reaches far into the tail: it is cut where the density is too low to see.
  const end = Math.min(columns, Math.max(4 * sigma, 1.15 * (edges.at(-2) ?? 0)));
  const x = linear([0, end], [left, width - right]);
  const cut = (value: number): number => x(Math.min(value, end));
  const y = linear([0, 1], [HEIGHT - 44, 26]);
  const shapes: SVGElement[] = [];
  for (const level of [0, 0.25, 0.5, 0.75, 1]) {
    shapes.push(shape("line", { class: "grid", x1: left, x2: width - right, y1: y(level), y2: y(level) }));
    shapes.push(shape("text", { class: "tick", x: left - 6, y: y(level) + 4, "text-anchor": "end" }, `${level}`));
  }
  for (let i = 1; i < edges.length; i++) {
    const [top, bottom] = [y(Math.min(1, heights[i - 1] ?? 0)), y(heights[i] ?? 0)];
    const [inner, outer] = [cut(edges[i - 1] ?? 0), cut(edges[i] ?? 0)];
    shapes.push(shape("rect", { class: "sure", x: left, y: top, width: inner - left, height: bottom - top }));
    shapes.push(shape("rect", { class: "doubt", x: inner, y: top, width: outer - inner, height: bottom - top }));
  }
  const density = Array.from({ length: POINTS + 1 }, (_, i) => {
    const value = (end * i) / POINTS;
    return [x(value), y(Math.exp(-((value / sigma) ** 2) / 2))] as const;
  });
  shapes.push(shape("path", { class: "exact", d: path(density) }));
  for (const value of nice(0, end, Math.max(3, width / 110))) {
    shapes.push(shape("text", { class: "tick", x: x(value), y: HEIGHT - 26, "text-anchor": "middle" }, numeral(value)));
  }
  shapes.push(shape("text", { class: "title", x: left - 36, y: 14 }, "density over that at the centre, exp(−x²/2σ²)"));
  shapes.push(shape("text", { class: "title", x: width - right, y: HEIGHT - 6, "text-anchor": "end" }, "distance from the centre, |x|"));
  const { rectangle = 1, column, height, accepted } = trial;
  const [top, bottom] = [y(Math.min(1, heights[rectangle - 1] ?? 0)), y(heights[rectangle] ?? 0)];
  shapes.push(shape("rect", { class: "thrown", x: left, y: top, width: cut(edges[rectangle] ?? 0) - left, height: bottom - top }));
  if (column !== undefined) {
    if (height === undefined) shapes.push(shape("line", { class: "thrown", x1: cut(column), x2: cut(column), y1: top, y2: bottom }));
    const marked = accepted === undefined ? "missed" : accepted ? "step" : "missed far";
    shapes.push(shape("circle", { class: marked, cx: cut(column), cy: height === undefined ? (top + bottom) / 2 : y(height), r: 6 }));
  }
  draw(svg, `The Ziggurat, ${edges.length - 1} rectangles under the half of the density. ${trial.text}`, shapes);
}
