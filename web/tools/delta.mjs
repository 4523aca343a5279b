// What differs between two builds of one WebAssembly module, function by function.
// @ts-check

const CODE = 10;

/** The length from which a part of a changed piece is looked up in the base. */
const WINDOW = 24;

/** How many pieces ahead a changed one is looked for. */
const NEAR = 8;

/** The bytes of a module, cut at the borders of its sections and of its functions' bodies.
 * @param {Uint8Array} module @returns {{ start: number, end: number }[]} */
function pieces(module) {
  let at = 8; // magic and version
  const integer = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = module[at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const cuts = [0, at];
  while (at < module.length) {
    const id = module[at++];
    const length = integer();
    const end = at + length;
    if (id === CODE) {
      for (let left = integer(); left > 0; left--) {
        cuts.push(at);
        const size = integer();
        at += size;
      }
    }
    cuts.push(end);
    at = end;
  }
  return cuts.slice(1).map((end, i) => ({ start: cuts[i] ?? 0, end }));
}

/** What makes `next` of `base`; src/module.ts reads it.
 * @param {Uint8Array} base @param {Uint8Array} next */
export function delta(base, next) {
  /** @param {Uint8Array} module @param {{ start: number, end: number }} piece */
  const text = (module, { start, end }) => Buffer.from(module.subarray(start, end)).toString("latin1");
  const [old, now] = [pieces(base), pieces(next)];
  const known = new Map(old.map((piece, i) => [text(base, piece), i]));
  /** @type {Map<string, number>} */
  const windows = new Map();
  for (let at = base.length - WINDOW; at >= 0; at--) windows.set(text(base, { start: at, end: at + WINDOW }), at);
  /** @type {Uint8Array[]} */
  const out = [];
  const integer = (/** @type {number} */ value) => {
    const bytes = [];
    for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
    out.push(Uint8Array.of(...bytes, value));
  };
  integer(next.length);
  let written = 0;
  const step = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ length) => {
    integer(to - written);
    out.push(next.subarray(written, to));
    integer(from);
    integer(length);
    out.push(next.subarray(to, to + length).map((byte, i) => byte - (base[from + i] ?? 0)));
    written = to + length;
  };
  /** Parts of the piece that are anywhere in the base.
   * @param {{ start: number, end: number }} piece @param {(from: number, to: number, length: number) => void} found */
  const search = (piece, found) => {
    for (let to = piece.start; to + WINDOW <= piece.end; ) {
      const from = windows.get(text(next, { start: to, end: to + WINDOW }));
      let length = 0;
      if (from !== undefined) while (to + length < piece.end && base[from + length] === next[to + length]) length++;
      if (from !== undefined) found(from, to, length);
      to += Math.max(length, 1);
    }
  };
  let run = { from: 0, to: 0, length: 0 };
  const take = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ length) => {
    if (run.to + run.length === to && run.from + run.length === from) {
      run.length += length;
    } else {
      if (run.length > 0) step(run.from, run.to, run.length);
      run = { from, to, length };
    }
  };
  let place = 0; // of the base's pieces: the one to expect
  for (const piece of now) {
    const length = piece.end - piece.start;
    const exact = known.get(text(next, piece));
    // If not the same, perhaps the same function with other addresses in it.
    const near = old.slice(place, place + NEAR).findIndex(({ start, end }) => end - start === length);
    const match = exact ?? (near >= 0 && length >= WINDOW ? place + near : undefined);
    const found = match === undefined ? undefined : old[match];
    if (match === undefined || found === undefined) {
      search(piece, take);
    } else {
      take(found.start, piece.start, length);
      if (exact === undefined || length >= WINDOW) place = match + 1;
    }
  }
  if (run.length > 0) step(run.from, run.to, run.length);
  if (written < next.length) step(0, next.length, 0);
  return Uint8Array.from(Buffer.concat(out));
}
