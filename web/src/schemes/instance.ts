/** One instance of the schemes' module, and the data that cross its border: requests, bytes, handles. */

import { SamplezError } from "../errors.js";
import { hasSimd, instantiate, loader, type ModuleSource } from "../module.js";
import { failure, seedBytes, type Seed } from "../options.js";
import { isBytes, kind } from "../shown.js";
import { decode, encode } from "../text.js";
import { schemesFile } from "./schemes-file.js";

interface Exports {
  readonly memory: WebAssembly.Memory;
  input(len: number): number;
  answer_ptr(): number;
  answer_len(): number;
  sets(): number;
  seed(isText: number): number;
  open(): number;
  keygen(scheme: number): number;
  read(scheme: number, isSecret: number): number;
  write(key: number): number;
  sign(scheme: number, key: number): number;
  attempts(): number;
  verify(key: number, message: number): number;
  encrypt(scheme: number, key: number): number;
  decrypt(key: number): number;
  draw(scheme: number, count: number): number;
  close(handle: number): void;
  clear(): void;
}

const load = /* @__PURE__ */ loader(["samplez-schemes.wasm"], schemesFile);

/** Returns the bytes, or throws an error with the allowed types. */
export function bytesOf(name: string, value: Uint8Array | string): Uint8Array {
  if (typeof value === "string") return encode(value);
  if (isBytes(value)) return value;
  throw new SamplezError("type", `${name} = ${kind(value)}: expected a Uint8Array or a text`);
}

/** Statuses of calls: a failure, whose answer is a message, and the status of `verify` for bytes that are no
 * signature. */
const FAILED = 1;
const NOT_SIGNED = 2;

export class Instance {
  readonly #wasm: Exports;
  #open = true;
  /** The memory, as long as it has not grown. */
  #memory = new Uint8Array(0);

  private constructor(wasm: Exports) {
    this.#wasm = wasm;
  }

  static async create(module: ModuleSource | undefined): Promise<Instance> {
    if (!hasSimd()) throw new SamplezError("load", "samplez/schemes needs WebAssembly with SIMD instructions, which this engine lacks");
    return new Instance((await instantiate(await load(true, module), {})) as unknown as Exports);
  }

  sets(): string {
    return this.#text((wasm) => wasm.sets());
  }

  /** Opens a scheme: lines of `key<TAB>value`. */
  open(request: string): string {
    return this.#text((wasm) => wasm.open(), bytesOf("request", request));
  }

  keygen(scheme: number, seed: Seed | undefined): number[] {
    this.#seed(seed);
    return JSON.parse(this.#text((wasm) => wasm.keygen(scheme)));
  }

  read(scheme: number, isSecret: boolean, key: Uint8Array): number[] {
    return JSON.parse(this.#text((wasm) => wasm.read(scheme, Number(isSecret)), key));
  }

  write(key: number): Uint8Array {
    return this.#call((wasm) => wasm.write(key));
  }

  sign(scheme: number, key: number, message: Uint8Array, seed: Seed | undefined): { bytes: Uint8Array; attempts: number } {
    this.#seed(seed);
    const bytes = this.#call((wasm) => wasm.sign(scheme, key), message);
    return { bytes, attempts: this.#wasm.attempts() };
  }

  verify(key: number, message: Uint8Array, signature: Uint8Array): boolean {
    return this.#run((wasm) => wasm.verify(key, message.length), message, signature) !== NOT_SIGNED;
  }

  encrypt(scheme: number, key: number, message: Uint8Array, seed: Seed | undefined): Uint8Array {
    this.#seed(seed);
    return this.#call((wasm) => wasm.encrypt(scheme, key), message);
  }

  decrypt(key: number, ciphertext: Uint8Array): Uint8Array {
    return this.#call((wasm) => wasm.decrypt(key), ciphertext);
  }

  draw(scheme: number, count: number, seed: Seed | undefined): Int32Array {
    this.#seed(seed);
    return new Int32Array(this.#call((wasm) => wasm.draw(scheme, count)).buffer as ArrayBuffer);
  }

  /** Drops a scheme or a key, and wipes what is secret in it. */
  close(handle: number): void {
    if (this.#open) this.#wasm.close(handle);
  }

  /** Drops everything. */
  clear(): void {
    if (this.#open) this.#wasm.clear();
    this.#open = false;
  }

  /** The seed of the next operation; if there is none, a fresh one, of which no copy stays here. */
  #seed(seed: Seed | undefined): void {
    const given = seedBytes({ seed });
    const isText = seed !== undefined && !(isBytes(seed));
    this.#run((wasm) => wasm.seed(Number(isText)), isText ? bytesOf("seed", String(seed)) : given);
    if (seed === undefined) given.fill(0);
  }

  #text(call: (wasm: Exports) => number, ...input: Uint8Array[]): string {
    return decode(this.#call(call, ...input));
  }

  /** The answer to a call of this input. In the module both are wiped. */
  #call(call: (wasm: Exports) => number, ...input: Uint8Array[]): Uint8Array {
    this.#run(call, ...input);
    const answer = this.#answer();
    this.#wasm.input(0);
    return answer;
  }

  /** A call of this input, which is wiped in the module; its message as an error if it failed. */
  #run(call: (wasm: Exports) => number, ...input: Uint8Array[]): number {
    if (!this.#open) throw new SamplezError("disposed", "these Schemes have been disposed of");
    const wasm = this.#wasm;
    let status: number;
    try {
      let to = wasm.input(input.reduce((sum, part) => sum + part.length, 0)) >>> 0;
      for (const part of input) {
        this.#bytes().set(part, to);
        to += part.length;
      }
      status = call(wasm);
    } catch (cause) {
      // What is left of it is of no use.
      this.#open = false;
      throw new SamplezError("stopped", "the WebAssembly module stopped, for want of memory or by a bug", { cause });
    }
    if (status !== FAILED) return status;
    const message = decode(this.#answer());
    wasm.input(0);
    throw failure(message);
  }

  #answer(): Uint8Array {
    const from = this.#wasm.answer_ptr() >>> 0;
    return this.#bytes().slice(from, from + this.#wasm.answer_len());
  }

  #bytes(): Uint8Array {
    const { buffer } = this.#wasm.memory;
    if (this.#memory.buffer !== buffer) this.#memory = new Uint8Array(buffer as ArrayBuffer);
    return this.#memory;
  }
}
