/** An instance of the module of `verify`, and the integers that it takes: on the caller's thread, or in a worker. */

import { isSampleArray, typeOf, wipe, type SampleArray } from "./arrays.js";
import { SamplezError } from "./errors.js";
import { failure, hasText, LAW, wayFromName } from "./options.js";
import type { Integer } from "./integers.js";
import { instantiate } from "./module.js";
import { isBytes, kind, viewKind } from "./shown.js";
import type { Judgement } from "./tasks.js";
import { decode, encode } from "./text.js";

/** Unsigned arrays, such as residues have; a Uint8Array is bytes. */
export type UnsignedArray = Uint16Array | Uint32Array | BigUint64Array;

/** Integers to judge: a typed array of integers, or an array of numbers and BigInts. Numbers, also those of a typed array, are integers up
 * to 2^53. */
export type Integers = SampleArray | UnsignedArray | Float32Array | Float64Array | readonly Integer[];

/** How integers beyond 64 bits are read: residues modulo q above 2^63 about 0, and integers of a law beyond 64 bits folded. */
export interface Reading {
  readonly q?: bigint | undefined;
  readonly origin?: bigint | undefined;
  readonly shift?: bigint | undefined;
}

const UNSIGNED = ["Uint16Array", "Uint32Array", "BigUint64Array"];
const isUnsigned = (values: unknown): values is UnsignedArray => UNSIGNED.includes(viewKind(values));

interface Exports {
  readonly memory: WebAssembly.Memory;
  input(len: number): number;
  answer_ptr(): number;
  answer_len(): number;
  open(len: number): number;
  compare(first: number, second: number): number;
  push(bits: number, len: number, of: number): number;
  report(): number;
  share(number: number, of: number): void;
  state(): number;
  join(len: number): number;
}

export const ALLOWED = "expected a typed array of integers, such as an Int8Array or a BigUint64Array, an array of integers, or an iterable of such";
/** Values that the module takes at a time. */
export const CHUNK = 65536;

/** Whether each of them is looked at. */
export const isNumbers = (values: unknown): values is Float64Array | readonly Integer[] => Array.isArray(values) || ["Float32Array", "Float64Array"].includes(viewKind(values));
export const isIntegers = (samples: unknown): samples is Integers => isSampleArray(samples) || isUnsigned(samples) || isNumbers(samples);

/** How the integers of a law are read, by the module's answer about it. */
export function readingOf(answer: string, modulus: bigint | undefined): Reading {
  if (answer === "") return { q: modulus !== undefined && modulus > 1n << 63n ? modulus : undefined };
  const [origin, shift] = answer.split("\t") as [string, string];
  return { origin: BigInt(origin), shift: BigInt(shift) };
}

/** Whether all integers are read one by one. */
const isSlow = ({ q, shift }: Reading): boolean => q !== undefined || shift !== undefined;

/** Some values of a typed array as signed ones, in the same array if it has them. */
export function asSamples(name: string, values: SampleArray | UnsignedArray, start: number, length: number, reading: Reading = {}): SampleArray {
  if (!isUnsigned(values) && !isSlow(reading)) return values.subarray(start, start + length);
  const part = values.subarray(start, start + length);
  if (!isSlow(reading) && viewKind(values) === "Uint16Array") return Int32Array.from(part as Uint16Array);
  const big = new BigInt64Array(part.length);
  for (let i = 0; i < part.length; i++) big[i] = read(name, start + i, BigInt(part[i]!), reading);
  return big;
}

/** The way out for integers beyond 64 bits. */
const RESIDUES = "; of residues modulo 2^64 pass modulus: 2n ** 64n";

/** An integer as the module takes it. */
function read(name: string, place: number, x: bigint, { q, origin, shift }: Reading): bigint {
  if (shift !== undefined) {
    const moved = x - (origin ?? 0n);
    const folded = ((moved >> shift) << 4n) + (moved & 15n);
    const end = 1n << 63n;
    return folded >= end ? end - 1n : folded < -end ? -end : folded;
  }
  const [least, most] = q === undefined ? [-(1n << 63n), (1n << 63n) - 1n] : [-(q >> 1n), q - 1n];
  if (x < least || x > most) {
    const allowed = q === undefined ? `an integer between -2^63 and 2^63 - 1${RESIDUES}, of negative integers BigInt64Array.from(samples)` : `a residue from 0 to ${most}, or from ${least} to ${-least}`;
    throw new SamplezError("out-of-range", `${name}[${place}]: expected ${allowed}`);
  }
  return q !== undefined && x > (q - 1n) >> 1n ? x - q : x;
}

