// The JavaScript of the documents: it runs, and gives what its comments say.
// @ts-check

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const folder = new URL("../build/documents/", import.meta.url);

for (const name of ["../../README.md", "../README.md"]) {
  test(`node: the examples of ${name} run`, () => {
    const markdown = readFileSync(new URL(name, import.meta.url), "utf8");
    const examples = [...markdown.matchAll(/^```js\n(.*?)^```$/gms)].map((match) => match[1] ?? "");
    assert.ok(examples.length > 0);
    mkdirSync(folder, { recursive: true });
    try {
      // They go on from each other. Below web/, "samplez" is this package.
      const imports = new Set(examples.flatMap((text) => text.match(/^import .*$/gm) ?? []));
      // A comment that is a number is what the line gives.
      const body = examples
        .map((text) => text.replace(/^import .*$/gm, "").replace(/^(.*); +\/\/ (-?[\d.]+)$/gm, 'same($1, $2);'))
        .join("\n");
      const same = "const same = (a, b) => { if (a !== b) throw new Error(`${a} is not ${b}`); };";
      const program = fileURLToPath(new URL("example.mjs", folder));
      writeFileSync(program, [...imports, same, body].join("\n"));
      execFileSync(process.execPath, [program], { stdio: ["ignore", "ignore", "pipe"] });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
