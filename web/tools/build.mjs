// Builds the package into web/dist: the TypeScript, the samplers' WebAssembly module with SIMD instructions and without, and the
// schemes' with them. Fails if what a page loads of one half of it, the samplers or the schemes, is larger than it may be.
// @ts-check

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** The most that a folder's scripts and the larger of its modules, for a page loads one, may take together, each gzipped: who
 * uses the samplers loads the first, who uses the schemes the second and a few scripts of the first. */
const LIMITS = { ".": 340 * 1024, schemes: 200 * 1024 };

/** The kernels by SIMD instructions, and all other code with them too, which is smaller for that. */
const SIMD = ["--cfg", 'samplez_backend="simd128"', "-C", "target-feature=+simd128"];
/** What makes the module of the samplers fit. */
const SMALL = ["--cfg", 'getrandom_backend="custom"', "--cfg", 'sha2_backend_soft="compact"'];

const web = fileURLToPath(new URL("..", import.meta.url));
const root = resolve(web, "..");
const target = resolve(root, process.env["CARGO_TARGET_DIR"] ?? "target");
const dist = join(web, "dist");

/** @param {string} command @param {string[]} args @param {string} cwd @param {Record<string, string>} env */
function run(command, args, cwd, env = {}) {
  execFileSync(command, args, { cwd, env: { ...process.env, ...env }, stdio: "inherit" });
}

/** A crate's module, built with these flags; in a folder for them, for cargo builds anew when flags change.
 * @param {string} crate @param {string} name @param {string[]} flags */
function wasm(crate, name, flags) {
  const folder = join(target, name);
  const args = ["build", "--quiet", "--package", crate, "--profile", "web", "--target", "wasm32-unknown-unknown"];
  // A list with a separator that no flag holds; it wins over every other setting of flags.
  const encoded = flags.join("\x1f");
  run(process.env["CARGO"] ?? "cargo", args, root, { CARGO_TARGET_DIR: folder, CARGO_ENCODED_RUSTFLAGS: encoded });
  return withoutNames(readFileSync(join(folder, "wasm32-unknown-unknown/web", `${crate.replaceAll("-", "_")}.wasm`)));
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
// npm packs what is below this folder, and no links.
for (const licence of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(join(root, licence), join(web, licence));

writeFileSync(join(dist, "samplez.wasm"), wasm("samplez-web", "web-plain", SMALL));
writeFileSync(join(dist, "samplez-simd.wasm"), wasm("samplez-web", "web-simd", [...SMALL, ...SIMD]));
writeFileSync(join(dist, "schemes", "samplez-schemes.wasm"), wasm("samplez-web-schemes", "web-schemes", SIMD));

for (const [folder, limit] of Object.entries(LIMITS)) {
  let scripts = 0;
  let module = 0;
  for (const file of readdirSync(join(dist, folder)).filter((name) => /\.(js|wasm)$/.test(name))) {
    const bytes = readFileSync(join(dist, folder, file));
    const size = gzipSync(bytes, { level: 9 }).length;
    const script = file.endsWith(".js");
    if (script) scripts += size;
    else module = Math.max(module, size);
    const raw = script ? "" : `, ${(bytes.length / 1024).toFixed(1)} KB`;
    console.log(`${(size / 1024).toFixed(1).padStart(7)} KB gzipped  ${join("web/dist", folder, file)}${raw}`);
  }
  const sum = scripts + module;
  console.log(`${(sum / 1024).toFixed(1).padStart(7)} KB of at most ${limit / 1024}`);
  if (sum > limit) throw new Error(`${join("web/dist", folder)} is too large`);
}
