// Builds the package into web/dist: the WebAssembly module twice, of which the second travels as what differs from
// the first, and the TypeScript. Fails if all of it is larger than it may be.
// @ts-check

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { delta } from "./delta.mjs";

/** Everything, each file gzipped. */
const LIMIT = 275 * 1024;

const web = fileURLToPath(new URL("..", import.meta.url));
const root = resolve(web, "..");
const target = resolve(root, process.env["CARGO_TARGET_DIR"] ?? "target");
const dist = join(web, "dist");

/** @param {string} command @param {string[]} args @param {string} cwd @param {Record<string, string>} env */
function run(command, args, cwd, env = {}) {
  execFileSync(command, args, { cwd, env: { ...process.env, ...env }, stdio: "inherit" });
}

/** The module, built with these features; in a folder of its own, for cargo builds anew when flags change.
 * @param {string} name @param {string[]} flags */
function wasm(name, flags) {
  const folder = join(target, name);
  const args = ["build", "--quiet", "--package", "samplez-web", "--profile", "web", "--target", "wasm32-unknown-unknown"];
  // A list with a separator that no flag holds; it wins over every other setting of flags.
  const encoded = ["--cfg", 'getrandom_backend="custom"', "--cfg", 'sha2_backend_soft="compact"', ...flags].join("\x1f");
  run(process.env["CARGO"] ?? "cargo", args, root, { CARGO_TARGET_DIR: folder, CARGO_ENCODED_RUSTFLAGS: encoded });
  return withoutNames(readFileSync(join(folder, "wasm32-unknown-unknown/web/samplez_web.wasm")));
}

/** The module without its custom sections: names, which cargo's `strip` does not always take away, and producers.
 * @param {Buffer} module */
function withoutNames(module) {
  const kept = [module.subarray(0, 8)]; // magic and version
  for (let start = 8; start < module.length; ) {
    let at = start + 1;
    let length = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = module[at++] ?? 0;
      length += (byte & 127) * scale;
      if (byte < 128) break;
    }
    if (module[start] !== 0) kept.push(module.subarray(start, at + length));
    start = at + length;
  }
  return Buffer.concat(kept);
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
run("npx", ["--no-install", "tsc"], web);

const plain = wasm("web-plain", []);
const simd = wasm("web-simd", ["--cfg", 'samplez_backend="simd128"']);
const difference = delta(plain, simd);
writeFileSync(join(dist, "samplez.wasm"), plain);
writeFileSync(join(dist, "samplez.simd"), difference);
const { patched } = await import(pathToFileURL(join(dist, "module.js")).href);
if (!simd.equals(patched(plain, difference))) throw new Error("samplez.simd does not make the module that it stands for");

let sum = 0;
for (const file of readdirSync(dist).filter((name) => !name.endsWith(".d.ts"))) {
  const size = gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
  sum += size;
  console.log(`${(size / 1024).toFixed(1).padStart(7)} KB gzipped  web/dist/${file}`);
}
console.log(`${(sum / 1024).toFixed(1).padStart(7)} KB of at most ${LIMIT / 1024}`);
if (sum > LIMIT) throw new Error("the package is too large");
