/** The faults of the lesson «Break it», and how grave each may be. */

export const FAULTS = ["table", "seed", "coin"] as const;
export type Fault = (typeof FAULTS)[number];

/** What a fault's size is, from harmless to fatal, and how it is told. */
export const SIZES: Readonly<Record<Fault, { readonly values: readonly number[]; readonly begin: number; tell(size: number): string }>> = {
  table: { values: [32, 24, 16, 14, 12, 10, 9, 8, 7, 6, 5, 4, 3], begin: 9, tell: (bits) => `probabilities cut to ${bits} binary places` },
  seed: { values: [100_000, 50_000, 20_000, 10_000, 5000, 2000, 1000, 500, 200, 100], begin: 3, tell: (length) => `the same seed again after ${length.toLocaleString("en")} samples` },
  coin: { values: [50, 50.1, 50.2, 50.5, 51, 52, 53, 55, 60, 70], begin: 6, tell: (percent) => `each coin is 1 in ${percent} % of its tosses` },
};

/** The law of the lessons: the width of what is shown, at most this, around an integer. */
export const WIDEST = 1000;

/** How many samples a lesson draws at most: each walk with biased coins is told step by step. */
export const MOST: Readonly<Record<Fault, number>> = { table: 100_000, seed: 100_000, coin: 20_000 };
