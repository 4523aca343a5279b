// What every toolchain is to run: each part's answer, or its error.
import { DiscreteGaussian, fillParallel, verify } from "samplez";
import { Schemes } from "samplez/schemes";

const seed = Uint8Array.from({ length: 32 }, (_, i) => 7 * i);
const options = { sigma: "3.2", seed };

/** Of a page: the files that it has loaded so far. */
const files = () => performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.startsWith("http"));

const PARTS = {
  samples: async (results) => {
    const begun = performance.now();
    const samples = Array.from((await DiscreteGaussian.create(options)).fill(new Int16Array(8)));
    results.first = performance.now() - begun;
    if (typeof document === "object" && typeof performance.getEntriesByType === "function") results.loaded = files();
    return samples;
  },
  verify: async () => (await verify((await DiscreteGaussian.create(options)).fill(new Int16Array(10_000)), { sigma: "3.2" })).n,
  schemes: async () => Array.from((await Schemes.create()).bliss({ set: "I" }).sampleNoise(4, { seed })),
  workers: async () => Array.from((await fillParallel(new Int16Array(600_000), options)).subarray(-4)),
};

export async function tried() {
  const results = {};
  for (const [name, part] of Object.entries(PARTS)) {
    try {
      const late = new Promise((_, reject) => setTimeout(() => reject(new Error("no answer in time")), 60_000).unref?.());
      results[name] = await Promise.race([part(results), late]);
    } catch (error) {
      results[name] = String(error?.message ?? error);
    }
  }
  return results;
}
