/** The bytes of a table: 36, the digits, and a recipe. */

/** Bytes before the digits. */
export const HEAD = 36;

/** FNV-1a in 32 bits: finds bytes that were changed by accident. */
export const sum = (bytes: Uint8Array): number => bytes.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193) >>> 0, 0x811c9dc5);
