/** What Node has and browsers have not. Nothing is imported by its name: so a bundler finds nothing that it would have to resolve. */

interface Builtins {
  "node:fs/promises": typeof import("node:fs/promises");
  "node:util": typeof import("node:util");
  "node:worker_threads": typeof import("node:worker_threads");
}

/** A module of Node, in Node and what is like it; `undefined` elsewhere. */
export function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  return process?.getBuiltinModule?.(name) as Builtins[Name] | undefined;
}
