/** WebAssembly modules: each loaded once, with SIMD instructions where there are any; or given by the caller. */

import { SamplezError, type ErrorKind, invalid } from "./errors.js";
import { builtin } from "./platform.js";
import { kind, messageOf } from "./shown.js";
import { decode } from "./text.js";

/** A module of this package: compiled, as bytes, as a response, or a promise of one of these. The promise may be of an
 * ES module whose default it is. */
export type ModuleSource = Given | PromiseLike<Given | { readonly default: Given }>;
type Given = WebAssembly.Module | ArrayBuffer | ArrayBufferView<ArrayBuffer> | Response;

/** For runtimes that forbid loading, or compiling, such as workerd. */
export interface ModuleOptions {
  /** The WebAssembly module; loaded from where the script is if absent. */
  module?: ModuleSource | undefined;
}

/** A module inside JavaScript: its bytes in base64, or compiled. */
export type Carried = string | WebAssembly.Module;

/** A module, and where it is from. */
export interface Loaded {
  readonly module: WebAssembly.Module;
  readonly from: string;
  readonly simd: boolean;
}

/** A module of one function that needs simd128: () -> v128, by i32.const 0, i8x16.splat. */
const PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
]);

/** Whether the engine has SIMD instructions; an error if it has no WebAssembly. */
export function hasSimd(): boolean {
  checkEngine();
  return WebAssembly.validate(PROBE);
}

function checkEngine(): void {
  if (typeof WebAssembly !== "object") throw new SamplezError("load", "samplez needs WebAssembly, which this engine lacks or has switched off");
}

/** Loads one of these modules, as it is given or from a file. `file` returns the file for engines with SIMD
 * instructions or without. A module is compiled once; a failure to load is not remembered. */
export function loader(names: readonly string[], file: (simd: boolean) => URL | Carried): (simd: boolean | undefined, given?: ModuleSource) => Promise<Loaded> {
  const loaded = new Map<boolean, Promise<WebAssembly.Module>>();
  return async (asked, given) => {
    checkEngine();
    if (given !== undefined) return checked(names, asked, await fromCaller(given));
    const simd = asked ?? hasSimd();
    const from = file(simd);
    let module = loaded.get(simd);
    if (module === undefined) {
      module = from instanceof URL ? compiled(from) : carried(from);
      module.catch(() => loaded.delete(simd));
      loaded.set(simd, module);
    }
    return { module: await module, from: nameOf(from), simd };
  };
}

/** An instance of a module. */
export const instantiate = async ({ module, from }: Loaded, imports: WebAssembly.Imports): Promise<WebAssembly.Exports> =>
  (await WebAssembly.instantiate(module, imports).catch(refused(from))).exports;

/** Ends an instance: overwrites all of its memory, because its stack holds copies of seeds and samples. */
export const close = ({ memory }: { readonly memory: WebAssembly.Memory }): void => {
  new Uint8Array(memory.buffer).fill(0);
};

const nameOf = (from: URL | Carried): string => (from instanceof URL ? from.href : "the WebAssembly module inside the script");

async function fromCaller(source: ModuleSource): Promise<WebAssembly.Module> {
  let given = await Promise.resolve(source).catch((cause) => {
    throw because("module: the promise of it was not kept", cause, "samplez's README shows what each runtime needs");
  });
  if (kind(given) === "Module") given = (given as { default: Given }).default;
  if (kind(given) === "WebAssembly.Module") return given as WebAssembly.Module;
  if (kind(given) === "Response") {
    const response = given as Response;
    if (!response.ok) throw new SamplezError("other", `module = ${response.url || "a Response"}: expected a WebAssembly module, and the server answered ${response.status} ${response.statusText}`);
    given = await response.arrayBuffer();
  }
  if (kind(given) !== "ArrayBuffer" && !ArrayBuffer.isView(given)) {
    throw invalid("type", "module", given, "a WebAssembly.Module, its bytes, a Response, or a promise of one of these");
  }
  return WebAssembly.compile(given as ArrayBuffer).catch((cause) => {
    throw because("module: its bytes were not compiled", cause, "expected those of one of this package's .wasm files, or where the runtime forbids to compile a WebAssembly.Module");
  });
}

/** Refuses what is no module of these. */
function checked(names: readonly string[], asked: boolean | undefined, module: WebAssembly.Module): Loaded {
  const [section] = WebAssembly.Module.customSections(module, "samplez");
  const name = section === undefined ? "another module" : decode(new Uint8Array(section));
  if (!names.includes(name)) throw invalid("other", "module", name, `${names.join(" or ")}, of this package`);
  const simd = name !== "samplez.wasm";
  if (asked !== undefined && asked !== simd) throw new SamplezError("other", `simd = ${asked}: the module that is given is ${name}; leave simd out, or give ${names.find((other) => other !== name)}`);
  return { module, from: name, simd };
}

/** A module from its text. */
async function carried(from: Carried): Promise<WebAssembly.Module> {
  if (typeof from !== "string") return from;
  const text = atob(from);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return WebAssembly.compile(bytes).catch(refused(nameOf(from)));
}

async function compiled(url: URL): Promise<WebAssembly.Module> {
  const file = await bytes(url).catch((cause) => {
    const besides = url.protocol === "file:" ? "Node be 20.16 or newer" : "a Content-Security-Policy allow it under connect-src";
    throw because(`${url.href} could not be loaded`, cause, `it must lie where the script looks for it, and ${besides}; or import samplez/inline`);
  });
  if (file[0] !== 0 || file[1] !== 0x61) {
    const remedy = "import samplez/inline, which has no such file, or see samplez's README for what bundlers need";
    throw new SamplezError("load", `${url.href} is no WebAssembly module: a server or a bundler has put something else in its place; ${remedy}`);
  }
  return WebAssembly.compile(file).catch(refused(nameOf(url)));
}

/** Some engines report a refusal by a Content-Security-Policy as an error of compiling, others of an instance. */
const refused = (what: string) => (cause: unknown): never => {
  if (!(cause instanceof WebAssembly.CompileError)) throw cause;
  const remedy = "a Content-Security-Policy must allow script-src 'wasm-unsafe-eval', and a runtime that forbids to compile be given the option module";
  throw because(`${what} was not compiled`, cause, remedy);
};

/** Makes an error with its cause, in words too, and the way out. */
export const because = (what: string, cause: unknown, remedy: string, kind: ErrorKind = "load"): SamplezError =>
  new SamplezError(kind, `${what}: ${messageOf(cause)}; ${remedy}`, { cause });

async function bytes(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const files = url.protocol === "file:" ? builtin("node:fs/promises") : undefined;
  if (files !== undefined) return new Uint8Array(await files.readFile(url));
  const response = await fetch(url);
  if (!response.ok) throw new SamplezError("load", `${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}
