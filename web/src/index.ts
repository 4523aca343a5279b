/**
 * Discrete Gaussian sampling over the integers, D_{Z,σ,c}: P(X = x) is proportional to exp(-(x-c)²/(2σ²)).
 *
 * Create a sampler, and fill typed arrays from a seed:
 *
 * ```js
 * import { DiscreteGaussian } from "samplez";
 *
 * const d = await DiscreteGaussian.create({ sigma: "3.2" }); // exactly 16/5; the planner chooses the method
 * const noise = d.fill(new Int16Array(1e6));
 * ```
 *
 * | you need | use |
 * |---|---|
 * | samples of one distribution, its probabilities and its certificate | {@link DiscreteGaussian} |
 * | the same without blocking the page; one array by many workers | {@link WorkerGaussian}, {@link fillParallel} |
 * | a σ, a centre or both for each sample | {@link Stream} |
 * | σ or a centre beyond 64 bits | {@link BigGaussian} |
 * | ternary, centred binomial, TUniform, Skellam or discrete Laplace noise; a sampler over your own table | {@link OtherNoise}, {@link TableNoise} |
 * | residues modulo q | {@link residues} |
 * | tests of samples | {@link verify} |
 * | the methods and sources by name | {@link methods}, {@link sources} |
 * | a small download, over a table built ahead | `samplez/core` |
 * | signatures and encryption, for research and teaching | `samplez/schemes` |
 *
 * Every error is a {@link SamplezError}.
 *
 * @packageDocumentation
 */

export type { SampleArray } from "./arrays.js";
export { BigGaussian, type BigOptions } from "./big.js";
export type { Certificate, Plan } from "./certificate.js";
export type { ChunkOptions } from "./chunks.js";
export { SamplezError, type ErrorKind } from "./errors.js";
export { DiscreteGaussian } from "./gaussian.js";
export type { Integer } from "./integers.js";
export type { ModuleOptions, ModuleSource } from "./module.js";
export type { MethodName, SourceName } from "./name-types.js";
export { methods, sources, type Method, type Source } from "./names.js";
export type { Exact, StreamOptions, Law, Options, OtherLaw, Recipe, Seed, Width } from "./options.js";
export { OtherNoise, TableNoise, type TableOptions } from "./noise.js";
export { fillParallel, type ParallelOptions } from "./parallel.js";
export { residues } from "./residues.js";
export { Stream } from "./stream.js";
export type { Integers } from "./judge.js";
export { verify, type Report, type SampleData, type Test, type VerifyOptions } from "./verify.js";
export { WorkerGaussian } from "./worker-gaussian.js";
