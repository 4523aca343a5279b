/** One instance of the module, and what crosses its border: texts, integers, samples. */

import { noEntropy, randomBytes } from "./entropy.js";
import { hasSimd, loader } from "./module.js";

interface Exports {
  readonly memory: WebAssembly.Memory;
  input(len: number): number;
  answer_ptr(): number;
  answer_len(): number;
  names(): number;
  open(len: number): number;
  figure(kind: number): number;
  fill(bits: number, first: bigint, len: number): number;
  output(): number;
  pmf(x: bigint): number;
  cdf(x: bigint): number;
  mass(low: bigint, high: bigint): number;
  close(): void;
}

/** Random bytes for the module. A failure is the error of the call in which it happened. */
class Entropy {
  memory: WebAssembly.Memory | undefined;
  failure: Error | undefined;

  readonly give = (to: number, len: number): number => {
    try {
      randomBytes(new Uint8Array(this.memory!.buffer as ArrayBuffer, to >>> 0, len));
      return 0;
    } catch (cause) {
      this.failure = noEntropy(cause);
      return 1;
    }
  };

  /** Throws the failure of this call. */
  check(): void {
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
  }
}

/** Where the module lies. Bundlers know a file by these very words. */
export const moduleUrl = (simd: boolean): URL =>
  simd ? new URL("./samplez-simd.wasm", import.meta.url) : new URL("./samplez.wasm", import.meta.url);

const load = loader(moduleUrl);

export class Instance {
  readonly #wasm: Exports;
  readonly #entropy: Entropy;
  readonly simd: boolean;

  private constructor(wasm: Exports, entropy: Entropy, simd: boolean) {
    this.#wasm = wasm;
    this.#entropy = entropy;
    this.simd = simd;
  }

  /** An instance with SIMD instructions or without; `undefined`: where there are any. */
  static async create(simd: boolean | undefined): Promise<Instance> {
    const vectors = simd ?? hasSimd();
    const entropy = new Entropy();
    const wasm = (await load(vectors, { samplez: { entropy: entropy.give } })) as unknown as Exports;
    entropy.memory = wasm.memory;
    return new Instance(wasm, entropy, vectors);
  }

  names(): string {
    return this.#answer(() => this.#wasm.names());
  }

  /** Builds an array; `seed` is empty if the request names one. */
  open(request: string, seed: Uint8Array): string {
    const length = this.#give(request, seed);
    return this.#answer(() => this.#wasm.open(length));
  }

  figure(kind: number, request: string): string {
    this.#give(request, new Uint8Array(0));
    return this.#answer(() => this.#wasm.figure(kind));
  }

  /** Samples `first`, … as a view of the memory, good until the next call. */
  fill(bits: number, first: bigint, len: number): ArrayBuffer {
    this.#answer(() => this.#wasm.fill(bits, first, len));
    return this.#wasm.memory.buffer as ArrayBuffer;
  }

  get output(): number {
    return this.#wasm.output() >>> 0;
  }

  pmf(x: bigint): number {
    return this.#wasm.pmf(x);
  }

  cdf(x: bigint): number {
    return this.#wasm.cdf(x);
  }

  mass(low: bigint, high: bigint): number {
    return this.#wasm.mass(low, high);
  }

  /** Wipes what is secret. */
  close(): void {
    this.#wasm.close();
  }

  /** Writes an input; returns the length of its text. */
  #give(text: string, rest: Uint8Array): number {
    const request = new TextEncoder().encode(text);
    const to = this.#wasm.input(request.length + rest.length) >>> 0;
    const memory = new Uint8Array(this.#wasm.memory.buffer);
    memory.set(request, to);
    memory.set(rest, to + request.length);
    return request.length;
  }

  /** The answer to a call; its message as an error if the call failed. */
  #answer(call: () => number): string {
    let status: number;
    try {
      status = call();
    } catch (cause) {
      this.#entropy.check();
      const text = "the WebAssembly module stopped, for want of memory or by a bug; a smaller memory may help";
      throw new Error(text, { cause });
    }
    const length = this.#wasm.answer_len();
    if (status === 0 && length === 0) return ""; // a fill, which need not wait for a decoder
    const at = this.#wasm.answer_ptr() >>> 0;
    const text = new TextDecoder().decode(new Uint8Array(this.#wasm.memory.buffer, at, length));
    if (status !== 0) {
      this.#entropy.check();
      throw new Error(text);
    }
    return text;
  }
}
