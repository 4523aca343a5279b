/** The common part of all schemes: a set, its noise, an end. */

import { DISPOSE } from "../disposable.js";
import { checkCount, checkMade, invalid } from "../errors.js";
import { checkOptions, type Seed } from "../options.js";
import { Handle } from "./handle.js";
import type { Instance } from "./instance.js";

/** The noise of a scheme. */
export interface Noise {
  /** The recipe that names it: method and precision. It makes the same noise in every language. */
  readonly recipe: string;
  /** The law, in words. */
  readonly law: string;
  /** True if the law is D_{Z,σ} itself. */
  readonly exact: boolean;
  /** The class of the running time. WebAssembly promises none: `"unpromised"` in place of native code's constant and isochronous. */
  readonly timing: "unpromised" | "variable";
  readonly table_bytes: number;
}

/** Options that every scheme takes. */
export interface SchemeOptions {
  /** The recipe of the noise, such as `"method=cdt-guided,precision=192"`. If absent, a method that is constant-time
   * in native code makes it, as precise as the set requires. */
  noise?: string | undefined;
}

/** Where the randomness of one operation comes from. */
export interface Seeded {
  /** A fresh one from `crypto.getRandomValues` if absent. From the same seed the same operation gives the same bytes,
   * in every language: two signatures by one seed reveal the key. */
  seed?: Seed | undefined;
}

/** A secret key and its public key. */
export interface Keys<Secret, Public> {
  readonly secretKey: Secret;
  readonly publicKey: Public;
}

/** A scheme with its set and its noise. */
export abstract class Scheme {
  protected readonly handle: Handle;
  /** The set's name. */
  readonly set: string;
  readonly noise: Noise;

  protected constructor(instance: Instance, scheme: string, set: string, options: object) {
    checkMade(this, true, scheme);
    const { handle, noise } = JSON.parse(instance.open(request({ ...options, scheme, set })));
    this.handle = new Handle(instance, handle, scheme);
    this.set = set;
    this.noise = Object.freeze(noise);
  }

  /** So many samples of the scheme's noise. */
  sampleNoise(count: number, options: Seeded = {}): Int32Array {
    const seed = seedOf(arguments, 2, options);
    if (!Number.isInteger(count) || count < 0 || count > MOST) {
      throw invalid("out-of-range", "count", count, `an integer between 0 and ${MOST}`);
    }
    return this.handle.instance.draw(this.handle.number, count, seed);
  }

  /** Drops the noise's table. Keys of the scheme can still verify and decrypt. */
  dispose(): void {
    this.handle.close();
  }

  [DISPOSE](): void {
    this.dispose();
  }
}

/** Samples that the module makes at a time. */
const MOST = 1 << 24;

/** Lines of `key<TAB>value`, as the module reads them. */
function request(options: Record<string, unknown>): string {
  const lines = Object.entries(options).map(([key, value]) => {
    if (value === undefined) return "";
    if (typeof value !== "string") throw invalid("type", key, value, "a text");
    if (/[\t\r\n]/.test(key + value)) throw invalid("other", key, value, "one line without tabs");
    return `${key}\t${value}\n`;
  });
  return lines.join("");
}

/** The seed of an operation whose options are the last of its arguments. */
export function seedOf(given: ArrayLike<unknown>, most: 1 | 2, options: Seeded): Seed | undefined {
  checkCount(given, most);
  checkOptions("options", options, ["seed"]);
  return options.seed;
}

/** A key in the module. */
export abstract class Key {
  protected readonly handle: Handle;

  protected constructor(handle: Handle) {
    checkMade(this, true, "");
    this.handle = handle;
  }

  /** The key's encoding. */
  toBytes(): Uint8Array {
    return this.handle.instance.write(this.handle.number);
  }

  /** Drops the key, and wipes it if it is secret. */
  dispose(): void {
    this.handle.close();
  }

  [DISPOSE](): void {
    this.dispose();
  }
}