/** The error about what is no array of integers. */
export function refused(name: string, values: unknown): SamplezError {
  const type = kind(values);
  const hint = isBytes(values) || ["ArrayBuffer", "DataView"].includes(type) ? "; of bytes pass the integers, such as new Int8Array(bytes)"
    : type === "String" ? "; read the integers of a text first, by JSON.parse(text) or text.trim().split(/\\s+/).map(Number)"
    : type === "Map" || (name.startsWith("a ") && ["Number", "BigInt"].includes(type)) ? "; pass the integers of an iterable as an array, such as Array.from(samples)" : "";
  return new SamplezError("type", `${name} = ${type}: ${ALLOWED}${hint}`);
}

/** Refuses what is no array of integers. */
export function checkIntegers(name: string, values: unknown): asserts values is Integers {
  if (!isIntegers(values)) throw refused(name, values);
}

/** An instance of the module, which judges once. */
export class Judge {
  readonly #wasm: Exports;
  #reading: Reading = {};

  private constructor(wasm: Exports) {
    this.#wasm = wasm;
  }

  static async create(module: WebAssembly.Module, from = "the module"): Promise<Judge> {
    return new Judge((await instantiate({ module, from, simd: true }, {})) as unknown as Exports);
  }

  /** Answers a worker's task. */
  answer(task: Judgement): BigUint64Array | string | undefined {
    if ("module" in task) {
      if (typeof task.law === "string") {
        const said = this.open(task.law, undefined);
        this.#call((wasm) => (wasm.share(task.share, task.of), 0));
        return said;
      }
      this.compare(...task.law);
      this.#call((wasm) => (wasm.share(task.share, task.of), 0));
    } else if ("values" in task) {
      this.take("samples", task.values, task.sample);
      wipe(task.values);
    } else if ("end" in task) {
      const words = this.#call((wasm) => wasm.state());
      const share = new BigUint64Array(this.#wasm.memory.buffer as ArrayBuffer, this.#input(8 * words), words).slice();
      this.wipe();
      return share;
    } else {
      for (const share of task.shares) {
        const at = this.#input(share.byteLength);
        new BigUint64Array(this.#wasm.memory.buffer as ArrayBuffer, at, share.length).set(share);
        this.#answer(this.#call((wasm) => wasm.join(share.length)));
      }
      const report = this.report();
      this.wipe();
      return report;
    }
    return undefined;
  }

  /** Judges by a law, modulo q if there is one. Returns the answer about its integers. */
  open(request: string, modulus: bigint | undefined): string {
    const text = encode(request);
    const at = this.#input(text.length);
    new Uint8Array(this.#wasm.memory.buffer).set(text, at);
    const answer = this.#answer(this.#call((wasm) => wasm.open(text.length)), hasText(request));
    this.#reading = readingOf(answer, modulus);
    return answer;
  }

  /** Judges two samples that begin so, each against the other. */
  compare(first: BigInt64Array, second: BigInt64Array): void {
    const at = this.#input(first.byteLength + second.byteLength);
    const heads = new BigInt64Array(this.#wasm.memory.buffer as ArrayBuffer, at, first.length + second.length);
    heads.set(first);
    heads.set(second, first.length);
    wipe(first);
    wipe(second);
    this.#answer(this.#call((wasm) => wasm.compare(first.length, second.length)));
  }

  /** Takes in values of the first (0) or the second sample. */
  take(name: string, values: Integers, of: 0 | 1): void {
    checkIntegers(name, values);
    if (!Array.isArray(values)) checkAttached(name, values as SampleArray);
    if (isSampleArray(values) && !isSlow(this.#reading)) return this.#push(name, values, of);
    for (let start = 0; start < values.length; start += CHUNK) {
      const length = Math.min(CHUNK, values.length - start);
      const part = isNumbers(values) ? bigInts(name, values, start, length, this.#reading) : asSamples(name, values as UnsignedArray, start, length, this.#reading);
      try {
        this.#push(name, part, of);
      } finally {
        wipe(part);
      }
    }
  }

  /** The verdict, as JSON. */
  report(): string {
    return this.#answer(this.#call((wasm) => wasm.report()));
  }

  /** Writes zeros over all that the instance has. */
  wipe(): void {
    new Uint8Array(this.#wasm.memory.buffer).fill(0);
  }

  #push(name: string, values: SampleArray, of: 0 | 1): void {
    const type = typeOf(name, values);
    for (let start = 0; start < values.length; start += CHUNK) {
      const part = values.subarray(start, start + CHUNK);
      const at = this.#input(part.byteLength);
      new type(this.#wasm.memory.buffer as ArrayBuffer, at, part.length).set(part as never);
      this.#answer(this.#call((wasm) => wasm.push(8 * type.BYTES_PER_ELEMENT, part.length, of)));
    }
  }

  /** Returns where the module's input begins, with space for so many bytes. */
  #input(bytes: number): number {
    return this.#call((wasm) => wasm.input(bytes)) >>> 0;
  }

  #call(call: (wasm: Exports) => number): number {
    try {
      return call(this.#wasm);
    } catch (cause) {
      throw new SamplezError("stopped", "the WebAssembly module stopped, for want of memory or by a bug", { cause });
    }
  }

  /** The answer to a call; its message as an error if the call failed. */
  #answer(status: number, isText = false): string {
    const bytes = new Uint8Array(this.#wasm.memory.buffer as ArrayBuffer, this.#wasm.answer_ptr() >>> 0, this.#wasm.answer_len());
    const text = decode(bytes);
    if (status !== 0) throw failure(text, (error) => (error.kind === "unknown" || error.argument === "recipe" ? wayFromName(error, LAW, "verify") : ""), isText);
    return text;
  }
}

/** Some of an array, each checked. */
export function bigInts(name: string, values: Float64Array | readonly Integer[], start: number, length: number, reading: Reading = {}): BigInt64Array {
  const big = new BigInt64Array(length);
  for (let i = 0; i < length; i++) {
    const value = values[start + i];
    const isInteger = typeof value === "number" ? Number.isSafeInteger(value) : typeof value === "bigint";
    if (isInteger && isSlow(reading)) {
      big[i] = read(name, start + i, BigInt(value as Integer), reading);
      continue;
    }
    if (!isInteger || (typeof value === "bigint" && BigInt.asIntN(64, value) !== value)) {
      wipe(big);
      throw new SamplezError("out-of-range", `${name}[${start + i}]: expected an integer between -2^63 and 2^63 - 1, beyond 2^53 a BigInt, not ${what(value)}`);
    }
    big[i] = BigInt(value as Integer);
  }
  return big;
}

/** The longest array that is a row, and no piece of the samples. */
const ROW = 16;

/** Describes a value that is no such integer, without the value, which may be a sample's, and with the way out. */
function what(value: unknown): string {
  const type = kind(value);
  if (typeof value === "bigint") return `a BigInt beyond 64 bits${RESIDUES}`;
  if (typeof value === "number") return !Number.isFinite(value) ? `${value}; leave out what is missing, by samples.filter(Number.isFinite)` : Number.isInteger(value) ? "a number beyond 2^53; read the integers by BigInt" : "a fraction; round first, such as samples.map(Math.round)";
  if ((value ?? undefined) === undefined) return `${type}; leave out what is missing, by samples.filter((x) => x != null)`;
  if (typeof value === "string" || typeof value === "boolean") return `${type}; pass samples.map(Number), or map(BigInt) beyond 2^53`;
  const length = Array.isArray(value) || ArrayBuffer.isView(value) ? (value as { length?: number }).length ?? ROW : 0;
  return type + (length > ROW ? "; pass several arrays as an iterable, such as pieces.values()" : typeof value === "object" ? "; of rows pass one column, such as samples.map((row) => row[1])" : "");
}

/** The first of an array's values, as BigInts. */
export function widened(name: string, values: SampleArray, length: number): BigInt64Array {
  typeOf(name, values);
  checkAttached(name, values);
  const big = new BigInt64Array(length);
  for (let i = 0; i < length; i++) big[i] = BigInt(values[i]!);
  return big;
}

export function checkAttached(name: string, values: SampleArray | UnsignedArray): void {
  try {
    new Uint8Array(values.buffer);
  } catch {
    throw new SamplezError("type", `${name} = ${kind(values)}: its buffer is detached, and its values are gone`);
  }
}
