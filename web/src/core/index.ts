export { SamplezError, type ErrorKind } from "../errors.js";
export type { ModuleSource } from "../module.js";
export type { Seed } from "../options.js";
export { CoreGaussian, type CoreOptions } from "./core.js";
