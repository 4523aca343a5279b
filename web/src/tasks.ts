/** The messages between a thread and its workers. */

import type { SampleArray } from "./arrays.js";
import type { Description } from "./certificate.js";
import { SamplezError, type ErrorKind } from "./errors.js";
import type { Options } from "./options.js";

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
  readonly kind: ErrorKind;
  readonly message: string;
}

/** What a worker of `verify` is asked for: to begin, with one of `of` shares; to take in values; for its share; for the report. */
export type Judgement =
  | { module: WebAssembly.Module; law: string | readonly [BigInt64Array, BigInt64Array]; share: number; of: number }
  | { values: SampleArray; sample: 0 | 1 }
  | { end: true }
  | { shares: readonly BigUint64Array[] };

/** What a worker is asked. */
export type Request = Options | Task | { judge: Judgement };

/** A worker's answer to its options, and then to each task. Before it there may be reports of progress. */
export type Reply =
  | { made: Made }
  | { samples: SampleArray }
  | { judged: BigUint64Array | string | undefined }
  | { progress: [done: number, of: number] }
  | { error: Failure };

/** The answer, unless it is an error. */
export function answerOf(reply: Reply): Exclude<Reply, { error: Failure }> {
  if ("error" in reply) throw new SamplezError(reply.error.kind, reply.error.message);
  return reply;
}
