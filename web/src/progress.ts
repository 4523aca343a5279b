/** How far the building of a table has come. */

import { invalid } from "./errors.js";

/** Called with the work that is done, and all of it. */
export type Progress = (done: number, of: number) => void;

/** Milliseconds between two reports. */
const PERIOD = 50;

/** Refuses what is no function. */
export function checkProgress(onProgress: Progress | undefined): void {
  if (onProgress !== undefined && typeof onProgress !== "function") throw invalid("type", "onProgress", onProgress, "a function");
}

/** Passes on one report in so many milliseconds, and the last one. */
export function seldom(onProgress: Progress): Progress {
  let next = 0;
  return (done, of) => {
    const now = performance.now();
    if (now < next && done < of) return;
    next = now + PERIOD;
    onProgress(done, of);
  };
}
