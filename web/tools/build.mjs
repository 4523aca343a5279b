// Builds the package into web/dist: the TypeScript, the samplers' WebAssembly module with SIMD instructions and without, and with them
// those of the schemes, of `verify`, of `BigGaussian` and of `samplez/core`. Fails if what a page loads of one part of it is larger than it may be.
// @ts-check

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { copies } from "./copies.mjs";

/** The scripts that `samplez/core` imports from the folder above. */
const CORE = ["arrays.js", "disposable.js", "entropy.js", "errors.js", "integers.js", "module.js", "platform.js", "shown.js", "text.js"];

/** The most that what a page loads may take together, each file gzipped: of a folder the scripts, of modules the largest. Who uses the
 * samplers loads the first; who uses the schemes the second, and a few scripts of the first; who judges samples the third, and so on. */
const LIMITS = [
  { scripts: ".", modules: ["samplez.wasm", "samplez-simd.wasm"], limit: 484 }, // 477 before truncated Laplace noise, 482 before errors with the least clip and a recipe's own names
  { scripts: "schemes", modules: ["schemes/samplez-schemes.wasm"], limit: 205 },
  { modules: ["samplez-verify.wasm"], limit: 283 }, // 263 before sums of laws, 282 before errors with the least clip, 272 before truncated Laplace noise and the rows of last bits
  { modules: ["samplez-big.wasm"], limit: 244 }, // 240 before truncated Laplace noise, 243 before errors with the least clip
  { scripts: "core", but: ["table.js"], also: CORE, modules: ["core/samplez-pooled.wasm", "core/samplez-lazy.wasm"], limit: 40 },
  { modules: ["inline.js"], limit: 1367 }, // 1363 before errors with the least clip, 1336 before truncated Laplace noise and the rows of last bits
  { modules: ["schemes/inline.js"], limit: 284 },
  { modules: ["core/inline.js"], limit: 90 },
];

/** The kernels by SIMD instructions, and all other code with them too, which is smaller for that. */
const SIMD = ["--cfg", 'samplez_backend="simd128"', "-C", "target-feature=+simd128"];
/** Calls and addresses in as few bytes as they need: the linker leaves five to each. */
const COMPACT = ["-C", "link-arg=--compress-relocations"];
/** What makes the module of the samplers fit. */
const SMALL = ["--cfg", 'getrandom_backend="custom"', "--cfg", 'sha2_backend_soft="compact"'];

const web = fileURLToPath(new URL("..", import.meta.url));
const root = resolve(web, "..");
const target = resolve(root, process.env["CARGO_TARGET_DIR"] ?? "target");
const dist = join(web, "dist");

/** Builds a module by cargo, in a folder of its own, because cargo builds all anew when flags change.
 * @typedef {{ file: string, feature?: string, crate?: string, folder: string, flags: string[], profile?: string }} Module
 * @param {Module} module @returns {Promise<Buffer>} */
async function wasm({ feature, crate = "samplez-web", folder, flags, profile = "web" }) {
  const built = join(target, folder);
  const args = ["build", "--quiet", "--package", crate, "--profile", profile, "--target", "wasm32-unknown-unknown"];
  if (feature !== undefined) args.push("--no-default-features", "--features", feature);
  // A list with a separator that no flag holds. It wins over every other setting of flags, so `make package` hands its own over.
  const all = [...flags, ...COMPACT, ...(process.env["CARGO_BUILD_RUSTFLAGS"] ?? "").split(" ").filter(Boolean)];
  const env = { ...process.env, CARGO_TARGET_DIR: built, CARGO_ENCODED_RUSTFLAGS: all.join("\x1f") };
  const cargo = spawn(process.env["CARGO"] ?? "cargo", args, { cwd: root, env, stdio: "inherit" });
  const [code] = await once(cargo, "close");
  if (code !== 0) throw new Error(`cargo ${args.join(" ")} failed`);
  return withoutNames(readFileSync(join(built, "wasm32-unknown-unknown", profile, `${crate.replaceAll("-", "_")}.wasm`)));
}

/** Writes a module, with the name of its file in it, by which the package knows it where the caller gives it.
 * @param {string} file @param {Buffer} module */
function write(file, module) {
  const words = ["samplez", posix.basename(file)].map((text) => Buffer.from(text));
  const section = Buffer.concat([Buffer.from([words[0]?.length ?? 0]), ...words]);
  writeFileSync(join(dist, file), Buffer.concat([module, Buffer.from([0, section.length]), section]));
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
execFileSync("npx", ["--no-install", "tsc"], { cwd: web, stdio: "inherit" });
// npm packs what is below this folder, and no links.
for (const licence of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(join(root, licence), join(web, licence));

// Each ends with a link on one core, so as many are built at once as there are cores.
/** @type {Module[]} */
const modules = [
  { file: "samplez.wasm", feature: "draw", folder: "web-plain", flags: SMALL },
  { file: "samplez-simd.wasm", feature: "draw", folder: "web-simd", flags: [...SMALL, ...SIMD] },
  { file: "schemes/samplez-schemes.wasm", crate: "samplez-web-schemes", folder: "web-schemes", flags: SIMD },
  { file: "samplez-verify.wasm", feature: "verify", folder: "web-verify", flags: [...SMALL, ...SIMD], profile: "web-verify" },
  { file: "samplez-big.wasm", feature: "big", folder: "web-big", flags: SMALL, profile: "web-big" },
  ...["pooled", "lazy"].map((kernel) => ({
    file: `core/samplez-${kernel}.wasm`,
    feature: "small",
    folder: `web-core-${kernel}`,
    flags: ["--cfg", `samplez_kernel="${kernel}"`, ...SIMD],
    profile: "web-core",
  })),
];
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let module; (module = modules.shift()); ) write(module.file, await wasm(module));
  }),
);

await copies(dist);

/** The size of a file as it travels. @param {string} file */
function gzipped(file) {
  const bytes = readFileSync(join(dist, file));
  const size = gzipSync(bytes, { level: 9 }).length / 1024;
  const raw = file.endsWith(".js") && !file.endsWith("inline.js") ? "" : `, ${(bytes.length / 1024).toFixed(1)} KB`;
  console.log(`${size.toFixed(1).padStart(7)} KB gzipped  ${join("web/dist", file)}${raw}`);
  return size;
}

for (const { scripts, but = [], also = [], modules, limit } of LIMITS) {
  const files = scripts === undefined ? [] : readdirSync(join(dist, scripts)).filter((name) => name.endsWith(".js") && !/^(inline|workerd)\./.test(name) && !but.includes(name));
  const sum = [...files.map((file) => join(scripts ?? "", file)), ...also].reduce((sum, file) => sum + gzipped(file), 0) + Math.max(...modules.map(gzipped));
  console.log(`${sum.toFixed(1).padStart(7)} KB of at most ${limit}`);
  if (sum > limit) throw new Error(`${modules.join(" or ")} and its scripts are too large`);
}
