/** Claims of [JSDGS17] that the page tries in its reader's browser, and the report without one. */

import { Schemes } from "../../dist/schemes/index.js";
import type { Finding } from "./measure-protocol.js";

/** The speeds of a method at a width, in samples per millisecond. */
export interface Row {
  readonly name: string;
  readonly sigma: string;
  readonly plain: number;
  readonly wasm: number;
}

const TEXT = new TextEncoder().encode("Meet me at noon");

/** How many bits of two texts differ. */
const different = (a: Uint8Array, b: Uint8Array): number =>
  a.reduce((sum, byte, i) => sum + (byte ^ (b[i] ?? ~byte & 255)).toString(2).replaceAll("0", "").length, 0);

/** What came of the schemes. */
async function schemes(): Promise<Finding[]> {
  const all = await Schemes.create();
  const bliss = all.bliss({ set: "II" });
  const { secretKey, publicKey } = bliss.keygen();
  const { signature } = secretKey.sign(TEXT);
  const [right, wrong] = [publicKey.verify(TEXT, signature), publicKey.verify("Meet me at moon", signature)];
  secretKey.dispose();
  const found: Finding[] = [
    { item: "J1", quantity: "BLISS-II", terms: "", unit: "statement", ours: `a key, a signature that ${right ? "verifies" : "does not verify"}, and another text, ${wrong ? "which verifies too" : "which does not"}`, outcome: right && !wrong ? "agrees" : "differs" },
  ];
  for (const [item, scheme] of [["J3", all.regev({ set: "mr09-192" })], ["J4", all.lp11({ set: "matrix-256" })]] as const) {
    const keys = scheme.keygen();
    const bits = different(TEXT, keys.secretKey.decrypt(keys.publicKey.encrypt(TEXT)));
    keys.secretKey.dispose();
    found.push({ item, quantity: `${item === "J3" ? "Regev" : "LP11"}, ${scheme.set}`, terms: "", unit: "statement", ours: `${bits} of ${8 * TEXT.length} bits wrong after encryption and decryption` });
  }
  all.dispose();
  return found;
}

/** Knuth and Yao's speed beside the others', at the paper's smallest width. */
function ratios(rows: readonly Row[]): Finding[] {
  const at = rows.filter(({ sigma }) => sigma === "3.3311");
  const first = at.find(({ name }) => name === "Knuth-Yao");
  if (first === undefined) return [];
  return at
    .filter((row) => row !== first)
    .map(({ name, plain, wasm }) => {
      const ours = `${(first.wasm / wasm).toPrecision(3)} times in WebAssembly, ${(first.plain / plain).toPrecision(3)} in plain JavaScript`;
      return { item: "J15", quantity: `Knuth-Yao over ${name} at 3.3311`, terms: "", unit: "statement", ours };
    });
}

/** All of them. */
export const here = async (rows: readonly Row[]): Promise<Finding[]> => [...(await schemes()), ...ratios(rows)];
