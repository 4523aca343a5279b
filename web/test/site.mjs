// The page as it is deployed, and beside it what the tests need.
// @ts-check

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "../tools/serve.mjs";

const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

/** Serves web/build/site, with test/watch.js before the page's own script. */
export async function serveSite() {
  const folder = mkdtempSync(join(tmpdir(), "samplez-site-"));
  const watched = join(folder, "index.html");
  const page = readFileSync(at("../build/site/index.html"), "utf8");
  const head = "<head>";
  if (!page.includes(head)) throw new Error("the page has no head");
  writeFileSync(watched, page.replace(head, `${head}<script src="/test/watch.js"></script>`));
  const { url, close } = await serve(at("../build/site"), 0, {
    "/index.html": watched,
    "/test/watch.js": at("watch.js"),
    "/test/vectors.mjs": at("vectors.mjs"),
    "/test/law-vectors.mjs": at("law-vectors.mjs"),
    "/test/round-vectors.mjs": at("round-vectors.mjs"),
    "/test/verify-vectors.mjs": at("verify-vectors.mjs"),
    "/test/big-vectors.mjs": at("big-vectors.mjs"),
    "/test/core-vectors.mjs": at("core-vectors.mjs"),
    "/test/bad-inputs.mjs": at("bad-inputs.mjs"),
    "/test/access.mjs": at("access.mjs"),
    "/bench/measure.mjs": at("../bench/measure.mjs"),
    "/bench/plain.mjs": at("../bench/plain.mjs"),
    "/bench/four.mjs": at("../bench/four.mjs"),
    "/bench/bits.mjs": at("../bench/bits.mjs"),
    "/bench/beside.mjs": at("../bench/beside.mjs"),
    "/test/scheme-vectors.mjs": at("scheme-vectors.mjs"),
    "/kat/streams.csv": at("../../kat/streams.csv"),
    "/kat/law-distribution.csv": at("../../kat/law-distribution.csv"),
    "/kat/schemes.csv": at("../../kat/schemes.csv"),
  });
  return {
    url,
    close: () => {
      close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
