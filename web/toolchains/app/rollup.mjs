import { rollup } from "rollup";
import { nodeResolve } from "@rollup/plugin-node-resolve";

const worker = process.argv[2] === "worker" ? { "samplez-worker": "samplez/worker" } : {};
const bundle = await rollup({ input: { browser: "browser.js", ...worker }, plugins: [nodeResolve()] });
await bundle.write({ dir: "out", format: "es", entryFileNames: "[name].js", chunkFileNames: "[name].js" });
