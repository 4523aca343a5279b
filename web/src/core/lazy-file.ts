/** The place of the module for larger tables, as in samplez-file.ts. */

import type { Carried } from "../module.js";

export const lazyFile = (): URL | Carried => new URL("./samplez-lazy.wasm", import.meta.url);
