/** Counts samples in cells, beside the exact law. */

import type { DiscreteGaussian, SampleArray } from "../../dist/index.js";
import { chi2 } from "./chi2.js";
import type { Cells, Snapshot } from "./protocol.js";

/** Cells reach so many σ to either side. */
const REACH = 5.5;
/** About so many cells at most. */
const MOST = 120;

/** What the cells are of a law around `center`. */
function layout(sigma: number, center: number) {
  const middle = BigInt(Math.round(center));
  const reach = Math.ceil(REACH * sigma) + 1;
  const width = Math.max(1, Math.ceil((2 * reach + 1) / MOST));
  const half = Math.ceil((reach - (width - 1) / 2) / width);
  return { first: middle - BigInt(half * width + Math.floor((width - 1) / 2)), width, number: 2 * half + 1 };
}

export function cellsOf(d: DiscreteGaussian): Cells {
  const { first, width, number } = layout(d.sigma, rational(d.certificate().center));
  const end = first + BigInt(number * width);
  const lowest = -(1n << 63n);
  const cell = (i: number) => first + BigInt(i * width);
  const inner = Array.from({ length: number }, (_, i) => (width === 1 ? d.pmf(cell(i)) : d.mass(cell(i), cell(i + 1) - 1n)));
  return { first: Number(first), width, probabilities: [d.mass(lowest, first - 1n), ...inner, d.mass(end, -lowest - 1n)] };
}

/** The law in plain doubles, to look at until the library has come. */
export function sketch(sigma: number, center: number): Cells {
  const { first, width, number } = layout(sigma, center);
  const middle = (i: number) => Number(first) + i * width + (width - 1) / 2;
  const heights = Array.from({ length: number }, (_, i) => Math.exp(-(((middle(i) - center) / sigma) ** 2) / 2));
  const sum = heights.reduce((a, b) => a + b);
  return { first: Number(first), width, probabilities: [0, ...heights.map((height) => height / sum), 0] };
}

/** A rational's text as a number. */
export function rational(text: string): number {
  const [num, den] = text.split("/");
  return Number(num) / Number(den ?? 1);
}

export class Histogram {
  readonly #cells: Cells;
  readonly #counts: Float64Array;
  readonly #middle: number;
  readonly #limit: number;
  readonly #expectedTail: number;
  #done = 0;
  #sum = 0;
  #squares = 0;
  #tail = 0;

  constructor(d: DiscreteGaussian, cells: Cells) {
    const { sigma } = d;
    const { center } = d.certificate();
    this.#cells = cells;
    this.#counts = new Float64Array(cells.probabilities.length);
    this.#middle = rational(center);
    this.#limit = 3 * sigma;
    const low = BigInt(Math.ceil(this.#middle - this.#limit));
    const high = BigInt(Math.floor(this.#middle + this.#limit));
    this.#expectedTail = Math.max(0, 1 - d.mass(low, high));
  }

  add(samples: SampleArray): void {
    const { first, width } = this.#cells;
    const last = this.#counts.length - 1;
    for (let i = 0; i < samples.length; i++) {
      const x = Number(samples[i]);
      const cell = Math.floor((x - first) / width) + 1;
      this.#counts[cell < 0 ? 0 : cell > last ? last : cell]! += 1;
      const y = x - this.#middle;
      this.#sum += y;
      this.#squares += y * y;
      if (Math.abs(y) > this.#limit) this.#tail += 1;
    }
    this.#done += samples.length;
  }

  snapshot(rate: number): Snapshot {
    const done = this.#done;
    const counts = Array.from(this.#counts);
    const shift = this.#sum / done;
    const { statistic, degrees, p } = chi2(counts, this.#cells.probabilities, done);
    return {
      done,
      counts,
      mean: this.#middle + shift,
      variance: (this.#squares - done * shift * shift) / Math.max(1, done - 1),
      tail: this.#tail / done,
      expectedTail: this.#expectedTail,
      chi2: statistic,
      degrees,
      p,
      rate,
    };
  }
}
