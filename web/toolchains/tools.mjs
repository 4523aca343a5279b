// Toolchains, and how each runs the application in a project of its own: with an npm package as it is packed.
// @ts-check

import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { POLICY, serve } from "../tools/serve.mjs";

/** What the parts of the application answer, or their errors. @typedef {Record<string, unknown>} Results */
/** A project: its folder, and what looks at a page of it. @typedef {{ folder: string, look: (url: string) => Promise<Results> }} Project */
/** @typedef {{ name: string, packages: string[], run: (project: Project) => Promise<Results>, entry?: "samplez" | "samplez/inline", note?: string,
 *   module?: boolean, version?: string }} Toolchain  `version` where it is not that of the first package */

const app = fileURLToPath(new URL("app", import.meta.url));
const PATIENCE = 600_000;
/** What bundlers' own scripts ask for: webpack's in development are evaluated, Parcel's map of imports stands in the page. */
const OPEN = "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'";

/** @param {string} folder @param {string} command @param {string[]} args */
function run(folder, command, args) {
  const env = { ...process.env, PATH: `${join(folder, "node_modules/.bin")}:${process.env["PATH"]}`, CI: "1", NEXT_TELEMETRY_DISABLED: "1", WRANGLER_SEND_METRICS: "false", NODE_TEST_CONTEXT: "" };
  try {
    return execFileSync(command, args, { cwd: folder, env, encoding: "utf8", timeout: PATIENCE, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const { stdout = "", stderr = "" } = /** @type {{ stdout?: string, stderr?: string }} */ (error);
    throw new Error(`${command} ${args.join(" ")}: ${`${stdout}${stderr}`.trim().slice(-2000)}`);
  }
}

/** What a command has printed. @param {string} text @returns {Results} */
const printed = (text) => JSON.parse(/^RESULT (.*)$/m.exec(text)?.[1] ?? JSON.stringify({ run: text.slice(-500) }));

/** What a page of a folder of files says. @param {Project} project @param {string} [name] */
async function page({ folder, look }, name = "out") {
  const { url, close } = await serve(join(folder, name), 0, {}, OPEN);
  try {
    return await look(url);
  } finally {
    close();
  }
}

const html = (/** @type {string} */ folder) => {
  mkdirSync(join(folder, "out"), { recursive: true });
  cpSync(join(app, "index.html"), join(folder, "out/index.html"));
};

/** A free port. @returns {Promise<number>} */
const free = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });

/** Runs a server as long as `use` does. @template T @param {string} folder @param {string} command @param {(port: number) => string[]} args
 * @param {(url: string) => Promise<T>} use @returns {Promise<T>} */
