import { Instance } from "./instance.js";
import type { MethodName, RoundMethodName, SourceName } from "./name-types.js";

/** A sampling method. */
export interface Method {
  readonly name: MethodName;
  readonly summary: string;
  /** The options that shape it; others it refuses, but for those that every method heeds. */
  readonly heeds: readonly string[];
}

/** A method that takes a centre with each sample. */
export interface RoundMethod {
  readonly name: RoundMethodName;
  readonly summary: string;
  /** Whether its law is D_{Z,σ,c} itself. */
  readonly exact: boolean;
  /** What the running time reveals: isochronous or variable. */
  readonly timing: string;
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

const names = async () => JSON.parse((await Instance.create(undefined)).names());

/** Every method that `method` may name, besides `"auto"`. */
export async function methods(): Promise<Method[]> {
  return (await names()).methods;
}

/** Every method of `Stream.round`. */
export async function roundMethods(): Promise<RoundMethod[]> {
  return (await names()).roundMethods;
}

/** Every source that `source` may name. */
export async function sources(): Promise<Source[]> {
  return (await names()).sources;
}
