import type { MethodName, SourceName } from "./name-types.js";

/** The library's certificate of a sampler, with the field names that it has in every language. Each `log2_…` is an
 * upper bound of the log2 of the quantity that it names, given ideal random bits. It is computed from the integers of
 * the table in use; null where the law is D_{Z,σ,c} itself. */
export interface Certificate {
  readonly method: MethodName;
  /** The law aimed at, in words. */
  readonly law: string;
  readonly center: string;
  readonly width: { readonly form: string; readonly value: string };
  /** Bits of the table; null if there is none. */
  readonly precision: number | null;
  /** True if the law is D_{Z,σ,c} itself. */
  readonly exact: boolean;
  /** Statistical distance. */
  readonly log2_sd: number | null;
  /** R_a - 1 by the order a: 2, 256, 513, and inf. */
  readonly log2_renyi: Readonly<Record<string, number | null>>;
  /** Mass of the ideal law outside of the support. */
  readonly log2_tail: number | null;
  /** The least and the largest value of the table. An exact sampler returns others too: by default with a probability below 2^-100. */
  readonly support: { readonly min: bigint; readonly max: bigint };
  readonly table_bytes: number;
  readonly expected_bits: number;
  readonly expected_trials: number;
  /** The class of the running time. WebAssembly promises none: `"unpromised"` in place of native code's constant and isochronous. */
  readonly timing: "unpromised" | "variable";
  /** The most samples that a game draws in a unit of the adversary's time, which `bits_kept` assumes: 1. */
  readonly samples_per_time: number;
  /** The bits that remain in a problem, for any number of samples, by bits of security: lower bounds. */
  readonly bits_kept: Readonly<Record<"search" | "decision", Readonly<Record<string, number>>>>;
  /** log2 of the samples that cost at most 2 bits in a search problem, by Rényi and by bits of security. Null where no
   * bound holds. */
  readonly samples_log2: Readonly<Record<string, number | null>>;
  /** log2 of the samples that change no probability by more than 2^-128, or 2^-256. */
  readonly samples_log2_advantage: Readonly<Record<string, number | null>>;
  /** The options in force, by the names that they have in a recipe. */
  readonly options: Readonly<Record<string, number | string | boolean>>;
}

/** The choice of a method; `reason` is null where the caller chose. */
export interface Plan {
  readonly method: MethodName;
  readonly reason: string | null;
}

/** The module's description of an array. */
export interface Description {
  readonly certificate: Certificate;
  readonly plan: Plan;
  readonly recipe: string;
  /** The law's width as a double. */
  readonly sigma: number;
  /** The values to expect: outside of them an exact law has a mass below 2^-128. */
  readonly typical: readonly [bigint, bigint];
  readonly source: SourceName;
}

export function description(json: string): Description {
  const { certificate, method, reason, support, typical, ...rest } = JSON.parse(json);
  const [min, max] = support.map(BigInt);
  return {
    ...rest,
    certificate: Object.freeze({ ...certificate, support: Object.freeze({ min, max }) }),
    plan: Object.freeze({ method, reason }),
    typical: Object.freeze(typical.map(BigInt)),
  };
}
