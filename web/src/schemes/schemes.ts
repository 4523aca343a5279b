import { DISPOSE } from "../disposable.js";
import { checkCount, checkMade } from "../errors.js";
import type { ModuleOptions } from "../module.js";
import { checkOptions } from "../options.js";
import { Bliss, type BlissOptions } from "./bliss.js";
import { Encryption, type Lp11Options, type RegevOptions } from "./encryption.js";
import { Instance } from "./instance.js";

/** A set of a scheme, with the field names that it has in every language. */
export interface SchemeSet {
  readonly scheme: "bliss" | "lp11" | "regev";
  readonly set: string;
  /** By the names that papers have for them: n, q, …. */
  readonly parameters: Readonly<Record<string, number>>;
  /** The law of its noise, in words. */
  readonly noise: string;
  /** The kind of problem of its security: search or decision. The noise's certificate must keep 126 of 128 bits in
   * it. */
  readonly problem: string;
  /** log2 of the samples of a lifetime, rejected attempts counted. In a search problem these may be what the certificate allows. */
  readonly samples_log2: number;
  /** About how many bits of security today's estimates leave. */
  readonly security: number;
  /** log2 of the signatures, or blocks of ciphertext, that a key may give; null if no noise limits them. */
  readonly lifetime_log2: number | null;
  /** Samples of a signature by variant, rejected attempts counted; or of a key and of a block. Means. */
  readonly samples: Readonly<Record<string, number>>;
  /** The unit that fails, and how often; null for signatures. */
  readonly failure: { readonly of: string; readonly rate: number } | null;
}

/**
 * Schemes on top of the samplers, for research and teaching: their parameters are older than today's estimates of attacks. In
 * production use ML-KEM, ML-DSA or FN-DSA.
 *
 * ```js
 * const schemes = await Schemes.create();
 * const { secretKey, publicKey } = schemes.bliss({ set: "I" }).keygen();
 * publicKey.verify("a text", secretKey.sign("a text").signature); // true
 * ```
 */
export class Schemes {
  readonly #instance: Instance;

  private constructor(instance: Instance) {
    checkMade(this, instance instanceof Instance, "Schemes");
    this.#instance = instance;
  }

  /** Loads the module. After that nothing is a promise. */
  static async create(options: ModuleOptions = {}): Promise<Schemes> {
    checkCount(arguments, 1);
    checkOptions("options", options, ["module"]);
    return new Schemes(await Instance.create(options.module));
  }

  /** Every set of every scheme, with rates of failure, which takes a while to compute. */
  sets(): SchemeSet[] {
    return JSON.parse(this.#instance.sets());
  }

  /** BLISS signatures. A set, a profile or a noise that does not fit is an error with the allowed values. */
  bliss(options: BlissOptions): Bliss {
    return new Bliss(this.#instance, options);
  }

  /** LP11 encryption. */
  lp11(options: Lp11Options): Encryption {
    return new Encryption(this.#instance, "lp11", options);
  }

  /** Regev's encryption. */
  regev(options: RegevOptions): Encryption {
    return new Encryption(this.#instance, "regev", options);
  }

  /** Drops all schemes and keys that came from here, and wipes what is secret in them. */
  dispose(): void {
    this.#instance.clear();
  }

  [DISPOSE](): void {
    this.dispose();
  }
}
