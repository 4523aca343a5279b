// The package as it is packed, in applications: by bundlers, in browsers.
// @ts-check

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import * as vite from "vite";
import * as vite7 from "vite7";
import webpack from "webpack";
import { DiscreteGaussian } from "../dist/index.js";
import { serve } from "../tools/serve.mjs";
import { BROWSERS } from "./drivers.mjs";

const web = fileURLToPath(new URL("..", import.meta.url));
const project = join(web, "build/bundlers");
const sources = fileURLToPath(new URL("bundlers", import.meta.url));
const installed = join(project, "node_modules/samplez");
const bundled = (/** @type {string} */ name) => join(project, "dist", name);
const path = `${join(web, "node_modules/.bin")}${delimiter}${process.env["PATH"]}`;
const readme = readFileSync(join(web, "README.md"), "utf8");

/** The application's page beside what was bundled. @param {string} folder */
function page(folder) {
  for (const file of ["index.html", "icon.svg"]) cpSync(join(project, file), join(folder, file));
}

/** A block of the README that has this text. @param {string} language @param {string} text */
function block(language, text) {
  const blocks = [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"))].map((match) => match[1] ?? "");
  const found = blocks.filter((code) => code.includes(text));
  assert.equal(found.length, 1, `${found.length} blocks with ${text}`);
  return found[0] ?? "";
}

/** A server of the application made by a bundler, and the end of it.
 * @typedef {{ url: string, close: () => unknown }} Served */

/** An application built, and in development. @param {string} name @param {typeof vite} tool @returns {Record<string, () => Promise<Served>>} */
const byVite = (name, tool) => ({
  [`${name} build`]: async () => {
    const folder = bundled(name);
    delete process.env["NODE_ENV"]; // a development server left it
    await tool.build({ root: project, configFile: false, logLevel: "warn", build: { outDir: folder } });
    return serve(folder, 0);
  },
  [`${name} dev`]: async () => {
    // Left behind by a build in this process; with it a server has the package as in production.
    delete process.env["NODE_ENV"];
    const cacheDir = join(project, "node_modules", `.${name}`);
    const server = await tool.createServer({ root: project, configFile: false, logLevel: "warn", cacheDir, server: { host: "127.0.0.1", port: 0, strictPort: false } });
    await server.listen();
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.httpServer?.address());
    return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
  },
});

/** @type {Record<string, () => Promise<Served>>} */
const APPLICATIONS = {
  "script type=module": async () => {
    const folder = bundled("plain");
    mkdirSync(folder, { recursive: true });
    cpSync(join(installed, "dist"), join(folder, "samplez"), { recursive: true });
    for (const name of ["main.js", "own-worker.js"]) {
      const text = readFileSync(join(project, name), "utf8");
      writeFileSync(join(folder, name), text.replace('"samplez"', '"./samplez/index.js"').replace('"samplez/schemes"', '"./samplez/schemes/index.js"'));
    }
    page(folder);
    return serve(folder, 0);
  },
  esbuild: async () => {
    // As the README says, but for the names of the application's own files.
    const command = block("sh", "esbuild").replace("src/app.js", "main.js own-worker.js");
    execFileSync("sh", ["-ec", command], { cwd: project, env: { ...process.env, PATH: path }, stdio: ["ignore", "ignore", "inherit"] });
    page(join(project, "out"));
    return serve(join(project, "out"), 0);
  },
  webpack: async () => {
    const folder = bundled("webpack");
    const stats = await new Promise((resolve, reject) => {
      const compiler = webpack({
        mode: "production",
        context: project,
        entry: "./main.js",
        output: { path: folder, filename: "main.js" },
        performance: false, // it finds the modules large
      });
      compiler?.run((error, result) => compiler.close(() => (error ? reject(error) : resolve(result))));
    });
    assert.equal(stats.toString({ all: false, errors: true, warnings: true, errorDetails: true }), "");
    page(folder);
    return serve(folder, 0);
  },
  ...byVite("vite", vite),
  ...byVite("vite 7", /** @type {any} */ (vite7)),
};

/** @type {Record<string, import("./drivers.mjs").Driver>} */
const drivers = {};
/** @type {unknown} */
let expected;

before(async () => {
  rmSync(project, { recursive: true, force: true });
  mkdirSync(installed, { recursive: true });
  const packed = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", project], { cwd: web, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  execFileSync("tar", ["-xzf", join(project, packed[0].filename), "--strip-components=1", "-C", installed]);
  writeFileSync(join(project, "package.json"), '{ "type": "module", "private": true }\n');
  cpSync(sources, project, { recursive: true });
  cpSync(join(web, "page/icon.svg"), join(project, "icon.svg"));
  const seed = Uint8Array.from({ length: 32 }, (_, i) => 7 * i);
  const draw = async (/** @type {any} */ sigma, /** @type {any} */ array) => Array.from((await DiscreteGaussian.create({ sigma, seed })).fill(array));
  expected = {
    head: await draw("3.2", new Int16Array(8)),
    parallel: true,
    wide: (await draw("1e15", new BigInt64Array(4))).map(String),
    signed: true,
    consistent: true,
    fromOwn: await draw("215", new Int16Array(8)),
  };
  for (const name of ["chromium", "firefox"]) drivers[name] = await /** @type {any} */ (BROWSERS)[name]();
});

after(async () => {
  for (const driver of Object.values(drivers)) await driver.close();
});

for (const [name, build] of Object.entries(APPLICATIONS)) {
  test(`bundlers: ${name}, in Chromium and Firefox`, async () => {
    const { url, close } = await build();
    try {
      for (const driver of Object.values(drivers)) {
        await driver.open(url);
        const result = await driver.evaluate(`new Promise((resolve) => {
          const look = () => (document.body?.dataset.result === undefined ? setTimeout(look, 20) : resolve(document.body.dataset.result));
          look();
          setTimeout(() => resolve('"no answer in time"'), 180_000);
        })`);
        assert.deepEqual([JSON.parse(result), driver.problems()], [expected, []], driver.name);
      }
    } finally {
      await close();
    }
  });
}
