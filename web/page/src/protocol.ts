/** What the page and its worker say to each other. */

import type { KnuthYaoFigure, ZigguratFigure } from "../../dist/figures.js";
import type { Certificate, Method, Options, Plan, Source } from "../../dist/index.js";
import type { Shown } from "./code.js";
import type { Fault } from "./fault-sizes.js";

/** What is walked through; of the coins there is no table to show. */
export interface Figures {
  readonly ziggurat: ZigguratFigure;
  readonly walk: KnuthYaoFigure;
  readonly coins: undefined;
}
export type Walk = keyof Figures;

/** The number of a task that takes time. The page shows the end of the last one only. */
export type Task = number;

export type Question =
  | { type: "names" }
  | { type: "run"; task: Task; options: Options; seed: string; count: number; slowly: boolean; address: string | undefined }
  | { type: "walk"; walk: Walk; recipe: string; seed: string }
  | { type: "break"; fault: Fault; size: number; law: string; seed: string; count: number }
  | { type: "benchmark"; task: Task; milliseconds: number }
  | { type: "abort" };

export type Answer =
  | { type: "names"; methods: Method[]; sources: Source[] }
  | { type: "building"; share: number }
  | { type: "built"; plan: Plan; certificate: Certificate; moments: Moments; cells: Cells; simd: boolean; shown: Shown; address: string | undefined }
  | { type: "progress"; snapshot: Snapshot; last: boolean }
  | { type: "walk"; walk: Walk; recipe: string; seed: string; figure: Figures[Walk]; samples: readonly string[] }
  | { type: "no walk"; walk: Walk; why: string }
  | Broken
  | { type: "measured"; row: Measurement }
  | { type: "done"; task: Task; aborted: boolean }
  | { type: "error"; task: Task | undefined; message: string };

/** What came of a sampler that was broken, or why there is nothing. */
export type Broken = { type: "broken"; fault: Fault; size: number; law: string; seed: string } & (
  | { why: string }
  | { why?: undefined; cells: Cells; snapshot: Snapshot; verdict: Verdict }
);

/** The tests that reject, the strictest first, of so many families; the error of σ that would have been seen half of the time. */
export interface Verdict {
  readonly consistent: boolean;
  readonly families: number;
  readonly rejected: readonly { readonly name: string; readonly p: number }[];
  readonly power: number | null;
}

/** Of the ideal law. */
export interface Moments {
  readonly sigma: number;
  readonly mean: number;
  readonly variance: number;
  /** In bits. */
  readonly entropy: number;
  /** The quantiles of 2.5 and 97.5 %. */
  readonly middle: readonly [bigint, bigint];
}

/** The histogram's cells: cell i holds `width` values from `first + i * width` on; before and after them a tail. */
export interface Cells {
  readonly first: number;
  readonly width: number;
  /** Exact probabilities: the lower tail, the cells, the upper tail. */
  readonly probabilities: readonly number[];
}

export interface Snapshot {
  readonly done: number;
  readonly counts: readonly number[];
  readonly mean: number;
  readonly variance: number;
  /** The part of the samples more than 3σ from the centre, and what the law says. */
  readonly tail: number;
  readonly expectedTail: number;
  readonly chi2: number;
  readonly degrees: number;
  readonly p: number;
  /** Samples per millisecond of sampling. */
  readonly rate: number;
}

/** Samples per millisecond of a method at a σ; or why there are none. */
export interface Measurement {
  readonly method: string;
  readonly sigma: string;
  readonly rate: number | null;
  readonly refusal: string | null;
}

/** A time in milliseconds, a median, beside the paper's in Opera. */
export interface SchemeTime {
  readonly table: 4 | 5;
  readonly what: string;
  readonly set: string;
  /** The recipe of the noise; empty where there is none. */
  readonly noise: string;
  readonly paper: number;
  readonly milliseconds: number;
}
