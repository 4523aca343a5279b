// Residues against the language's own remainder in big integers, and bad arguments.
// @ts-check

import assert from "node:assert/strict";
import { test } from "node:test";
import { DiscreteGaussian, residues } from "samplez";

const MODULI = [2n, 3n, 12289n, 2n ** 31n - 1n, 2n ** 31n, 2n ** 31n + 11n, 2n ** 32n - 5n, 2n ** 32n];
const WIDE = [...MODULI, 2n ** 32n + 15n, 0x1fffffffffe00001n, 2n ** 63n - 1n];

/** @param {bigint} x @param {bigint} q */
const rest = (x, q) => ((x % q) + q) % q;

test("every type of integers, and edges", () => {
  for (const [type, bits] of /** @type {const} */ ([[Int8Array, 8n], [Int16Array, 16n], [Int32Array, 32n], [BigInt64Array, 64n]])) {
    const high = 2n ** (bits - 1n);
    const values = [0n, 1n, -1n, 2n, -2n, 3n, -3n, 100n, -100n, high - 1n, -high, 1n - high];
    const integers = /** @type {any} */ (type).from(type === BigInt64Array ? values : values.map(Number));
    for (const q of WIDE) {
      const wanted = values.map((x) => rest(x, q));
      const out = new BigUint64Array(values.length);
      assert.equal(residues(integers, q, out), out);
      assert.deepEqual([...out], wanted, `${type.name}, ${q}`);
      if (q <= 2n ** 53n) assert.deepEqual([...residues(integers, Number(q), new BigUint64Array(values.length))], wanted);
      if (q > 2n ** 32n) continue;
      assert.deepEqual([...residues(integers, q, new Uint32Array(values.length))].map(BigInt), wanted, `${type.name}, ${q}, Uint32Array`);
    }
  }
});

test("samples", async () => {
  const d = await DiscreteGaussian.create({ sigma: "3.2", seed: 1 });
  const noise = d.fill(new Int16Array(1000));
  const row = residues(noise, 12289, new Uint32Array(1000));
  assert.ok(noise.some((x) => x < 0));
  row.forEach((residue, i) => assert.equal(BigInt(residue), rest(BigInt(noise[i] ?? 0), 12289n)));
  d.dispose();
});

test("bad arguments are named", () => {
  const three = new Int8Array(3);
  /** @type {[any, any, any, string][]} */
  const cases = [
    [[1, 2, 3], 7, new Uint32Array(3), "integers = Array: expected an Int8Array, Int16Array, Int32Array or BigInt64Array"],
    [new Uint32Array(3), 7, new Uint32Array(3), "integers = Uint32Array: expected an Int8Array"],
    [three, 7, new Int32Array(3), "out = Int32Array: expected a Uint32Array or BigUint64Array"],
    [three, 7, undefined, "out = undefined: expected a Uint32Array or BigUint64Array"],
    [three, 7, new Uint32Array(2), "out: has 2 elements: expected 3, as there are integers"],
    [three, 0, new Uint32Array(3), "modulus = 0: expected a whole number from 2 to 2^32, since out is a Uint32Array"],
    [three, 1, new Uint32Array(3), "modulus = 1: expected"],
    [three, -7n, new Uint32Array(3), "modulus = -7: expected"],
    [three, 2.5, new Uint32Array(3), "modulus = 2.5: expected"],
    [three, NaN, new Uint32Array(3), "modulus = NaN: expected"],
    [three, "7", new Uint32Array(3), "modulus = 7: expected"],
    [three, 2 ** 32 + 1, new Uint32Array(3), "modulus = 4294967297: expected"],
    [three, 2 ** 60, new BigUint64Array(3), "modulus = 1152921504606847000: expected a whole number from 2 to 2^63 - 1, beyond 2^53 a bigint"],
    [three, 2n ** 63n, new BigUint64Array(3), "modulus = 9223372036854775808: expected"],
  ];
  for (const [integers, modulus, out, words] of cases) {
    assert.throws(() => residues(integers, modulus, out), (error) => error instanceof Error && error.message.startsWith(words), words);
  }
});
