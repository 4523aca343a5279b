/** Texts as UTF-8, also where jsdom hides the engine's coders. */

import { builtin } from "./platform.js";

interface Coders {
  readonly TextEncoder: new () => { encode(text: string): Uint8Array };
  readonly TextDecoder: new () => { decode(bytes: Uint8Array): string };
}

const hidden = (): boolean => typeof TextEncoder !== "function" || typeof TextDecoder !== "function";
const coders = (): Coders => (hidden() ? (builtin("node:util") as unknown as Coders) : (globalThis as Coders));

/** The bytes of a text. */
export function encode(text: string): Uint8Array {
  const { TextEncoder } = coders();
  return new TextEncoder().encode(text);
}

/** The text of bytes. */
export function decode(bytes: Uint8Array): string {
  const { TextDecoder } = coders();
  return new TextDecoder().decode(bytes);
}
