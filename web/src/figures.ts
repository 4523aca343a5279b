/** Pictures of tables, as data: the very integers that the samplers use. */

import { Instance } from "./instance.js";
import type { ModuleOptions } from "./module.js";
import { checkOptions, request, type Law } from "./options.js";

/** The Ziggurat's rectangles, all of one area. Rectangle i = 1 … m has the columns 0 … `edges[i]` - 1. It reaches from
 * `heights[i]` up to `heights[i - 1]`, where the density at 0 is 1. */
export interface ZigguratFigure {
  readonly edges: readonly number[];
  readonly heights: readonly number[];
}

/** The first columns of the probability matrix. */
export interface KnuthYaoFigure {
  /** Whether the values are distances from the centre, of two signs. */
  readonly folded: boolean;
  readonly rows: number;
  readonly expectedBits: number;
  /** How many values have a probability with the bit of weight 2^-(i+1): the leaves of level i + 1 of the walk. */
  readonly leaves: readonly number[];
  /** These values, at most 4096 of them. */
  readonly columns: readonly (readonly number[])[];
}

async function figure(kind: number, law: Law, options: ModuleOptions) {
  const text = request(law);
  checkOptions("options", options, ["module"]);
  return JSON.parse((await Instance.create(undefined, options.module)).figure(kind, text));
}

/** The Ziggurat of a law. */
export const zigguratFigure = (law: Law, options: ModuleOptions = {}): Promise<ZigguratFigure> => figure(0, law, options);

/** The first levels of the Knuth–Yao walk of a law. */
export const knuthYaoFigure = (law: Law, options: ModuleOptions = {}): Promise<KnuthYaoFigure> => figure(1, law, options);
