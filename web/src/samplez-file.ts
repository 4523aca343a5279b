/** Where the samplers' modules lie. Bundlers recognize a file by these very words. Builds that carry their modules have
 * another file here. */

import type { Carried } from "./module.js";

export const samplezFile = (simd: boolean): URL | Carried =>
  simd ? new URL("./samplez-simd.wasm", import.meta.url) : new URL("./samplez.wasm", import.meta.url);
