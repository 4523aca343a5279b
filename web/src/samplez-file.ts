/** Where the samplers' modules lie. Bundlers know a file by these very words; builds that carry their modules have another file here. */

import type { Carried } from "./module.js";

export const samplezFile = (simd: boolean): URL | Carried =>
  simd ? new URL("./samplez-simd.wasm", import.meta.url) : new URL("./samplez.wasm", import.meta.url);
