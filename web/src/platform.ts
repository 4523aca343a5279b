/** Features that Node has and browsers have not. Nothing is imported by its name, so that a bundler finds nothing to
 * resolve. */

interface Builtins {
  "node:fs/promises": typeof import("node:fs/promises");
  "node:util": typeof import("node:util");
  "node:worker_threads": typeof import("node:worker_threads");
}

/** Returns a module of Node, in Node and similar runtimes; `undefined` elsewhere. */
export function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  return process?.getBuiltinModule?.(name) as Builtins[Name] | undefined;
}
