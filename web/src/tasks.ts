/** What is said between `fillParallel` and its workers. */

import type { SampleArray } from "./arrays.js";

/** A part of the array. */
export interface Task {
  readonly first: bigint;
  readonly length: number;
  readonly bytes: number;
}

/** What a worker answers to its options, and then to each task. */
export type Reply = { ready: true } | { samples: SampleArray } | { error: string };
