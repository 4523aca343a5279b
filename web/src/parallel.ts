import { freshSeed } from "./entropy.js";
import { copy, typeOf, wipe, type SampleArray } from "./arrays.js";
import { DiscreteGaussian } from "./gaussian.js";
import { address, checkEnd, type Integer } from "./integers.js";
import { checkOptions, request, type Options } from "./options.js";
import { shown } from "./shown.js";
import type { Reply, Task } from "./tasks.js";
import { startWorker, type Connection } from "./threads.js";

/** How {@link fillParallel} goes about it. */
export interface ParallelOptions {
  /** The address of the array's first sample; 0 if absent. */
  first?: Integer;
  /** The number of workers; as many as the machine has processors if absent. */
  workers?: number;
  /** Called as samples arrive, with their number and that of all. */
  onProgress?: (done: number, of: number) => void;
  /** Aborts the work: the promise is rejected with the signal's reason, and the array's contents are unspecified. */
  signal?: AbortSignal;
}

/** Samples of a task: whole blocks. */
const TASK = 32 * 8192;

/**
 * Fills the array by workers: with the same integers, for any number of them, as
 * {@link DiscreteGaussian.fillAt} would with the same seed.
 */
export async function fillParallel<T extends SampleArray>(
  array: T,
  options: Options,
  parallel: ParallelOptions = {},
): Promise<T> {
  checkOptions("parallel", parallel, ["first", "workers", "onProgress", "signal"]);
  const { onProgress, signal } = parallel;
  if (onProgress !== undefined && typeof onProgress !== "function") throw new TypeError("onProgress: must be a function");
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw new TypeError("signal: must be an AbortSignal");
  signal?.throwIfAborted();
  typeOf("array", array);
  request(options);
  const first = address(parallel.first ?? 0);
  checkEnd(first, array.length);
  const wanted = parallel.workers ?? globalThis.navigator?.hardwareConcurrency ?? 2;
  if (!Number.isInteger(wanted) || wanted < 1) throw new RangeError(`workers = ${shown(wanted)}: must be an integer from 1 on`);
  // Every worker has the one seed; a mistake in the options is found before there is any.
  const seed = options.seed === undefined ? freshSeed() : options.seed;
  const shared: Options = { ...options, seed };
  const checked = await DiscreteGaussian.create(shared);
  checked.fillAt(first, array.subarray(0, 0));
  checked.dispose();

  const starts: number[] = [];
  for (let at = 0; at < array.length; at += TASK - Number((first + BigInt(at)) % BigInt(TASK))) starts.push(at);
  let next = 0;
  let done = 0;
  const workers: Connection[] = [];
  const run = async (): Promise<void> => {
    const worker = startWorker();
    workers.push(worker);
    check(await worker.ask(shared));
    for (let i = next++; i < starts.length; i = next++) {
      const at = starts[i]!;
      const length = (starts[i + 1] ?? array.length) - at;
      const task: Task = { first: first + BigInt(at), length, bytes: array.BYTES_PER_ELEMENT };
      const reply = check(await worker.ask(task));
      if ("samples" in reply) {
        copy(reply.samples, array, at);
        wipe(reply.samples);
      }
      done += length;
      onProgress?.(done, array.length);
    }
  };
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal?.reason);
    signal?.addEventListener("abort", abort);
  });
  try {
    const runs = Array.from({ length: Math.min(wanted, starts.length) }, run);
    await Promise.race([Promise.all(runs), aborted]);
    return array;
  } finally {
    signal?.removeEventListener("abort", abort);
    for (const worker of workers) worker.stop();
  }
}

function check(reply: Reply): Reply {
  if ("error" in reply) throw new Error(reply.error);
  return reply;
}
