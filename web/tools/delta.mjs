// What differs between two builds of one WebAssembly module, function by function.
// @ts-check

const CODE = 10;

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

/** The instructions that make `next` of `base`; src/module.ts follows them.
 * @param {Uint8Array} base @param {Uint8Array} next */
export function delta(base, next) {
  /** @param {Uint8Array} module @param {{ start: number, end: number }} piece */
  const text = (module, { start, end }) => Buffer.from(module.subarray(start, end)).toString("latin1");
  const known = new Map(pieces(base).map((piece) => [text(base, piece), piece.start]));
  /** @type {number[]} */
  const out = [];
  /** @param {number} value */
  const integer = (value) => {
    for (; value >= 128; value = Math.floor(value / 128)) out.push((value % 128) + 128);
    out.push(value);
  };
  integer(next.length);
  let fresh = 0; // where the bytes begin that are not in the base
  let copied = { from: 0, to: 0, length: 0 };
  const flush = () => {
    integer(copied.to - fresh);
    for (const byte of next.subarray(fresh, copied.to)) out.push(byte);
    integer(copied.from);
    integer(copied.length);
    fresh = copied.to + copied.length;
  };
  for (const piece of pieces(next)) {
    const from = known.get(text(next, piece));
    if (from === undefined) continue;
    const length = piece.end - piece.start;
    if (copied.to + copied.length === piece.start && copied.from + copied.length === from) {
      copied.length += length;
    } else {
      if (copied.length > 0) flush();
      copied = { from, to: piece.start, length };
    }
  }
  if (copied.length > 0) flush();
  copied = { from: 0, to: next.length, length: 0 };
  flush();
  return Uint8Array.from(out);
}
