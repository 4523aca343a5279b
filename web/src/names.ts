import { Instance } from "./instance.js";
import type { ModuleOptions } from "./module.js";
import type { MethodName, RoundMethodName, SourceName } from "./name-types.js";

/** A sampling method. */
export interface Method {
  readonly name: MethodName;
  readonly summary: string;
  /** The options that this method uses, besides the options of every method. It refuses all other options. */
  readonly heeds: readonly string[];
}

/** A method that takes a centre with each sample. */
export interface RoundMethod {
  readonly name: RoundMethodName;
  readonly summary: string;
  /** Whether its law is D_{Z,σ,c} itself. */
  readonly exact: boolean;
  /** The class of the running time. WebAssembly promises none: `"unpromised"` in place of native code's isochronous. */
  readonly timing: "unpromised" | "variable";
}

/** A source of random bits. */
export interface Source {
  readonly name: SourceName;
  readonly summary: string;
  /** Whether a seed determines its stream. */
  readonly seeded: boolean;
  /** Whether it is a cryptographic generator. */
  readonly cryptographic: boolean;
}

const names = async ({ module }: ModuleOptions) => JSON.parse((await Instance.create(undefined, module)).names());

/** Every method that `method` may name, besides `"auto"`. */
export async function methods(options: ModuleOptions = {}): Promise<Method[]> {
  return (await names(options)).methods;
}

/** Every method of `Stream.round`. */
export async function roundMethods(options: ModuleOptions = {}): Promise<RoundMethod[]> {
  return (await names(options)).roundMethods;
}

/** Every source that `source` may name. */
export async function sources(options: ModuleOptions = {}): Promise<Source[]> {
  return (await names(options)).sources;
}
