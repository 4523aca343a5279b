/** Samples in chunks: as an async iterator, and as a ReadableStream. */

import { narrowest, sampleType, type SampleArray } from "./arrays.js";
import { invalid, notNumber } from "./errors.js";
import { integer, type Integer } from "./integers.js";
import { checkOptions, checkSignal } from "./options.js";

/** The options of `chunks` and `readable`. */
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
  const { length = 65536, type, ...others } = options;
  const pieces = checkPieces({ length, ...others }, 2 ** 30);
  const make = (type === undefined ? narrowest(typical) : sampleType("type", type)) as unknown as new (length: number) => T;
  return drawn((length) => fill(new make(length)), pieces);
}

/** The length of a chunk, the number of all samples and the signal. */
interface Pieces {
  readonly length: bigint;
  readonly count: bigint | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Checks the options that all chunks have. */
export function checkPieces({ length, count, signal }: { length: number; count?: Integer | undefined; signal?: AbortSignal | undefined }, most: number): Pieces {
  if (!Number.isInteger(length) || length < 1 || length > most) throw notNumber("length", length, `an integer from 1 to 2^${Math.log2(most)}`);
  if (count === Infinity) throw invalid("out-of-range", "count", count, "an integer; leave it out for no end");
  const all = count === undefined ? undefined : integer("count", count);
  if (all !== undefined && all < 0n) throw invalid("out-of-range", "count", all, "0 or more");
  checkSignal(signal);
  return { length: BigInt(length), count: all, signal };
}

/** Chunks that `draw` draws one after the other, each when it is asked for. */
export async function* drawn<T>(draw: (length: number) => T | Promise<T>, { length, count, signal }: Pieces): AsyncGenerator<T, void, undefined> {
  let since = performance.now();
  for (let left = count ?? length; left > 0n; left -= count === undefined ? 0n : length) {
    signal?.throwIfAborted();
    if (performance.now() - since > TURN) {
      await new Promise((resolve) => setTimeout(resolve));
      since = performance.now();
      signal?.throwIfAborted();
    }
    yield await draw(Number(left < length ? left : length));
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
