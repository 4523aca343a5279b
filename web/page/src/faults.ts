/** Samplers that are wrong on purpose, for lessons: each is the library's own, with one thing broken. */

import { knuthYaoFigure } from "../../dist/figures.js";
import { DiscreteGaussian, TableNoise, type Law } from "../../dist/index.js";
import { Bits, type Tape } from "./chacha.js";
import type { Fault } from "./fault-sizes.js";
import { walk } from "./walk.js";

/** A tape of the seed's bits, of which sixteen make a coin that falls 1 with a probability that you choose. */
export class BiasedBits {
  readonly #bits: Bits;
  readonly #ones: bigint;
  drawn = 0;
  recent: number[] = [];

  constructor(seed: string, percent: number) {
    this.#bits = new Bits(seed);
    this.#ones = BigInt(Math.round((percent / 100) * 65_536));
  }

  bit(): 0 | 1 {
    const value = this.#bits.bits(16);
    this.#bits.mark();
    const bit = value < this.#ones ? 1 : 0;
    this.drawn++;
    this.recent.push(bit);
    return bit;
  }

  bits(n: number): bigint {
    let value = 0n;
    for (let i = 0n; i < n; i++) value |= BigInt(this.bit()) << i;
    return value;
  }

  mark(): void {
    this.recent = [];
  }
}

/** The inversion table of a law around an integer, with so many binary places: P(|X − c| > k), rounded down. */
export function tableOf(d: DiscreteGaussian, center: bigint, places: number): bigint[] {
  const entries: bigint[] = [];
  // From the far end, where what is left out is far below the last place; a double is enough for as few places.
  let beyond = 0;
  for (let k = BigInt(Math.ceil(8 * d.sigma) + 8); k >= 0n; k--) {
    const entry = BigInt(Math.floor(beyond * 2 ** places));
    if (entry > 0n || k === 0n) entries.push(entry);
    beyond += 2 * d.pmf(center + k);
  }
  return entries.reverse();
}

/** Samples of a law by a sampler with this fault. */
export async function broken(fault: Fault, size: number, law: string, seed: string, count: number): Promise<Int32Array> {
  const d = await DiscreteGaussian.create({ recipe: law, seed });
  const center = BigInt(/(?:^|,)center=(-?\d+)/.exec(law)?.[1] ?? 0);
  const samples = new Int32Array(count);
  try {
    if (fault === "seed") {
      const part = d.fillAt(0, new Int32Array(Math.min(size, count)));
      for (let at = 0; at < count; at += part.length) samples.set(part.subarray(0, Math.min(part.length, count - at)), at);
    } else if (fault === "table") {
      const width = law.split(",")[0]?.split("=") ?? [];
      const camel = (width[0] ?? "").replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
      const noise = await TableNoise.create({ [camel]: width[1], center: String(center), entries: tableOf(d, center, size), form: `folded,tail,${size}`, seed } as never);
      noise.fill(samples);
      noise.dispose();
    } else {
      const figure = await knuthYaoFigure({ recipe: `${law},method=knuth-yao,precision=64` } as unknown as Law);
      const tape: Tape = new BiasedBits(seed, size);
      for (let i = 0; i < count; i++) samples[i] = Number(walk(figure, figure.folded ? center : 0n, tape).value);
    }
  } finally {
    d.dispose();
  }
  return samples;
}
