/** The messages between a thread and its workers. */

import type { SampleArray } from "./arrays.js";
import type { Description } from "./certificate.js";
import { SamplezError, type ErrorCode } from "./errors.js";

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

/** An error, without what no message carries. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
}

/** A worker's answer to its options, and then to each task. */
export type Reply = { made: Made } | { samples: SampleArray } | { error: Failure };

/** The answer, unless it is an error. */
export function answerOf(reply: Reply): Exclude<Reply, { error: Failure }> {
  if ("error" in reply) throw new SamplezError(reply.error.code, reply.error.message);
  return reply;
}
