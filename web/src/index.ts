export type { SampleArray } from "./arrays.js";
export type { Certificate, Plan } from "./certificate.js";
export { knuthYaoFigure, zigguratFigure, type KnuthYaoFigure, type ZigguratFigure } from "./figures.js";
export { DiscreteGaussian } from "./gaussian.js";
export type { Integer } from "./integers.js";
export type { MethodName, SourceName } from "./name-types.js";
export { methods, sources, type Method, type Source } from "./names.js";
export type { Exact, Law, Options, Seed, Width } from "./options.js";
export { fillParallel, type ParallelOptions } from "./parallel.js";
