// A small server of static files, with the policy that the page and its workers are to live under.
// @ts-check

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

/** @type {Record<string, string>} */
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
  ".json": "application/json",
  ".txt": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

export const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; " +
  "worker-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

/** Serves a folder on this machine only; port 0 takes a free one. `extra` are files from elsewhere, `headers` further ones.
 * @param {string} folder @param {number} port @param {Record<string, string>} extra @param {string} policy @param {Record<string, string>} headers */
export async function serve(folder, port, extra = {}, policy = POLICY, headers = {}) {
  const server = createServer(async (request, response) => {
    const name = decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname);
    const path = name.endsWith("/") ? `${name}index.html` : name;
    const file = extra[path] ?? join(folder, normalize(path));
    try {
      const body = await readFile(file);
      response.writeHead(200, {
        "Content-Type": TYPES[extname(file)] ?? "application/octet-stream",
        "Content-Security-Policy": policy,
        // An isolated page has a finer clock.
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Embedder-Policy": "require-corp",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
        ...headers,
      });
      response.end(body);
    } catch {
      response.writeHead(404, { "Content-Type": "text/plain" }).end("not found\n");
    }
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(undefined));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
}
