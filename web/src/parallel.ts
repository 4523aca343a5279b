import { copy, typeOf, wipe, type SampleArray } from "./arrays.js";
import { checkCount } from "./errors.js";
import { load } from "./instance.js";
import { address, checkEnd, type Integer } from "./integers.js";
import { checkOptions, checkSignal, request, workerSeed, type Options } from "./options.js";
import { checkProgress, type Progress } from "./progress.js";
import { answerOf, TASK, type Task } from "./tasks.js";
import { checkWorkers, startWorker, type Connection } from "./threads.js";

/** The options of {@link fillParallel}. */
export interface ParallelOptions {
  /** The address of the array's first sample; 0 if absent. */
  first?: Integer | undefined;
  /** The maximum number of workers; the number of processors if absent. A worker that would not pay for its start is not started. */
  workers?: number | undefined;
  /** Called as samples arrive, with their number and that of all. */
  onProgress?: Progress | undefined;
  /** Aborts the work: the promise is rejected with the signal's reason, and the array's contents are unspecified. */
  signal?: AbortSignal | undefined;
}

/** Work in milliseconds for which one more worker is started, which costs Node half as much. */
const START = 100;

/**
 * Fills the array by workers. For any number of them the integers are those of {@link DiscreteGaussian.fillAt} with the same seed.
 */
export async function fillParallel<T extends SampleArray>(
  array: T,
  options: Options,
  parallel: ParallelOptions = {},
): Promise<T> {
  checkCount(arguments, 3);
  checkOptions("parallel", parallel, ["first", "workers", "onProgress", "signal"]);
  const { onProgress, signal } = parallel;
  checkProgress(onProgress);
  checkSignal(signal);
  signal?.throwIfAborted();
  typeOf("array", array);
  request(options);
  const first = address(parallel.first ?? 0);
  checkEnd(first, array.length);
  const wanted = checkWorkers("workers", parallel.workers ?? globalThis.navigator?.hardwareConcurrency ?? 2);
  // Every worker has the one seed, and the one module, which is compiled once.
  const seed = workerSeed(options);
  const { module } = await load(options.simd, options.module);
  signal?.throwIfAborted();
  const shared: Options = { ...options, seed, module };

  const starts = [0]; // of an empty array the options are checked too
  for (let at = 0; (at += TASK - Number((first + BigInt(at)) % BigInt(TASK))) < array.length; ) starts.push(at);
  let next = 0;
  let done = 0;
  const workers: Connection[] = [];
  const run = async (begun: (milliseconds: number) => void): Promise<void> => {
    const worker = startWorker();
    workers.push(worker);
    answerOf(await worker.ask(shared));
    for (let i = next++; i < starts.length; i = next++) {
      const at = starts[i]!;
      const length = (starts[i + 1] ?? array.length) - at;
      const task: Task = { first: first + BigInt(at), length, bytes: array.BYTES_PER_ELEMENT };
      const since = performance.now();
      const reply = answerOf(await worker.ask(task));
      if ("samples" in reply) {
        copy(reply.samples, 0, reply.samples.length, array, at);
        wipe(reply.samples);
      }
      done += length;
      if (length > 0) onProgress?.(done, array.length);
      if (i === 0) begun(performance.now() - since);
    }
  };
  let abort = () => {};
  let fail = (_: unknown) => {};
  const ended = new Promise<never>((_, reject) => {
    abort = () => reject(signal?.reason);
    fail = reject;
    signal?.addEventListener("abort", abort);
  });
  try {
    // The first says by its first task how many more are worth their start.
    const others: Promise<void>[] = [];
    const begun = (milliseconds: number) => {
      const worth = Math.floor((milliseconds * (starts.length - next)) / START);
      for (let more = Math.min(worth, wanted - 1, starts.length - next); more > 0; more--) others.push(run(() => {}).catch(fail));
    };
    await Promise.race([run(begun).then(() => Promise.all(others)), ended]);
    return array;
  } finally {
    signal?.removeEventListener("abort", abort);
    for (const worker of workers) worker.stop();
  }
}
