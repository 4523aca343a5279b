/** WebAssembly modules: each loaded once, with SIMD instructions where there are any. */

/** A module of one function that needs simd128: () -> v128, by i32.const 0, i8x16.splat. */
const PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
]);

export const hasSimd = (): boolean => WebAssembly.validate(PROBE);

/** The compiled module of these files, with SIMD instructions or without; with one file alone the module is the same. A
 * failure to load is not remembered. */
export function loader(base: () => URL, delta?: () => URL): (simd: boolean) => Promise<WebAssembly.Module> {
  const loaded = new Map<boolean, Promise<WebAssembly.Module>>();
  return (simd) => {
    let module = loaded.get(simd);
    if (module === undefined) {
      module = compile(base(), simd ? delta?.() : undefined);
      module.catch(() => loaded.delete(simd));
      loaded.set(simd, module);
    }
    return module;
  };
}

async function compile(base: URL, delta: URL | undefined): Promise<WebAssembly.Module> {
  const [plain, difference] = await Promise.all([bytes(base), delta && bytes(delta)]);
  return WebAssembly.compile(difference ? patched(plain, difference) : plain);
}

async function bytes(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  if (url.protocol === "file:" && typeof process !== "undefined") {
    const { readFile } = await import("node:fs/promises");
    return new Uint8Array(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.href}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The module that `delta` makes of `base`: its length, then in turn the length of new bytes, the new bytes, where a
 * part of the base begins, how long it is, and as many bytes that are to be added to it, almost all of them zeros, which
 * cost nothing on their way. Integers are LEB128. */
export function patched(base: Uint8Array, delta: Uint8Array): Uint8Array<ArrayBuffer> {
  let at = 0;
  const integer = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = delta[at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const out = new Uint8Array(integer());
  for (let to = 0; to < out.length; ) {
    for (let fresh = integer(); fresh > 0; fresh--) out[to++] = delta[at++]!;
    let from = integer();
    for (let length = integer(); length > 0; length--) out[to++] = base[from++]! + delta[at++]!;
  }
  return out;
}
