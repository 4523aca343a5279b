/** A sampler in a worker. */

import { copy, typeOf, wipe, type SampleArray } from "./arrays.js";
import type { Certificate, Plan } from "./certificate.js";
import { chunks, readable, type ChunkOptions } from "./chunks.js";
import { DISPOSE } from "./disposable.js";
import { checkCount, checkMade, SamplezError } from "./errors.js";
import { load } from "./instance.js";
import { address, checkEnd, type Integer } from "./integers.js";
import type { SourceName } from "./name-types.js";
import { checkOptions, checkSignal, request, workerSeed, type Options } from "./options.js";
import { checkProgress, type Progress } from "./progress.js";
import { answerOf, TASK, type Made } from "./tasks.js";
import { startWorker, type Connection } from "./threads.js";

/**
 * A {@link DiscreteGaussian} in a worker, which builds its table and draws its samples. Your thread goes on.
 *
 * ```js
 * const onProgress = (done, of) => console.log(`${Math.floor((100 * done) / of)} %`);
 * const d = await WorkerGaussian.create({ sigma: "1e4", method: "cdt" }, { signal: AbortSignal.timeout(60_000), onProgress });
 * const noise = await d.fill(new Int32Array(1e6));
 * d.dispose();
 * ```
 */
export class WorkerGaussian {
  readonly #worker: Connection;
  readonly #made: Made;
  #position = 0n;
  /** The call before, which the next one waits for. */
  #last: Promise<unknown> = Promise.resolve();
  #end: (error: Error) => void = () => {};
  readonly #ended: Promise<never>;
  #open = true;

  private constructor(worker: Connection, made: Made) {
    checkMade(this, typeof worker?.ask === "function", "WorkerGaussian");
    this.#worker = worker;
    this.#made = made;
    this.#ended = new Promise((_, reject) => (this.#end = reject));
    this.#ended.catch(() => {});
  }

  /** Starts a worker and builds a sampler there, as `DiscreteGaussian.create` does, with the same `onProgress`. An abort stops the worker, in the middle of a table too. */
  static async create(options: Options, control: { signal?: AbortSignal | undefined; onProgress?: Progress | undefined } = {}): Promise<WorkerGaussian> {
    checkCount(arguments, 2);
    request(options);
    checkOptions("control", control, ["signal", "onProgress"]);
    const { signal, onProgress } = control;
    checkSignal(signal);
    checkProgress(onProgress);
    signal?.throwIfAborted();
    const { module } = await load(options.simd, options.module);
    const seed = workerSeed(options);
    signal?.throwIfAborted();
    const worker = startWorker();
    try {
      const reply = answerOf(await until(signal, worker.ask({ ...options, seed, module }, onProgress)));
      return new WorkerGaussian(worker, (reply as { made: Made }).made);
    } catch (error) {
      worker.stop();
      throw error;
    }
  }

  /** The method in use and, if the planner chose it, the reason. */
  get plan(): Plan {
    return this.#made.plan;
  }

  /** The recipe that names the method and the options in use. */
  get recipe(): string {
    return this.#made.recipe;
  }

  /** The width σ as a double. */
  get sigma(): number {
    return this.#made.sigma;
  }

  /** The least and the largest value to expect. */
  get typical(): readonly [bigint, bigint] {
    return this.#made.typical;
  }

  /** The name of the source of random bits. */
  get source(): SourceName {
    return this.#made.source;
  }

  /** The address of the next sample of {@link fill}, calls that are under way counted. */
  get position(): bigint {
    return this.#position;
  }

  /** The law, its distance from the ideal one, and its cost. */
  certificate(): Certificate {
    return this.#made.certificate;
  }

  /** Fills the array with the samples number `first`, `first + 1`, …. After an abort its contents are unspecified. */
  async fillAt<T extends SampleArray>(first: Integer, array: T, options: { signal?: AbortSignal | undefined } = {}): Promise<T> {
    checkCount(arguments, 3);
    return this.#fill(address(first), array, options);
  }

  /** Fills the array with the next samples, as `DiscreteGaussian.fill` does. If the array is refused, `position` is as before, unless another
   * `fill` has begun since. */
  async fill<T extends SampleArray>(array: T, options: { signal?: AbortSignal | undefined } = {}): Promise<T> {
    checkCount(arguments, 2);
    typeOf("array", array);
    const first = this.#position;
    const filled = this.#fill(first, array, options);
    const end = (this.#position += BigInt(array.length));
    return filled.catch((error) => {
      // An aborted fill may have given samples already.
      if (error instanceof SamplezError && this.#position === end) this.#position = first;
      throw error;
    });
  }

  /** The next samples in chunks, as `DiscreteGaussian.chunks` gives them. */
  chunks<T extends SampleArray = SampleArray>(options: ChunkOptions<T> = {}): AsyncGenerator<T, void, undefined> {
    checkCount(arguments, 1);
    return chunks<T>(this.typical, (array) => this.fill(array), options);
  }

  /** The same as a stream, as `DiscreteGaussian.readable` gives it. */
  readable<T extends SampleArray = SampleArray>(options: ChunkOptions<T> = {}): ReadableStream<T> {
    checkCount(arguments, 1);
    return readable(this.chunks<T>(options));
  }

  /** Stops the worker. Calls that are under way fail. */
  dispose(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#worker.stop();
    this.#end(gone());
  }

  /** `dispose()`, which `using` calls at the end of a block. */
  [DISPOSE](): void {
    this.dispose();
  }

  /** The recipe, and nothing of the seed. */
  toString(): string {
    return `WorkerGaussian(${this.recipe})`;
  }

  /** Returns the options with which `create` makes the same sampler with another seed: the recipe and the source. */
  toJSON(): { recipe: string; source: SourceName } {
    return { recipe: this.recipe, source: this.source };
  }

  async #fill<T extends SampleArray>(first: bigint, array: T, options: { signal?: AbortSignal | undefined }): Promise<T> {
    if (!this.#open) throw gone();
    checkOptions("options", options, ["signal"]);
    const { signal } = options;
    checkSignal(signal);
    typeOf("array", array);
    checkEnd(first, array.length);
    const before = this.#last;
    const work = before.then(async () => {
      for (let at = 0; at < array.length || at === 0; at += TASK) {
        signal?.throwIfAborted();
        const length = Math.min(TASK, array.length - at);
        const asked = this.#worker.ask({ first: first + BigInt(at), length, bytes: array.BYTES_PER_ELEMENT });
        const reply = answerOf(await Promise.race([asked, this.#ended]));
        if ("samples" in reply) {
          copy(reply.samples, 0, reply.samples.length, array, at);
          wipe(reply.samples);
        }
      }
    });
    this.#last = work.catch(() => {});
    await until(signal, work);
    return array;
  }
}

const gone = (): Error => new SamplezError("disposed", "this WorkerGaussian has been disposed of");

/** A promise, unless the signal comes first. */
async function until<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => signal.addEventListener("abort", (abort = () => reject(signal.reason))));
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
