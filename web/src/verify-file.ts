/** Where the module of `verify` lies, as in samplez-file.ts. */

import type { Carried } from "./module.js";

export const verifyFile = (): URL | Carried => new URL("./samplez-verify.wasm", import.meta.url);
