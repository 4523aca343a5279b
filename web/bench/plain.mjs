// Inversion as one writes it without WebAssembly: a table of 128 bits in 32-bit words, a binary search over lazily
// drawn words, ChaCha20 on a Uint32Array. For comparison only: the table comes from doubles, without a certificate.
// @ts-check

const ROUNDS = 20;

/** A keystream of 32-bit words under a zero key. */
export class ChaCha20 {
  #state = new Uint32Array([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  #block = new Uint32Array(16);
  #at = 16;

  word() {
    if (this.#at === 16) this.#refill();
    return /** @type {number} */ (this.#block[this.#at++]);
  }

  #refill() {
    const x = this.#block;
    const state = this.#state;
    x.set(state);
    for (let i = 0; i < ROUNDS; i += 2) {
      quarter(x, 0, 4, 8, 12);
      quarter(x, 1, 5, 9, 13);
      quarter(x, 2, 6, 10, 14);
      quarter(x, 3, 7, 11, 15);
      quarter(x, 0, 5, 10, 15);
      quarter(x, 1, 6, 11, 12);
      quarter(x, 2, 7, 8, 13);
      quarter(x, 3, 4, 9, 14);
    }
    for (let i = 0; i < 16; i++) x[i] = /** @type {number} */ (x[i]) + /** @type {number} */ (state[i]);
    state[12] = /** @type {number} */ (state[12]) + 1;
    this.#at = 0;
  }
}

/** @param {Uint32Array} x @param {number} a @param {number} b @param {number} c @param {number} d */
function quarter(x, a, b, c, d) {
  let [p, q, r, s] = /** @type {[number, number, number, number]} */ ([x[a], x[b], x[c], x[d]]);
  p = (p + q) | 0;
  s ^= p;
  s = (s << 16) | (s >>> 16);
  r = (r + s) | 0;
  q ^= r;
  q = (q << 12) | (q >>> 20);
  p = (p + q) | 0;
  s ^= p;
  s = (s << 8) | (s >>> 24);
  r = (r + s) | 0;
  q ^= r;
  q = (q << 7) | (q >>> 25);
  x[a] = p;
  x[b] = q;
  x[c] = r;
  x[d] = s;
}

/** P(|X| <= i) for i = 0 … in words, the most significant of each threshold together.
 * @param {number} sigma */
function table(sigma) {
  const size = Math.ceil(13.4 * sigma);
  const density = Array.from({ length: size }, (_, x) => (x === 0 ? 1 : 2) * Math.exp((-x * x) / (2 * sigma * sigma)));
  const all = density.reduce((sum, p) => sum + p, 0);
  const words = [0, 1, 2, 3].map(() => new Uint32Array(size));
  let sum = 0n;
  density.forEach((p, i) => {
    sum += BigInt(Math.floor((p / all) * 2 ** 53)) << 75n;
    words.forEach((word, j) => (word[i] = Number((sum >> BigInt(96 - 32 * j)) & 0xffffffffn)));
  });
  return { size, words };
}

/** A sampler that fills arrays.
 * @param {number} sigma @returns {(out: Int16Array) => void} */
export function plain(sigma) {
  const { size, words } = table(sigma);
  const random = new ChaCha20();
  const drawn = new Uint32Array(4);
  const [first] = /** @type {[Uint32Array]} */ (/** @type {unknown} */ (words));
  let signs = 0;
  let left = 0;
  /** Whether the uniform, as far as it has been drawn, is below threshold i. @param {number} i @param {number} known */
  const below = (i, known) => {
    for (let j = 0; j < 4; j++) {
      if (j >= known) {
        drawn[j] = random.word();
        known = j + 1;
      }
      const [u, t] = /** @type {[number, number]} */ ([drawn[j], words[j]?.[i]]);
      if (u !== t) return { is: u < t, known };
    }
    return { is: false, known };
  };
  return (out) => {
    for (let k = 0; k < out.length; k++) {
      const u = random.word();
      let [low, high] = [0, size - 1];
      let known = 1;
      drawn[0] = u;
      while (low < high) {
        const middle = (low + high) >>> 1;
        const t = /** @type {number} */ (first[middle]);
        let is = u < t;
        if (u === t) ({ is, known } = below(middle, known));
        if (is) high = middle;
        else low = middle + 1;
      }
      if (left === 0) {
        signs = random.word();
        left = 32;
      }
      out[k] = (signs & 1) === 1 ? -low : low;
      signs >>>= 1;
      left--;
    }
  };
}
