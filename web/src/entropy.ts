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
