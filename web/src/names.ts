import { checkCount } from "./errors.js";
import { Instance } from "./instance.js";
import type { ModuleOptions } from "./module.js";
import type { MethodName, SourceName } from "./name-types.js";
import { checkOptions } from "./options.js";

/** A sampling method. */
export interface Method {
  readonly name: MethodName;
  readonly summary: string;
  /** The options that this method uses, besides the options of every method. It refuses all other options. */
  readonly heeds: readonly string[];
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

async function names(options: ModuleOptions, given: ArrayLike<unknown>) {
  checkCount(given, 1);
  checkOptions("options", options, ["module"]);
  return JSON.parse((await Instance.create(undefined, options.module)).names());
}

/** Every method that `method` may name, besides `"auto"`. */
export async function methods(options: ModuleOptions = {}): Promise<Method[]> {
  return (await names(options, arguments)).methods;
}

/** Every source that `source` may name. */
export async function sources(options: ModuleOptions = {}): Promise<Source[]> {
  return (await names(options, arguments)).sources;
}
