/** Integers of 64 bits, as arguments. */

import { invalid, notNumber } from "./errors.js";

/** An integer that addresses a sample or is one. */
export type Integer = number | bigint;

/** A signed one. */
export function integer(name: string, value: Integer): bigint {
  const big = whole(name, value);
  if (BigInt.asIntN(64, big) !== big) throw invalid("out-of-range", name, value, "a number between -2^63 and 2^63 - 1");
  return big;
}

/** An unsigned one. */
export function address(first: Integer): bigint {
  const big = whole("first", first);
  if (BigInt.asUintN(64, big) !== big) throw invalid("out-of-range", "first", first, "a number between 0 and 2^64 - 1");
  return big;
}

/** Refuses so many samples from there on if their addresses do not fit. */
export function checkEnd(first: bigint, length: number): void {
  if (first + BigInt(length) > 1n << 64n) {
    throw invalid("out-of-range", "first", first, `at most ${2n ** 64n - BigInt(length)} with ${length} samples`);
  }
}

function whole(name: string, value: Integer): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value !== "number") throw notNumber(name, value, "a number or a BigInt");
  if (Number.isSafeInteger(value)) return BigInt(value);
  throw invalid("out-of-range", name, value, "an integer; beyond 2^53 a BigInt");
}
