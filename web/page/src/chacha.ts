/** The bits that the library draws for the source `chacha20`: ChaCha20 (RFC 8439's rounds, a 64-bit counter) under the seed of block 0,
 * as crates/samplez-sources/src/seed.rs derives it, so that a walk can be shown on the very bits of the library's samples. */

const rotate = (x: number, n: number): number => (x << n) | (x >>> (32 - n));

/** 20 rounds, in place. */
function rounds(s: Uint32Array): void {
  const quarter = (a: number, b: number, c: number, d: number): void => {
    s[a]! += s[b]!; s[d] = rotate(s[d]! ^ s[a]!, 16);
    s[c]! += s[d]!; s[b] = rotate(s[b]! ^ s[c]!, 12);
    s[a]! += s[b]!; s[d] = rotate(s[d]! ^ s[a]!, 8);
    s[c]! += s[d]!; s[b] = rotate(s[b]! ^ s[c]!, 7);
  };
  for (let i = 0; i < 10; i++) {
    for (let j = 0; j < 4; j++) quarter(j, j + 4, j + 8, j + 12);
    for (let j = 0; j < 4; j++) quarter(j, 4 + ((j + 1) % 4), 8 + ((j + 2) % 4), 12 + ((j + 3) % 4));
  }
}

/** "expand 32-byte k", the key, and four words. */
const state = (key: Uint32Array, last: readonly number[]): Uint32Array =>
  Uint32Array.of(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, ...key, ...last);

/** HChaCha20: a child's key. */
function child(key: Uint32Array, input: readonly number[]): Uint32Array {
  const s = state(key, input);
  rounds(s);
  return Uint32Array.of(...s.subarray(0, 4), ...s.subarray(12));
}

const block = (key: Uint32Array, number: bigint): Uint32Array =>
  child(key, [Number(number & 0xffffffffn), Number(number >> 32n), 0, 0x01000000]);

/** The words of 16 bytes. */
const words = (bytes: readonly number[]): number[] => Array.from(new Uint32Array(Uint8Array.from(bytes).buffer));

/** A seed's text as the library reads it: 64 hexadecimal digits, or a number below 2^64. */
function key(seed: string): Uint32Array {
  if (/^[0-9a-f]{64}$/i.test(seed)) {
    const bytes = Uint8Array.from({ length: 32 }, (_, i) => Number.parseInt(seed.slice(2 * i, 2 * i + 2), 16));
    return new Uint32Array(bytes.buffer);
  }
  if (!/^(0|[1-9]\d{0,19})$/.test(seed)) throw new Error("seed: expected 64 hexadecimal digits, or a number below 2^64");
  const name = Array.from(new TextEncoder().encode("short seed"));
  const root = child(new Uint32Array(8), words([name.length, 0, ...name, ...Array(13 - name.length).fill(0), 2]));
  return block(root, BigInt(seed));
}

/** A source of bits that counts and keeps what it hands out. */
export class Bits {
  readonly #key: Uint32Array;
  #counter = 0;
  #word = new Uint32Array(16);
  /** Bits of the stream that are handed out. */
  drawn = 0;
  /** Those since {@link mark}. */
  recent: number[] = [];

  /** At the start of block 0 of this seed. */
  constructor(seed: string) {
    this.#key = block(key(seed), 0n);
  }

  bit(): 0 | 1 {
    const at = this.drawn % 512;
    if (at === 0) {
      const start = state(this.#key, [this.#counter++, 0, 0, 0]);
      this.#word = start.slice();
      rounds(this.#word);
      start.forEach((x, i) => (this.#word[i]! += x));
    }
    this.drawn++;
    const bit = ((this.#word[at >> 5]! >>> (at & 31)) & 1) as 0 | 1;
    this.recent.push(bit);
    return bit;
  }

  /** n bits as a number, the first the least significant. */
  bits(n: number): bigint {
    let value = 0n;
    for (let i = 0n; i < n; i++) value |= BigInt(this.bit()) << i;
    return value;
  }

  /** Forgets what was handed out so far. */
  mark(): void {
    this.recent = [];
  }
}

/** A tape of bits to read from; `Bits`, or a test's. */
export type Tape = Pick<Bits, "bit" | "bits" | "drawn" | "recent" | "mark">;