async function serving(folder, command, args, use) {
  const port = await free();
  const env = { ...process.env, CI: "1", NEXT_TELEMETRY_DISABLED: "1", WRANGLER_SEND_METRICS: "false", NODE_TEST_CONTEXT: "" };
  const server = spawn(join(folder, "node_modules/.bin", command), args(port), { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let said = "";
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (/** @type {Buffer} */ text) => (said += text));
  try {
    const url = `http://127.0.0.1:${port}/`;
    for (const end = Date.now() + PATIENCE; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
      if (server.exitCode !== null || Date.now() > end) throw new Error(`${command} does not serve: ${said.slice(-1000)}`);
      if (await fetch(url).then(() => true, () => false)) break;
    }
    return await use(url);
  } finally {
    try {
      process.kill(-(/** @type {number} */ (server.pid)), "SIGKILL");
    } catch {
      // it has ended
    }
  }
}

const viteDev = (/** @type {Project} */ { folder, look }) => serving(folder, "vite", (port) => ["--port", `${port}`, "--strictPort", "--host", "127.0.0.1"], look);
const viteBuild = async (/** @type {Project} */ project) => {
  run(project.folder, "vite", ["build", "--outDir", "out"]);
  return page(project);
};
/** @param {string} name @param {string} mode */
const webpack = (name, mode) => async (/** @type {Project} */ project) => {
  html(project.folder);
  run(project.folder, "node", ["webpack.mjs", name, mode]);
  return page(project);
};
/** @param {boolean} copied */
const rollup = (copied) => async (/** @type {Project} */ project) => {
  html(project.folder);
  run(project.folder, "node", ["rollup.mjs", copied ? "worker" : ""]);
  if (copied) copyModules(project.folder);
  return page(project);
};
/** @param {boolean} copied */
const esbuild = (copied) => async (/** @type {Project} */ project) => {
  html(project.folder);
  run(project.folder, "esbuild", ["browser.js", ...(copied ? ["samplez-worker=samplez/worker"] : []), "--bundle", "--format=esm", "--outdir=out"]);
  if (copied) copyModules(project.folder);
  return page(project);
};

/** @param {string} folder */
function copyModules(folder) {
  for (const part of ["dist", "dist/schemes"]) {
    const from = join(folder, "node_modules/samplez", part);
    for (const name of readdirSync(from)) if (name.endsWith(".wasm")) cpSync(join(from, name), join(folder, "out", name));
  }
}

/** @param {string} environment */
const vitest = (environment) => async (/** @type {Project} */ { folder }) => {
  run(folder, "vitest", ["run", "--globals", "--environment", environment]);
  return JSON.parse(readFileSync(join(folder, "result.json"), "utf8"));
};
/** @param {string} environment */
const jest = (environment) => async (/** @type {Project} */ { folder }) => {
  writeFileSync(join(folder, "babel.config.cjs"), 'module.exports = { presets: [["@babel/preset-env", { targets: { node: "current" } }]] };\n');
  run(folder, "jest", ["--env", environment]);
  return JSON.parse(readFileSync(join(folder, "result.json"), "utf8"));
};

/** The client, a server's component and a route of a Next application. @param {string[]} flags @param {"client" | "server" | "route"} part @param {boolean} dev */
const next = (flags, part, dev = false) => async (/** @type {Project} */ { folder, look }) => {
  for (const [from, to] of [["layout.jsx", "app/layout.jsx"], ["client.jsx", "app/page.jsx"], ["server.jsx", "app/server/page.jsx"], ["route.js", "app/route/route.js"]]) {
    cpSync(join(app, from ?? ""), join(folder, to ?? ""));
  }
  rmSync(join(folder, ".next"), { recursive: true, force: true });
  if (!dev) run(folder, "next", ["build", ...flags]);
  return serving(folder, "next", (port) => [dev ? "dev" : "start", ...(dev ? flags : []), "-H", "127.0.0.1", "-p", `${port}`], async (url) => {
    if (part === "client") return look(url);
    const text = await (await fetch(`${url}${part}`)).text();
    if (part === "route") return text.startsWith("{") ? JSON.parse(text) : { run: text.slice(0, 200) };
    const hex = /RESULT ([0-9a-f]+) /.exec(text)?.[1];
    return hex === undefined ? { run: text.slice(0, 200) } : JSON.parse(Buffer.from(hex, "hex").toString());
  });
};

/** The application without a bundler: its imports lead to the package's files at this address. @param {string} folder @param {string} at */
function bare(folder, at) {
  html(folder);
  const parts = readFileSync(join(folder, "parts.js"), "utf8");
  const to = (/** @type {string} */ name) => `${at}/${name.replace(/^samplez\/?/, "").replace(/(^|schemes)\/?(inline)?$/, (_, part, file) => `${part && `${part}/`}${file ?? "index"}`)}.js`;
  writeFileSync(join(folder, "out/parts.js"), parts.replace(/from "(samplez[\w/]*)"/g, (_, name) => `from "${to(name)}"`));
  cpSync(join(folder, "browser.js"), join(folder, "out/browser.js"));
}
/** The page and the package on one origin, under the strictest policy that the package allows. @param {Project} project */
async function strict({ folder, look }) {
  bare(folder, "./samplez");
  cpSync(join(folder, "node_modules/samplez/dist"), join(folder, "out/samplez"), { recursive: true });
  const { url, close } = await serve(join(folder, "out"), 0, {}, POLICY);
  try {
    return await look(url);
  } finally {
    close();
  }
}
/** The package on another origin than the page. @param {Project} project */
async function elsewhere(project) {
  const cdn = await serve(join(project.folder, "node_modules/samplez/dist"), 0, {}, POLICY, { "Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin" });
  const origin = cdn.url.replace(/\/$/, "");
  bare(project.folder, origin);
  const policy = `default-src 'self'; script-src 'self' ${origin} 'wasm-unsafe-eval'; connect-src 'self' ${origin}; worker-src 'self' ${origin} blob:`;
  const { url, close } = await serve(join(project.folder, "out"), 0, {}, policy);
  try {
    return await project.look(url);
  } finally {
    close();
    cdn.close();
  }
}
/** The application in a service worker, which answers its page. @param {Project} project */
async function serviceWorker(project) {
  bare(project.folder, "./samplez");
  cpSync(join(project.folder, "node_modules/samplez/dist"), join(project.folder, "out/samplez"), { recursive: true });
  writeFileSync(join(project.folder, "out/service.js"), 'import { tried } from "./parts.js";\nself.onmessage = async ({ ports: [port] }) => port.postMessage(await tried());\n');
  const script = `const { installing, active } = await navigator.serviceWorker.register("service.js", { type: "module" });
    const channel = new MessageChannel();
    channel.port1.onmessage = ({ data }) => (document.body.dataset.result = JSON.stringify(data));
    (installing ?? active).postMessage(undefined, [channel.port2]);`;
  writeFileSync(join(project.folder, "out/browser.js"), script);
  const { url, close } = await serve(join(project.folder, "out"), 0);
  try {
    return await project.look(url);
  } finally {
    close();
  }
}

/** @type {(folder: string, command: string, args: string[]) => Promise<Results>} */
const command = async (folder, command, args) => printed(run(folder, command, args));

const INLINE = "`samplez/inline`";
const BLOB = "for workers, `blob:` and the CDN in `worker-src`";
const CHROMIUM = "in Chromium";
const COPIED = "samplez/worker as a second entry, and the modules copied beside it";

/** @type {Toolchain[]} */
export const TOOLCHAINS = [
  { name: "Node, import", packages: [], run: ({ folder }) => command(folder, "node", ["print.js"]) },
  {
    name: "Node, require",
    packages: [],
    run: ({ folder }) => {
      const parts = readFileSync(join(folder, "parts.js"), "utf8");
      const text = parts.replace(/^import (.*) from (".*");$/gm, "const $1 = require($2);").replace("export async", "exports.tried = tried;\nasync");
      writeFileSync(join(folder, "parts.cjs"), text);
      return command(folder, "node", ["print.cjs"]);
    },
  },
  { name: "Bun", packages: ["bun"], run: ({ folder }) => command(folder, "bun", ["print.js"]) },
  { name: "Deno", packages: ["deno"], run: ({ folder }) => command(folder, "deno", ["run", "-A", "print.js"]) },
  ...[5, 6, 7, 8].flatMap((major) => [
    { name: `Vite ${major}, development`, packages: [`vite@${major}`], run: viteDev },
    { name: `Vite ${major}, build`, packages: [`vite@${major}`], run: viteBuild },
  ]),
  { name: "webpack 5, development", packages: ["webpack@5"], run: webpack("webpack", "development") },
  { name: "webpack 5, production", packages: ["webpack@5"], run: webpack("webpack", "production") },
  { name: "Rspack, development", packages: ["@rspack/core"], run: webpack("@rspack/core", "development") },
  { name: "Rspack, production", packages: ["@rspack/core"], run: webpack("@rspack/core", "production") },
  { name: "Rollup", packages: ["rollup", "@rollup/plugin-node-resolve"], run: rollup(false), note: INLINE },
  { name: "Rollup, copied", packages: ["rollup", "@rollup/plugin-node-resolve"], run: rollup(true), note: COPIED },
  { name: "Rollup", packages: ["rollup", "@rollup/plugin-node-resolve"], run: rollup(false), entry: "samplez/inline" },
  { name: "esbuild", packages: ["esbuild"], run: esbuild(false), note: INLINE },
  { name: "esbuild, copied", packages: ["esbuild"], run: esbuild(true), note: COPIED },
  { name: "esbuild", packages: ["esbuild"], run: esbuild(false), entry: "samplez/inline" },
  {
    name: "Parcel",
    packages: ["parcel"],
    module: false,
    note: '`"@parcel/resolver-default": { "packageExports": true }` in package.json',
    run: async (project) => {
      const file = join(project.folder, "package.json");
      writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), "@parcel/resolver-default": { packageExports: true } }));
      run(project.folder, "parcel", ["build", "index.html", "--dist-dir", "out", "--no-cache"]);
      return page(project);
    },
  },
  { name: "Jest, node", packages: ["jest", "jest-environment-jsdom", "@babel/core", "@babel/preset-env"], run: jest("node"), module: false },
  { name: "Jest, jsdom", packages: ["jest", "jest-environment-jsdom", "@babel/core", "@babel/preset-env"], run: jest("jsdom"), module: false },
  { name: "Vitest, node", packages: ["vitest", "jsdom"], run: vitest("node") },
  { name: "Vitest, jsdom", packages: ["vitest", "jsdom"], run: vitest("jsdom") },
  {
    name: "Wrangler (workerd)",
    packages: ["wrangler"],
    run: ({ folder }) => serving(folder, "wrangler", (port) => ["dev", "--config", "wrangler.json", "--port", `${port}`, "--ip", "127.0.0.1"], async (url) => (await fetch(url)).json()),
  },
  ...["client", "server", "route"].flatMap((part) => [
    { name: `Next, ${part}, Turbopack`, packages: ["next", "react", "react-dom"], run: next([], /** @type {"client"} */ (part)) },
    { name: `Next, ${part}, webpack`, packages: ["next", "react", "react-dom"], run: next(["--webpack"], /** @type {"client"} */ (part)) },
  ]),
  { name: "Next, client, development", packages: ["next", "react", "react-dom"], run: next([], "client", true) },
  { name: "Next, route, development", packages: ["next", "react", "react-dom"], run: next([], "route", true) },
  { name: "No bundler, strict policy", packages: [], version: CHROMIUM, run: strict },
  { name: "CDN of another origin", packages: [], version: CHROMIUM, run: elsewhere, note: BLOB },
  { name: "CDN of another origin", packages: [], version: CHROMIUM, run: elsewhere, entry: "samplez/inline", note: BLOB },
  { name: "Service worker, module", packages: [], version: CHROMIUM, run: serviceWorker },
];

