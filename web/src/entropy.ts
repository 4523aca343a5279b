/** Random bytes of the machine, by `crypto.getRandomValues`. */

import { SamplezError } from "./errors.js";
import { messageOf } from "./shown.js";

/** It gives so many bytes at a time. */
const MOST = 65536;

/** Fills the array; a failure is what `crypto.getRandomValues` throws. */
export function randomBytes(bytes: Uint8Array<ArrayBuffer>): void {
  for (let at = 0; at < bytes.length; at += MOST) crypto.getRandomValues(bytes.subarray(at, at + MOST));
}

/** 32 random bytes. */
export function freshSeed(): Uint8Array {
  try {
    return crypto.getRandomValues(new Uint8Array(32));
  } catch (cause) {
    throw noEntropy(cause);
  }
}

/** The error of a `crypto.getRandomValues` that failed. */
export const noEntropy = (cause: unknown): Error =>
  new SamplezError("entropy", `crypto.getRandomValues gave no random bytes: ${messageOf(cause)}`, { cause });
