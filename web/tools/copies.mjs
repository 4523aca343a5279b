// The package's other builds, from web/dist: one file each of the samplers and of the schemes, with the WebAssembly modules inside
// (inline.js, and inline.cjs for `require`), or imported as modules, as workerd has them (workerd.js).
// @ts-check

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, transformSync } from "esbuild";

/** The files that say where others lie; the name of what each exports, and the module that it means. */
const FILES = {
  "samplez-file": ["samplezFile", "samplez-simd.wasm"],
  "big-file": ["bigFile", "samplez-big.wasm"],
  "verify-file": ["verifyFile", "samplez-verify.wasm"],
  "pooled-file": ["pooledFile", "core/samplez-pooled.wasm"],
  "lazy-file": ["lazyFile", "core/samplez-lazy.wasm"],
  "schemes-file": ["schemesFile", "schemes/samplez-schemes.wasm"],
};

const NO_SIMD = "samplez/inline and what require and workerd load have the module with SIMD instructions alone: leave simd out, or import samplez elsewhere";

/** Puts other files in the place of those that say where others lie.
 * `samplez/core` imports the package, of this file, on demand.
 * @param {string} dist @param {(name: string, module: string) => string} text of a file @param {string} worker the text of another @param {string} full
 * @returns {import("esbuild").Plugin} */
const instead = (dist, text, worker, full = "") => ({
  name: "samplez",
  setup(build) {
    build.onResolve({ filter: /-file\.js$/ }, ({ path }) => ({ path: path.replace(/^.*\/|\.js$/g, ""), namespace: "samplez" }));
    build.onResolve({ filter: /^\.\.\/index\.js$/ }, () => ({ path: full, external: true }));
    build.onLoad({ filter: /./, namespace: "samplez" }, ({ path }) => {
      if (path === "worker-file") return { contents: worker };
      const [name = "", module = ""] = FILES[/** @type {keyof typeof FILES} */ (path)];
      return { resolveDir: dist, contents: text(name, join(dist, module)) };
    });
  },
});

/** A function that gives `value`; of the samplers' module there is only the one with SIMD instructions.
 * @param {string} name @param {string} value */
const giving = (name, value) =>
  name === "samplezFile"
    ? `import { SamplezError } from "./errors.js"; export const samplezFile = (simd) => { if (simd) return ${value}; throw new SamplezError("other", "simd = false: ${NO_SIMD}"); };`
    : `export const ${name} = () => ${value};`;

/** Makes the builds. @param {string} dist */
export async function copies(dist) {
  const options = /** @satisfies {import("esbuild").BuildOptions} */ ({ bundle: true, target: "es2022", legalComments: "none", charset: "utf8", logLevel: "warning" });
  // A worker needs no module of its own: it gets the compiled one with its options.
  const none = instead(dist, (name) => `export const ${name} = () => { throw new Error("the worker was given no module"); };`, "");
  const worker = await build({ ...options, entryPoints: [join(dist, "samplez-worker.js")], plugins: [none], format: "iife", minify: true, write: false });
  const script = JSON.stringify(worker.outputFiles[0]?.text);
  const started = `
    const script = ${script};
    let url;
    export const webWorker = () => new Worker((url ??= URL.createObjectURL(new Blob([script], { type: "text/javascript" }))));
    export const thread = ({ Worker }) => new Worker(script, { eval: true });`;
  const inline = (/** @type {string} */ full) => instead(dist, (name, file) => giving(name, JSON.stringify(readFileSync(file, "base64"))), started, full);
  const nothing = "const none = () => { throw new Error('this runtime has no workers'); }; export { none as webWorker, none as thread };";
  const workerd = instead(dist, (name, file) => `import module from "./${file.split("/").at(-1)}"; ${giving(name, "module")}`, nothing, "../workerd.js");
  for (const part of ["", "schemes", "core"]) {
    const folder = join(dist, part);
    const entry = { ...options, entryPoints: [join(folder, "index.js")] };
    await build({ ...entry, plugins: [inline("../inline.js")], format: "esm", outfile: join(folder, "inline.js") });
    await build({ ...entry, plugins: [inline("../inline.js")], format: "cjs", outfile: join(folder, "inline.cjs") });
    await build({ ...entry, plugins: [workerd], format: "esm", outfile: join(folder, "workerd.js"), external: ["*.wasm"] });
    // A page loads scripts without comments, spaces and local names.
    for (const name of readdirSync(folder)) {
      if (!name.endsWith(".js") || /^(inline|workerd)\./.test(name)) continue;
      const { code } = transformSync(readFileSync(join(folder, name), "utf8"), { target: "es2022", legalComments: "none", charset: "utf8", minifySyntax: true, minifyIdentifiers: true, minifyWhitespace: true });
      writeFileSync(join(folder, name), code);
    }
    writeFileSync(join(folder, "inline.d.ts"), 'export * from "./index.js";\n');
    // The same types for `require`, whose files have names of their own.
    for (const name of readdirSync(folder)) {
      if (!name.endsWith(".d.ts")) continue;
      const text = readFileSync(join(folder, name), "utf8");
      writeFileSync(join(folder, name.replace(/ts$/, "cts")), text.replace(/(from "|import\(")(\.[^"]*)\.js"/g, '$1$2.cjs"'));
    }
  }
}
