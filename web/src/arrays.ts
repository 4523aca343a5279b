/** The typed arrays that take samples. */

import { invalid } from "./errors.js";
import { viewKind } from "./shown.js";

/** The arrays that samples go into: integers of 8, 16, 32 and 64 bits. A sample that does not fit is refused. */
export type SampleArray = Int8Array | Int16Array | Int32Array | BigInt64Array;

const TYPES = [Int8Array, Int16Array, Int32Array, BigInt64Array] as const;
type SampleArrayType = (typeof TYPES)[number];

/** By its name, for an array may be from another realm. */
function find(array: unknown): SampleArrayType | undefined {
  const name = viewKind(array);
  return TYPES.find((type) => type.name === name);
}

export const isSampleArray = (array: unknown): array is SampleArray => find(array) !== undefined;

const isBig = (array: SampleArray): array is BigInt64Array => array.BYTES_PER_ELEMENT === 8;

/** Returns the type of an array, or throws an error with the allowed types. */
export function typeOf(name: string, array: SampleArray): SampleArrayType {
  const type = find(array);
  if (type !== undefined) return type;
  const count = Number.isSafeInteger(array) ? Number(array) : 0;
  const example = count > 0 ? `, such as new Int32Array(${count})` : "";
  throw invalid("type", name, array, `an Int8Array, Int16Array, Int32Array or BigInt64Array${example}`);
}

/** Returns the type that a constructor makes, or throws an error with the allowed types. */
export function sampleType(name: string, type: unknown): SampleArrayType {
  const found = TYPES.find((known) => known === type || (typeof type === "function" && type.name === known.name));
  if (found !== undefined) return found;
  throw invalid("type", name, typeof type === "function" ? type.name : type, `Int8Array, Int16Array, Int32Array or BigInt64Array${typeof type === "string" ? ", not a text" : ""}`);
}

/** The narrowest type that holds these values. */
export function narrowest([low, high]: readonly [bigint, bigint]): SampleArrayType {
  const fits = (type: SampleArrayType) => {
    const bits = 8 * type.BYTES_PER_ELEMENT;
    return BigInt.asIntN(bits, low) === low && BigInt.asIntN(bits, high) === high;
  };
  return TYPES.find(fits) ?? BigInt64Array;
}

/** Copies `length` samples into an array of any type; the values fit, which the module has seen to. */
export function copy(from: SampleArray, start: number, length: number, to: SampleArray, at: number): void {
  const isBigger = isBig(to);
  if (length > 64 && isBig(from) === isBigger) to.set(from.subarray(start, start + length) as never, at);
  // A few samples are copied sooner than a view of them is made.
  else for (let i = 0; i < length; i++) (to as Int8Array)[at + i] = (isBigger ? BigInt(from[start + i]!) : Number(from[start + i])) as number;
}

/** Overwrites the samples with zeros. */
export function wipe({ buffer, byteOffset, byteLength }: SampleArray): void {
  new Uint8Array(buffer, byteOffset, byteLength).fill(0);
}
