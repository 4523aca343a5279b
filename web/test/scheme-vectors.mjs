// The schemes' shared vectors, kat/schemes.csv, judged by any copy of the package, in Node and in browsers.
// @ts-check

/** @typedef {typeof import("../dist/schemes/index.js")} Package */

/** Methods that the module carries; vectors of others are counted, and passed over. */
const CARRIED = ["cdt-lazy-ct", "cdt-guided", "knuth-yao-compact"];

/** @param {string} hex */
const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));

/** @param {Uint8Array} of */
const hex = (of) => Array.from(of, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {Uint8Array} of */
const digest = async (of) => hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(of))));

/** The lines of which this package makes other bytes, the number of those that it makes, and of those passed over.
 * @param {Package} package_ @param {string} csv */
export async function checkSchemes({ Schemes }, csv) {
  const schemes = await Schemes.create();
  const failures = [];
  let [count, other] = [0, 0];
  for (const line of csv.trimEnd().split("\n").slice(1)) {
    const fields = line.split(",");
    if (fields.length !== 13) throw new Error(`13 fields: ${line}`);
    const [scheme, set, variant, profile, signer, recipe, keySeed, seed, text, publicKey, secretKey, output, decrypted] =
      /** @type {[string, string, string, string, string, string, string, string, string, string, string, string, string]} */ (fields);
    const noise = recipe.replaceAll("&", ",");
    if (!CARRIED.includes(/method=([^,]*)/.exec(noise)?.[1] ?? "")) {
      other++;
      continue;
    }
    count++;
    const message = bytes(text);
    let made;
    if (scheme === "bliss") {
      const bliss = schemes.bliss(/** @type {any} */ ({ set, variant, profile, signer, noise }));
      const keys = bliss.keygen({ seed: keySeed });
      const { signature } = keys.secretKey.sign(message, { seed });
      made = [keys.publicKey.toBytes(), keys.secretKey.toBytes(), signature];
      if (!keys.publicKey.verify(message, signature)) failures.push(`not valid: ${line}`);
    } else {
      const cipher = scheme === "lp11" ? schemes.lp11(/** @type {any} */ ({ set, noise })) : schemes.regev(/** @type {any} */ ({ set, noise }));
      const keys = cipher.keygen({ seed: keySeed });
      const ciphertext = keys.publicKey.encrypt(message, { seed });
      made = [keys.publicKey.toBytes(), keys.secretKey.toBytes(), ciphertext];
      if (hex(keys.secretKey.decrypt(ciphertext)) !== decrypted) failures.push(`decrypted: ${line}`);
    }
    const hashes = await Promise.all(made.map(digest));
    if (hashes.join() !== [publicKey, secretKey, output].join()) failures.push(line);
  }
  schemes.dispose();
  return { count, other, failures };
}
