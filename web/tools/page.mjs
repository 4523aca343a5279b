// Puts the page together in web/build/site: static files, to be deployed as they are. With `serve`, serves them; with `into FOLDER`, makes them
// the playground of the documentation site there.
// @ts-check

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { claimRows, copyOf, knownSpeeds, linked, methodRows, nativeRates, root } from "./documents.mjs";
import { serve } from "./serve.mjs";

const web = fileURLToPath(new URL("..", import.meta.url));
const site = join(web, "build/site");

rmSync(site, { recursive: true, force: true });
mkdirSync(site, { recursive: true });
execFileSync("npx", ["--no-install", "tsc", "--project", "page/tsconfig.json"], { cwd: web, stdio: "inherit" });
cpSync(join(web, "dist"), join(site, "dist"), { recursive: true });
for (const file of ["index.html", "measure.html", "identity.css", "style.css", "icon.svg"]) cpSync(join(web, "page", file), join(site, file));

/** A script and all that it imports, for the browser to ask for at once.
 * @param {string} script @param {Set<string>} found */
function graph(script, found = new Set()) {
  if (found.has(script)) return found;
  found.add(script);
  const imports = readFileSync(join(site, script), "utf8").matchAll(/(?:^|;)(?:import|export)\b[^;"']*\bfrom ?["'](\.[^"']+)["']/gm);
  for (const [, name = ""] of imports) graph(posix.join(posix.dirname(script), name), found);
  return found;
}
/** Lets a page ask for all scripts at once. @param {string} file @param {string} main */
function preload(file, main) {
  const page = readFileSync(join(site, file), "utf8");
  const anchor = `<script type="module" src="${main}">`;
  if (!page.includes(anchor)) throw new Error(`${file} does not load ${main}`);
  const preloads = [...graph(main)].filter((script) => script !== main).map((script) => `<link rel="modulepreload" href="${script}">\n`);
  writeFileSync(join(site, file), page.replace(anchor, preloads.join("") + anchor));
}
preload("index.html", "page/src/main.js");
preload("measure.html", "page/src/measure.js");

// What measures for the report measures on the page too.
for (const file of ["beside", "bits", "claims", "four", "measure", "plain"]) cpSync(join(web, `bench/${file}.mjs`), join(site, `bench/${file}.mjs`));
const { rows, printed } = claimRows();
const measure = join(site, "measure.html");
writeFileSync(measure, readFileSync(measure, "utf8").replace("<!-- claims -->", rows));
writeFileSync(join(site, "measure.json"), JSON.stringify({ printed, engines: knownSpeeds() }));

for (const path of linked()) cpSync(join(root, path), join(site, copyOf(path)));
const documents = { methods: methodRows(), native: nativeRates(), errata: copyOf("docs/errata.md") };
for (const row of Object.values(documents.methods)) Object.assign(row, { source: copyOf(row.source), proof: copyOf(row.proof) });
writeFileSync(join(site, "documents.json"), JSON.stringify(documents));

if (process.argv[2] === "into") {
  const { playground } = await import("./playground.mjs");
  console.log(`The playground is in ${playground(process.argv[3] ?? "")}.`);
} else if (process.argv[2] === "serve") {
  const { url } = await serve(site, Number(process.env["PORT"] ?? 8000));
  console.log(`The page is at ${url} (stop with Ctrl-C). Its files are in web/build/site.`);
} else {
  console.log("The page is in web/build/site.");
}
