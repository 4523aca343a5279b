/** Tables for `samplez/core`: {@link buildTable}. */

import { bigFile } from "../big-file.js";
import { checkCount, invalid } from "../errors.js";
import { instantiate, loader, type ModuleOptions } from "../module.js";
import { failure, checkOptions, isWidth, LAW, wayFromName } from "../options.js";
import { decode, encode } from "../text.js";
import { sum } from "./sum.js";

export { SamplezError, type ErrorKind } from "../errors.js";

interface Exports {
  readonly memory: WebAssembly.Memory;
  input(len: number): number;
  answer_ptr(): number;
  answer_len(): number;
  build_table(len: number): number;
  table_ptr(): number;
}

const load = /* @__PURE__ */ loader(["samplez-big.wasm"], bigFile);

/**
 * Builds the table of a recipe for `samplez/core`, ahead of time or on demand: bytes to store or to send.
 *
 * ```js
 * writeFileSync("noise.table", await buildTable("sigma=3.2"));
 * ```
 *
 * The recipe is a width up to σ = 318, or 159 if the centre is not an integer, and perhaps a centre and a precision, of which more bits permit
 * slightly narrower tables. A method must be one of the two kernels of `samplez/core`.
 */
export async function buildTable(recipe: string, options: ModuleOptions = {}): Promise<Uint8Array> {
  checkCount(arguments, 2);
  if (typeof recipe !== "string") throw invalid("type", "recipe", recipe, "a text such as sigma=3.2");
  checkOptions("options", options, ["module"]);
  const { module } = options;
  const unused = { samplez: { entropy: () => 1 } };
  const wasm = (await instantiate(await load(module === undefined ? false : undefined, module), unused)) as unknown as Exports;
  const text = encode(recipe);
  const to = wasm.input(text.length) >>> 0;
  new Uint8Array(wasm.memory.buffer).set(text, to);
  const status = wasm.build_table(text.length);
  const answer = decode(new Uint8Array(wasm.memory.buffer as ArrayBuffer, wasm.answer_ptr() >>> 0, wasm.answer_len()));
  if (status !== 0) throw failure(answer, (error) => (error.kind === "unknown" || error.argument === "recipe" ? wayFromName(error, LAW) : error.kind === "unsupported" && isWidth(error.argument ?? "") ? "; DiscreteGaussian takes wider ones" : ""), true);
  const length = Number(answer);
  const table = new Uint8Array(8 + length);
  table.set(encode("SZT1"));
  table.set(new Uint8Array(wasm.memory.buffer as ArrayBuffer, wasm.table_ptr() >>> 0, length), 8);
  new DataView(table.buffer).setUint32(4, sum(table.subarray(8)), true);
  return table;
}
