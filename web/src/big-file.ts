/** The place of the module of `BigGaussian`, as in samplez-file.ts. */

import type { Carried } from "./module.js";

export const bigFile = (): URL | Carried => new URL("./samplez-big.wasm", import.meta.url);
