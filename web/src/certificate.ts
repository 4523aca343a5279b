/** Upper bounds on the distance of the sampled law from D_{Z,σ,c}, given ideal random bits, computed from the
 * integers of the table in use. Each is the log2 of what it names. */
export interface Bound {
  /** Statistical distance. */
  readonly log2Sd: number;
  /** R_a - 1 by the order a. */
  readonly log2Renyi: Readonly<Record<string, number>>;
  /** R_∞ - 1. */
  readonly log2RenyiInf: number;
  /** Mass of the ideal law outside of the support. */
  readonly log2Tail: number;
  /** log2 of the samples that may be drawn, by bits of security; null where no bound tells. */
  readonly samplesLog2: Readonly<Record<string, { readonly search: number | null; readonly decision: number }>>;
}

/** What a sampler declares about itself. */
export interface Certificate {
  /** The law aimed at, in words. */
  readonly law: string;
  readonly width: { readonly form: string; readonly value: string };
  readonly center: string;
  readonly sigma: number;
  /** Mean and variance of the law aimed at. */
  readonly mean: number;
  readonly variance: number;
  readonly method: string;
  /** True if the law is D_{Z,σ,c} itself. */
  readonly exact: boolean;
  /** null if the law is exact. */
  readonly bound: Bound | null;
  /** Bits of the table; null if the law is exact. */
  readonly precision: number | null;
  /** What the running time reveals: constant, isochronous or variable. */
  readonly timing: string;
  /** Every value that can come out. */
  readonly support: readonly [bigint, bigint];
  /** The values to expect: outside of them an exact law has a mass below 2^-128. */
  readonly typical: readonly [bigint, bigint];
  readonly tableBytes: number;
  readonly expectedBits: number;
  readonly expectedTrials: number;
}

/** The choice of a method; `reason` is null where the caller chose. */
export interface Plan {
  readonly method: string;
  readonly reason: string | null;
}

/** The module's description of an array. */
export interface Description {
  readonly certificate: Certificate;
  readonly plan: Plan;
  readonly source: string;
  /** Whether the seed determines the samples. */
  readonly seeded: boolean;
}

export function description(json: string): Description {
  const { source, seeded, reason, support, typical, ...rest } = JSON.parse(json);
  const range = (texts: [string, string]) => Object.freeze(texts.map(BigInt));
  const exact = rest.bound === null;
  const certificate = Object.freeze({ ...rest, exact, support: range(support), typical: range(typical) });
  return { certificate, plan: Object.freeze({ method: rest.method, reason }), source, seeded };
}
