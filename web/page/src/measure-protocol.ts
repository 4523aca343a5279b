/** What the page of measurements and its worker say to each other. */

/** A finding, as bench/claims.mjs has it. */
export interface Finding {
  readonly item: string;
  readonly quantity: string;
  readonly terms: string;
  readonly ours: number | string | null;
  readonly unit: string;
  readonly outcome?: string;
  readonly form?: string;
}

export interface MeasureQuestion {
  readonly milliseconds: number;
  readonly by: string;
}

/** `findings` are those that the report takes, `besides` those that it has without a browser. */
export type MeasureAnswer =
  | { readonly type: "stage"; readonly stage: string }
  | { readonly type: "measured"; readonly findings: readonly Finding[]; readonly besides: readonly Finding[] }
  | { readonly type: "failed"; readonly message: string };
