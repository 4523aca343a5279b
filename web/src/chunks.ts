/** Samples in chunks: as an async iterator, and as a ReadableStream. */

import { narrowest, sampleType, type SampleArray } from "./arrays.js";
import { SamplezError } from "./errors.js";
import { integer, type Integer } from "./integers.js";
import { checkOptions, checkSignal } from "./options.js";
import { shown } from "./shown.js";

/** How `chunks` and `readable` go about it. */
export interface ChunkOptions<T extends SampleArray = SampleArray> {
  /** The number of samples in a chunk; 65536 if absent. The last may have fewer. */
  length?: number | undefined;
  /** The number of all samples; if absent there is no end. */
  count?: Integer | undefined;
  /** The type of the chunks, such as `Int16Array`; the narrowest that holds the distribution if absent. */
  type?: (new (length: number) => T) | undefined;
  /** Ends the work between two chunks with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Milliseconds for which nothing else of the thread runs. */
const TURN = 16;

/** Chunks that `fill` fills one after the other, each a new array, when it is asked for. Options are checked before the first. */
export function chunks<T extends SampleArray>(
  typical: readonly [bigint, bigint],
  fill: (array: T) => T | Promise<T>,
  options: ChunkOptions<T>,
): AsyncGenerator<T, void, undefined> {
  checkOptions("options", options, ["length", "count", "type", "signal"]);
  const { length = 65536, count, type, signal } = options;
  if (!Number.isInteger(length) || length < 1 || length > 2 ** 30) throw new SamplezError("range", `length = ${shown(length)}: must be an integer from 1 to 2^30`);
  const all = count === undefined ? undefined : integer("count", count);
  if (all !== undefined && all < 0n) throw new SamplezError("range", `count = ${all}: must be 0 or more`);
  checkSignal(signal);
  const make = (type === undefined ? narrowest(typical) : sampleType("type", type)) as unknown as new (length: number) => T;
  return drawn(make, fill, BigInt(length), all, signal);
}

async function* drawn<T extends SampleArray>(
  type: new (length: number) => T,
  fill: (array: T) => T | Promise<T>,
  length: bigint,
  count: bigint | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  let since = performance.now();
  for (let left = count ?? length; left > 0n; left -= count === undefined ? 0n : length) {
    signal?.throwIfAborted();
    if (performance.now() - since > TURN) {
      await new Promise((resolve) => setTimeout(resolve));
      since = performance.now();
      signal?.throwIfAborted();
    }
    yield await fill(new type(Number(left < length ? left : length)));
  }
}

/** The same as a stream, which draws a chunk when its reader asks for one, and none ahead. */
export function readable<T extends SampleArray>(chunks: AsyncGenerator<T, void, undefined>): ReadableStream<T> {
  return new ReadableStream<T>(
    {
      pull: async (controller) => {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value as T);
      },
      cancel: async () => void (await chunks.return()),
    },
    { highWaterMark: 0 },
  );
}
