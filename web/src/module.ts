/** WebAssembly modules: each loaded once, with SIMD instructions where there are any. */

/** A module of one function that needs simd128: () -> v128, by i32.const 0, i8x16.splat. */
const PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
]);

export const hasSimd = (): boolean => WebAssembly.validate(PROBE);

/** The compiled module of the file that `url` tells, for engines with SIMD instructions or without. A failure to load is
 * not remembered. */
export function loader(url: (simd: boolean) => URL): (simd: boolean) => Promise<WebAssembly.Module> {
  const loaded = new Map<boolean, Promise<WebAssembly.Module>>();
  return (simd) => {
    let module = loaded.get(simd);
    if (module === undefined) {
      module = bytes(url(simd)).then((file) => WebAssembly.compile(file));
      module.catch(() => loaded.delete(simd));
      loaded.set(simd, module);
    }
    return module;
  };
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
