/** What is said between a thread and its workers. */

import type { SampleArray } from "./arrays.js";
import type { Description } from "./certificate.js";

/** Samples of a task: whole blocks. */
export const TASK = 32 * 8192;

/** A part of the array. */
export interface Task {
  readonly first: bigint;
  readonly length: number;
  readonly bytes: number;
}

/** A sampler that a worker has made. */
export type Made = Description;

/** What a worker answers to its options, and then to each task. */
export type Reply = { made: Made } | { samples: SampleArray } | { error: string };

/** The answer, unless it is an error. */
export function answerOf(reply: Reply): Exclude<Reply, { error: string }> {
  if ("error" in reply) throw new Error(reply.error);
  return reply;
}
