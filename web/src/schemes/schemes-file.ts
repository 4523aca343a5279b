/** Where the schemes' module lies, as in samplez-file.ts. */

import type { Carried } from "../module.js";

export const schemesFile = (): URL | Carried => new URL("./samplez-schemes.wasm", import.meta.url);
