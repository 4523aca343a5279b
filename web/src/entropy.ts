/** Random bytes of the machine, by `crypto.getRandomValues`. */

import { SamplezError } from "./errors.js";
import { messageOf } from "./shown.js";

/** It gives so many bytes at a time. */
const MOST = 65536;

/**
 * Fills the array, of 16 bytes at least; a failure is what `crypto.getRandomValues` throws. A host that gives the same bytes with each
 * call would give everybody the same samples: two requests that begin alike are a failure. Those of a sound host do with probability 2^-128.
 */
export function randomBytes(bytes: Uint8Array<ArrayBuffer>): void {
  for (let at = 0; at < bytes.length; at += MOST) crypto.getRandomValues(bytes.subarray(at, at + MOST));
  const again = crypto.getRandomValues(new Uint8Array(Math.min(bytes.length, 32)));
  if (again.length >= 16 && again.every((byte, i) => byte === bytes[i])) throw new Error("it gave the same bytes twice");
}

/** 32 random bytes. */
export function freshSeed(): Uint8Array {
  try {
    const seed = new Uint8Array(32);
    randomBytes(seed);
    return seed;
  } catch (cause) {
    throw noEntropy(cause);
  }
}

/** The error of a `crypto.getRandomValues` that failed. */
export const noEntropy = (cause: unknown): Error =>
  new SamplezError("entropy", `crypto.getRandomValues gave no random bytes: ${messageOf(cause)}`, { cause });

/** Makes a call that fills the array. If its source fails, the whole array is wiped. A module's failure without an argument is its source's, such as
 * an alarm of the health tests. */
export function wiping<T>(array: ArrayBufferView<ArrayBufferLike>, call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof SamplezError)) throw error;
    const isAlarm = error.kind === "other" && error.argument === undefined;
    if (isAlarm || error.kind === "entropy") new Uint8Array(array.buffer, array.byteOffset, array.byteLength).fill(0);
    throw isAlarm ? new SamplezError("entropy", error.message, { cause: error }) : error;
  }
}

/** Random bytes for the module. A failure is the error of the call in which it happened. */
export class Entropy {
  memory: WebAssembly.Memory | undefined;
  failure: unknown;

  readonly give = (to: number, len: number): number => {
    try {
      randomBytes(new Uint8Array(this.memory!.buffer as ArrayBuffer, to >>> 0, len));
      return 0;
    } catch (cause) {
      this.failure = noEntropy(cause);
      return 1;
    }
  };

  /** Throws the failure of this call. */
  check(): void {
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
  }
}
