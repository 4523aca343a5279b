// The search of the documentation site, as its own worker does it: no browser is needed to ask it.
// @ts-check

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";

/** What finds the pages of a question, the best first, by the index that the site has. @param {string} site
 * @returns {Promise<(question: string) => Promise<string[]>>} */
export async function searchOf(site) {
  const folder = join(site, "assets/javascripts/workers");
  const script = readdirSync(folder).find((name) => /^search\..*\.js$/.test(name)) ?? "";
  /** @type {(message: { data: unknown }) => void} */
  let hear = () => {};
  /** @type {(message: any) => void} */
  let answer = () => {};
  const context = createContext({
    console: { warn: () => {} },
    addEventListener: (/** @type {string} */ _, /** @type {typeof hear} */ listener) => (hear = listener),
    postMessage: (/** @type {any} */ message) => answer(message),
  });
  runInContext(`self = globalThis; ${readFileSync(join(folder, script), "utf8")}`, context);
  const ask = (/** @type {unknown} */ data) =>
    /** @type {Promise<any>} */ (
      new Promise((resolve) => {
        answer = resolve;
        hear({ data });
      })
    );
  const index = JSON.parse(readFileSync(join(site, "search/search_index.json"), "utf8"));
  await ask({ type: 0, data: { ...index, options: { suggest: false } } });
  return async (question) => {
    const { data } = await ask({ type: 2, data: question });
    return Array.from(data.items, (/** @type {{ location: string }[]} */ page) => page.at(-1)?.location.split("#")[0] ?? "");
  };
}

/** Questions of newcomers, and the page that is to come first. @type {[string, string][]} */
export const QUESTIONS = [
  ["npm", "web/index.html"],
  ["streaming", "web/index.html"],
  ["which method for sigma 215", "docs/book/choosing.html"],
  ["install python", "python/index.html"],
  ["numpy random", "docs/book/scipy.html"],
  ["is it constant time", "docs/book/constant-time.html"],
  ["test my samples", "docs/book/verifying.html"],
  ["epsilon delta privacy", "docs/book/differential-privacy.html"],
  ["what is a certificate", "docs/book/certificates.html"],
  ["security audit", "SECURITY.html"],
];

/** Questions of cryptographers, privacy engineers, web developers and auditors, and a page that answers them. @type {[string, string][]} */
export const FURTHER = [
  ["precision for a target renyi divergence", "docs/book/choosing.html"],
  ["shake xof", "docs/book/rust.html"],
  ["variance or width parameter", "docs/book/choosing.html"],
  ["falcon samplerz", "docs/book/schemes.html"],
  ["gadget preimage", "docs/book/trapdoors.html"],
  ["klein lattice", "docs/book/lattices.html"],
  ["side channel masking", "docs/book/circuit.html"],
  ["arm dit", "docs/book/constant-time.html"],
  ["audit a table", "docs/book/tables.html"],
  ["microcontroller", "docs/book/tables.html"],
  ["truncated sampling", "docs/book/choosing.html"],
  ["noise for a histogram", "docs/book/differential-privacy.html"],
  ["coming from opendp", "docs/book/differential-privacy.html"],
  ["budget database", "docs/book/differential-privacy.html"],
  ["timing attack privacy", "docs/book/differential-privacy.html"],
  ["floating point attack mironov", "docs/book/differential-privacy.html"],
  ["dask noise privacy", "docs/book/differential-privacy.html"],
  ["spark", "docs/book/cluster.html"],
  ["bundle size", "web/index.html"],
  ["content security policy", "web/index.html"],
  ["react native", "web/toolchains/index.html"],
  ["sbom", "SECURITY.html"],
  ["report a vulnerability", "SECURITY.html"],
  ["dependencies unsafe", "docs/review.html"],
  ["fips", "SECURITY.html"],
  ["fuzzing", "docs/trust.html"],
  ["windows macos", "index.html"],
  ["same integers in later versions", "docs/sources.html"],
  ["gpu", "docs/book/why.html"],
  ["fork", "SECURITY.html"],
  ["julia binding", "capi/BINDINGS.html"],
  ["license", "index.html"],
  ["pcg64", "docs/book/scipy.html"], // it occurs right after a parenthesis alone
  ["subsampling amplification", "docs/book/differential-privacy.html"],
  ["pandas column noise", "docs/book/scipy.html"],
  ["smudging noise flooding", "docs/book/tutorial-fhe.html"],
  ["third-party licences", "SECURITY.html"],
  ["mutation testing", "docs/trust.html"],
  ["bliss security level", "docs/book/schemes.html"],
  ["how many samples per key", "docs/book/certificates.html"],
  ["which compilers were tested", "docs/timing.html"],
  ["formal verification coq", "docs/proofs/machine-checked.html"],
  ["size of the wasm file", "web/index.html"],
  ["statistical distance 2^-128", "docs/book/certificates.html"],
  ["ledger lock two processes", "docs/book/differential-privacy.html"],
  ["confidence interval of the noise", "docs/book/differential-privacy.html"],
  ["web worker headers cross-origin isolation", "web/index.html"],
  ["same integers python and browser", "docs/book/names.html"],
  ["ntru key generation", "docs/book/tutorial-cryptographer.html"],
];
