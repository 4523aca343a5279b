/** WebAssembly modules: each loaded once, with SIMD instructions where there are any. */

import { builtin } from "./platform.js";

/** A module of one function that needs simd128: () -> v128, by i32.const 0, i8x16.splat. */
const PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
]);

/** Whether the engine has SIMD instructions; an error if it has no WebAssembly. */
export function hasSimd(): boolean {
  checkEngine();
  return WebAssembly.validate(PROBE);
}

function checkEngine(): void {
  if (typeof WebAssembly !== "object") throw new Error("samplez needs WebAssembly, which this engine lacks or has switched off");
}

/** Makes instances of the module in the file that `url` tells, for engines with SIMD instructions or without: compiled once. A
 * failure to load is not remembered. */
export function loader(url: (simd: boolean) => URL): (simd: boolean, imports: WebAssembly.Imports) => Promise<WebAssembly.Exports> {
  const loaded = new Map<boolean, Promise<WebAssembly.Module>>();
  return async (simd, imports) => {
    const file = url(simd);
    let module = loaded.get(simd);
    if (module === undefined) {
      module = compiled(file);
      module.catch(() => loaded.delete(simd));
      loaded.set(simd, module);
    }
    return (await WebAssembly.instantiate(await module, imports).catch(refused(file))).exports;
  };
}

async function compiled(url: URL): Promise<WebAssembly.Module> {
  checkEngine();
  const file = await bytes(url).catch((cause) => {
    const besides = url.protocol === "file:" ? "Node be 20.16 or newer" : "a Content-Security-Policy allow it under connect-src";
    throw because(`${url.href} could not be loaded`, cause, `it must lie where the script looks for it, and ${besides}`);
  });
  if (file[0] !== 0 || file[1] !== 0x61) {
    throw new Error(`${url.href} is no WebAssembly module: a server or a bundler has put something else in its place; samplez's README says what bundlers need`);
  }
  return WebAssembly.compile(file).catch(refused(url));
}

/** What a Content-Security-Policy refuses is said to be an error of compiling, by some engines of an instance. */
const refused = (url: URL) => (cause: unknown): never => {
  if (!(cause instanceof WebAssembly.CompileError)) throw cause;
  throw because(`${url.href} was not compiled`, cause, "a Content-Security-Policy must allow script-src 'wasm-unsafe-eval'");
};

/** An error with its cause, in words too, and what can be done. */
export const because = (what: string, cause: unknown, remedy: string): Error =>
  new Error(`${what}: ${cause instanceof Error ? cause.message : String(cause)}; ${remedy}`, { cause });

async function bytes(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const files = url.protocol === "file:" ? builtin("node:fs/promises") : undefined;
  if (files !== undefined) return new Uint8Array(await files.readFile(url));
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}
