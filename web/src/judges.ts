/** Judges in workers. Each takes in all values, and has a share of the tests. */

import { wipe, type SampleArray } from "./arrays.js";
import { asSamples, bigInts, checkAttached, checkIntegers, CHUNK, isNumbers, readingOf, type Integers, type Reading, type UnsignedArray } from "./judge.js";
import { answerOf, type Judgement } from "./tasks.js";
import { startWorker, type Connection } from "./threads.js";

/** The most shares: the library's `MAX_SHARES`. */
const MOST = 8;
/** Values of a message. */
const MESSAGE = 4 * CHUNK;

export class Judges {
  readonly #module: WebAssembly.Module;
  readonly #workers: Connection[] = [];
  /** The task before. The next values are made ready while the workers have these. */
  #last: Promise<unknown> = Promise.resolve();
  #reading: Reading = {};

  constructor(module: WebAssembly.Module, threads: number) {
    this.#module = module;
    try {
      while (this.#workers.length < Math.min(threads, MOST)) this.#workers.push(startWorker());
    } catch (error) {
      this.wipe();
      throw error;
    }
  }

  /** Judges by a law, modulo q if there is one. */
  async open(law: string, modulus: bigint | undefined): Promise<void> {
    const [answer] = (await this.#begin(law)) as string[];
    this.#reading = readingOf(answer ?? "", modulus);
  }

  /** Judges two samples that begin so. */
  async compare(first: BigInt64Array, second: BigInt64Array): Promise<void> {
    await this.#begin([first, second].map((head) => head.slice()) as [BigInt64Array, BigInt64Array]);
    wipe(first);
    wipe(second);
  }

  /** Takes in values of the first (0) or the second sample. */
  async take(name: string, values: Integers, sample: 0 | 1): Promise<void> {
    checkIntegers(name, values);
    if (!Array.isArray(values)) checkAttached(name, values as SampleArray);
    for (let start = 0; start < values.length; start += MESSAGE) {
      const length = Math.min(MESSAGE, values.length - start);
      const part = isNumbers(values)
        ? bigInts(name, values, start, length, this.#reading)
        : asSamples(name, values as SampleArray | UnsignedArray, start, length, this.#reading).slice();
      await this.#last;
      this.#last = this.#all(() => ({ values: part, sample }));
      this.#last.catch(() => {});
      wipe(part); // each worker has a copy
    }
  }

  /** The verdict, as JSON. */
  async report(): Promise<string> {
    await this.#last;
    const [first, ...others] = this.#workers as [Connection, ...Connection[]];
    const shares = (await Promise.all(others.map((worker) => asked(worker, { end: true })))) as BigUint64Array[];
    return (await asked(first, { shares })) as string;
  }

  /** Stops the workers, and their memory goes with them. */
  wipe(): void {
    for (const worker of this.#workers) worker.stop();
  }

  #begin(law: string | readonly [BigInt64Array, BigInt64Array]): Promise<unknown[]> {
    return this.#all((share) => ({ module: this.#module, law, share, of: this.#workers.length }));
  }

  #all(task: (share: number) => Judgement): Promise<unknown[]> {
    return Promise.all(this.#workers.map((worker, share) => asked(worker, task(share))));
  }
}

async function asked(worker: Connection, judge: Judgement): Promise<BigUint64Array | string | undefined> {
  const reply = answerOf(await worker.ask({ judge }));
  return "judged" in reply ? reply.judged : undefined;
}
