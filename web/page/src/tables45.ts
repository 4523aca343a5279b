/** [JSDGS17]'s Tables 4 and 5 in this engine: BLISS-II, and the time that sampling takes in its three schemes. */

import { Schemes, type Bliss } from "../../dist/schemes/index.js";
import type { SchemeTime } from "./protocol.js";

/** The default; the fastest; what the paper takes. */
const NOISES = ["", "method=cdt-guided", "method=knuth-yao-compact"];

/** Milliseconds of a window: long enough for the clock, which is coarse on a page that is not isolated. */
const WINDOW = (globalThis.crossOriginIsolated ?? true) ? 4 : 15;

/** The median over windows of the mean time of a call, for so long, after half as long to warm up. */
function median(milliseconds: number, call: () => void): number {
  const times: number[] = [];
  const start = performance.now();
  for (let now = start; now - start < 1.5 * milliseconds || times.length === 0; ) {
    const from = now;
    let calls = 0;
    do {
      call();
      calls++;
      now = performance.now();
    } while (now - from < WINDOW);
    if (now - start > milliseconds / 2) times.push((now - from) / calls);
  }
  times.sort((a, b) => a - b);
  return times[times.length >> 1]!;
}

/** That these are samples of this σ, within 10 % of the variance. */
function check(samples: Int32Array, sigma: number): void {
  const variance = samples.reduce((sum, x) => sum + x * x, 0) / samples.length;
  if (Math.abs(variance / sigma ** 2 - 1) > 0.1) throw new Error(`the samples' variance is ${variance}, not ${sigma ** 2}`);
}

/** Each row of the tables as it is measured. */
export async function* measureSchemes(milliseconds: number): AsyncGenerator<SchemeTime> {
  const schemes = await Schemes.create();
  for (const [i, option] of NOISES.entries()) {
    const noise = option === "" ? {} : { noise: option };
    const signer = option === "" ? "isochronous" : "plain";
    const bliss = schemes.bliss({ set: "II", signer, ...noise });
    const { secretKey, publicKey } = bliss.keygen();
    const message = new TextEncoder().encode("[JSDGS17], Table 4");
    const row4 = { table: 4, set: "BLISS-II, B" } as const;
    if (i === 0) {
      yield { ...row4, what: "keys", noise: "", paper: 130.33, milliseconds: median(milliseconds, () => drop(bliss.keygen())) };
    }
    const { signature } = secretKey.sign(message);
    if (!publicKey.verify(message, signature)) throw new Error("a signature does not verify");
    const { recipe } = bliss.noise;
    yield { ...row4, what: `sign, ${signer}`, noise: recipe, paper: 3.196, milliseconds: median(milliseconds, () => void secretKey.sign(message)) };
    if (i === 0) {
      const verify = median(milliseconds, () => void publicKey.verify(message, signature));
      yield { ...row4, what: "verify", noise: "", paper: 0.211, milliseconds: verify };
    }
    const regev = schemes.regev({ set: "jsdgs17-256", ...noise });
    const lp11 = schemes.lp11({ set: "matrix-256", ...noise });
    const sampled = [
      ["1024 samples: an attempt to sign", bliss, 1024, 107.0145, 1.18],
      ["256·4972 samples: Regev's keys", regev, 256 * 4972, 55.5649, 910.59],
      ["2·256·128 samples: LP11's keys", lp11, 2 * 256 * 128, 3.33117, 3.57],
      ["640 samples: LP11's encryption", lp11, 640, 3.33117, 0.065],
    ] as const;
    for (const [what, scheme, count, sigma, paper] of sampled) {
      check(scheme.sampleNoise(Math.max(count, 65_536)), sigma);
      const time = median(milliseconds, () => void scheme.sampleNoise(count));
      yield { table: 5, what, set: scheme.set, noise: scheme.noise.recipe, paper, milliseconds: time };
    }
    for (const scheme of [bliss, regev, lp11]) scheme.dispose();
  }
  schemes.dispose();
}

function drop({ secretKey, publicKey }: ReturnType<Bliss["keygen"]>): void {
  secretKey.dispose();
  publicKey.dispose();
}
