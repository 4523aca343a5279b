// Puts the page together in web/build/site: static files, to be deployed as they are. With `serve`, serves them.
// @ts-check

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "./serve.mjs";

const web = fileURLToPath(new URL("..", import.meta.url));
const site = join(web, "build/site");

rmSync(site, { recursive: true, force: true });
mkdirSync(site, { recursive: true });
execFileSync("npx", ["--no-install", "tsc", "--project", "page/tsconfig.json"], { cwd: web, stdio: "inherit" });
cpSync(join(web, "dist"), join(site, "dist"), { recursive: true });
for (const file of ["index.html", "style.css", "icon.svg"]) cpSync(join(web, "page", file), join(site, file));

if (process.argv[2] === "serve") {
  const { url } = await serve(site, Number(process.env["PORT"] ?? 8000));
  console.log(`The page is at ${url} (stop with Ctrl-C). Its files are in web/build/site.`);
} else {
  console.log("The page is in web/build/site.");
}
