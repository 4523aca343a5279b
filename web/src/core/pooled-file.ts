/** The place of the module for small tables, as in samplez-file.ts. */

import type { Carried } from "../module.js";

export const pooledFile = (): URL | Carried => new URL("./samplez-pooled.wasm", import.meta.url);