/** A project of its own, with the packages and this one as it is packed.
 * @param {Toolchain} toolchain @param {string} folder @param {string} tarball */
export function project({ packages, entry = "samplez", module = true }, folder, tarball) {
  mkdirSync(folder, { recursive: true });
  const kept = existsSync(join(folder, "node_modules"));
  for (const name of readdirSync(folder)) if (name !== "node_modules" && name !== "package-lock.json") rmSync(join(folder, name), { recursive: true, force: true });
  cpSync(app, folder, { recursive: true });
  for (const name of ["layout.jsx", "client.jsx", "server.jsx", "route.js"]) rmSync(join(folder, name));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, ...(module ? { type: "module" } : {}) }));
  if (!kept || !packages.every((name) => existsSync(join(folder, "node_modules", name.replace(/(?<=.)@.*/, ""))))) {
    if (packages.length > 0) run(folder, "npm", ["install", "--no-audit", "--no-fund", ...packages]);
  }
  const installed = join(folder, "node_modules/samplez");
  rmSync(installed, { recursive: true, force: true });
  mkdirSync(installed, { recursive: true });
  run(folder, "tar", ["-xzf", tarball, "--strip-components=1", "-C", installed]);
  const parts = readFileSync(join(folder, "parts.js"), "utf8");
  if (entry !== "samplez") writeFileSync(join(folder, "parts.js"), parts.replace(/"(samplez|samplez\/schemes)"/g, '"$1/inline"'));
}

/** The version of a project's first package. @param {Toolchain} toolchain @param {string} folder */
export function version({ packages: [name], version }, folder) {
  if (version !== undefined) return version;
  if (name === undefined) return process.versions.node;
  const file = join(folder, "node_modules", name.replace(/(?<=.)@.*/, ""), "package.json");
  return JSON.parse(readFileSync(file, "utf8")).version;
}
