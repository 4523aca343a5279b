import { typeOf, type SampleArray } from "./arrays.js";
import { checkCount, notNumber, SamplezError, invalid } from "./errors.js";
import { kind, viewKind } from "./shown.js";

/**
 * Writes integers modulo q into `out`, as integers from 0 to q - 1. For an RNS basis, call it for each prime. The modulus is from 2 to
 * 2^63 - 1, and at most 2^32 if `out` is a Uint32Array. The source has no branch on an integer, but JavaScript engines promise nothing about time.
 *
 * ```js
 * const noise = d.fill(new Int16Array(4096));
 * const row = residues(noise, 12289, new Uint32Array(4096));
 * ```
 */
export function residues<T extends Uint32Array | BigUint64Array>(integers: SampleArray, modulus: number | bigint, out: T): T {
  checkCount(arguments, 3, "residues takes the integers, the modulus and the array for the residues");
  typeOf("integers", integers);
  const to: Uint32Array | BigUint64Array = out;
  const type = viewKind(to);
  if (type !== "Uint32Array" && type !== "BigUint64Array") throw new SamplezError("type", `out = ${kind(to)}: expected a Uint32Array or BigUint64Array`);
  if (to.length !== integers.length) throw new SamplezError("out-of-range", `out: has ${to.length} elements: expected ${integers.length}, as there are integers`);
  const isNarrow = type === "Uint32Array";
  const isWhole = typeof modulus === "bigint" || Number.isSafeInteger(modulus);
  if (!isWhole || modulus < 2 || modulus > (isNarrow ? 2n ** 32n : 2n ** 63n - 1n)) {
    const allowed = `a whole number from 2 to ${isNarrow ? "2^32, since out is a Uint32Array" : "2^63 - 1, beyond 2^53 a bigint"}`;
    throw typeof modulus === "bigint" ? invalid("out-of-range", "modulus", modulus, allowed) : notNumber("modulus", modulus, allowed);
  }
  if (isNarrow && integers.BYTES_PER_ELEMENT < 8) small(integers as Int32Array, Number(modulus), to as Uint32Array);
  else large(integers, BigInt(modulus), to);
  return out;
}

/** Integers of at most 32 bits. The sum is taken modulo 2^32, and so the mask may be of the modulus in 32 bits. */
function small(integers: Int32Array, q: number, out: Uint32Array): void {
  for (let i = 0; i < out.length; i++) {
    const rest = integers[i]! % q;
    out[i] = rest + (q & (rest >> 31));
  }
}

function large(integers: SampleArray, q: bigint, out: Uint32Array | BigUint64Array): void {
  const isBig = out.BYTES_PER_ELEMENT === 8;
  for (let i = 0; i < out.length; i++) {
    const rest = BigInt(integers[i]!) % q;
    const residue = rest + (q & (rest >> 63n));
    out[i] = isBig ? residue : Number(residue);
  }
}
