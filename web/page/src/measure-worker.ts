/** Measures, off the main thread, by the code that measures for the report. */

import { here } from "./here.js";
import type { MeasureAnswer, MeasureQuestion } from "./measure-protocol.js";

const root = new URL("../../", import.meta.url).href;
const post = (answer: MeasureAnswer): void => self.postMessage(answer);

self.onmessage = async ({ data: { milliseconds, by } }: MessageEvent<MeasureQuestion>) => {
  try {
    const bench = await import(`${root}bench/beside.mjs`);
    const { schemes } = await import(`${root}bench/measure.mjs`);
    const { claims, claimsOf } = await import(`${root}bench/claims.mjs`);
    post({ type: "stage", stage: "four samplers at three widths" });
    const rows = await bench.beside(root, milliseconds);
    post({ type: "stage", stage: "keys, signatures and encryption" });
    const times = await schemes(root, milliseconds);
    post({ type: "stage", stage: "the study's arrays of bits" });
    const printed = await bench.asPrinted(root, milliseconds);
    post({ type: "measured", findings: [...claims({ rows, schemes: times, ...printed }), ...claimsOf([by])], besides: await here(rows) });
  } catch (error) {
    post({ type: "failed", message: error instanceof Error ? error.message : String(error) });
  }
};
