/** Claims of [JSDGS17] that the page tries in its reader's browser, and the report without one. */

import { DiscreteGaussian } from "../../dist/index.js";
import { Schemes } from "../../dist/schemes/index.js";
import type { Finding } from "./measure-protocol.js";

/** The speeds of a method at a width, in samples per millisecond, and the recipe in WebAssembly. */
export interface Row {
  readonly name: string;
  readonly sigma: string;
  readonly plain: number;
  readonly wasm: number;
  readonly recipe: string;
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

/** The bytes of the tables, and Knuth and Yao's speed beside the others'. */
async function tables(rows: readonly Row[]): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const { name, sigma, recipe } of rows) {
    const d = await DiscreteGaussian.create({ recipe, seed: 1 });
    const ours = d.certificate().table_bytes / 1024;
    d.dispose();
    const quantity = `memory of ${name === "Ziggurat" ? "the Ziggurat" : name} at ${sigma}`;
    found.push({ item: "J14", quantity, terms: recipe, unit: "KiB", ours });
    if (name === "Knuth-Yao" && sigma === "107") found.push({ item: "J16", quantity, terms: recipe, unit: "KiB", ours });
  }
  const [of, others] = [rows.find(({ name, sigma }) => name === "Knuth-Yao" && sigma === "3.3311"), rows.filter(({ name, sigma }) => name !== "Knuth-Yao" && sigma === "3.3311")];
  for (const { name, plain, wasm } of others) {
    if (of) found.push({ item: "J15", quantity: `Knuth-Yao over ${name} at 3.3311`, terms: "", unit: "statement", ours: `${(of.wasm / wasm).toPrecision(3)} times in WebAssembly, ${(of.plain / plain).toPrecision(3)} in plain JavaScript` });
  }
  return found;
}

/** All of them. */
export const here = async (rows: readonly Row[]): Promise<Finding[]> => [...(await schemes()), ...(await tables(rows))];
