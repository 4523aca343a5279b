/** All methods at the paper's three σ, in samples per millisecond. */

import { DiscreteGaussian, methods } from "../../dist/index.js";
import { PAPER_SIGMAS } from "./paper.js";
import type { Measurement } from "./protocol.js";

/** Samples in a round: whole blocks. */
const ROUND = 8 * 8192;
const SLOW_ROUND = 8192;

/** Milliseconds of a measurement: short, so that the best of many is one without interruption, and long enough for the
 * clock, which is coarse on a page that is not isolated. */
const WINDOW = (globalThis.crossOriginIsolated ?? true) ? 4 : 15;

/** Times rounds of `fillAt` for so long, after half as long to warm up, and gives the best. Every round makes the same
 * samples; that they are samples is checked by their variance. */
export function measure(d: DiscreteGaussian, milliseconds: number): number {
  const once = performance.now();
  d.fillAt(0, new Int16Array(SLOW_ROUND));
  const slow = performance.now() - once > milliseconds / 20;
  const array = new Int16Array(slow ? SLOW_ROUND : ROUND);
  let best = 0;
  const start = performance.now();
  for (let now = start; now - start < 1.5 * milliseconds; ) {
    const from = now;
    let rounds = 0;
    do {
      d.fillAt(0, array);
      rounds++;
      now = performance.now();
    } while (now - from < WINDOW);
    if (from - start >= milliseconds / 2 || best === 0) best = Math.max(best, (rounds * array.length) / (now - from));
  }
  const variance = d.var();
  const seen = array.reduce((sum, x) => sum + x * x, 0) / array.length;
  if (Math.abs(seen / variance - 1) > 0.1) throw new Error(`the samples' variance is ${seen}, not ${variance}`);
  return best;
}

/** Each method at each σ, as they are measured. */
export async function* benchmark(milliseconds: number): AsyncGenerator<Measurement> {
  for (const { name: method } of await methods()) {
    for (const sigma of PAPER_SIGMAS) {
      try {
        const d = await DiscreteGaussian.create({ sigma, method, seed: 1 });
        yield { method, sigma, rate: measure(d, milliseconds), refusal: null };
        d.dispose();
      } catch (error) {
        yield { method, sigma, rate: null, refusal: error instanceof Error ? error.message : String(error) };
      }
    }
  }
}
