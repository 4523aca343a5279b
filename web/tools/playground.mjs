// Makes the page the playground of a documentation site: its files below playground/, with the site's navigation above each page, and links
// to the site's own pages where the page by itself has copies.
// @ts-check

import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { REPORT, root } from "./documents.mjs";

const built = fileURLToPath(new URL("../build/site", import.meta.url));
const PAGES = ["index.html", "measure.html"];

/** The site's navigation, as a page of the playground has it. @param {string} page */
export function bar(page) {
  const list = readFileSync(join(root, "docs/site/theme/bar.html"), "utf8").matchAll(/\("([^"]+)", "([^"]+)"\)/g);
  const links = Array.from(list, ([, name = "", to = ""]) => {
    const here = to === `playground/${page}` ? ' aria-current="page"' : "";
    return `<a href="${to.startsWith("playground/") ? to.slice("playground/".length) : `../${to}`}"${here}>${name}</a>`;
  });
  if (links.length < 5) throw new Error("docs/site/theme/bar.html has no list of links");
  const mark = '<a class="mark" href="../index.html"><img src="icon.svg" alt="">samplez</a>';
  return `<nav class="bar-of-site" aria-label="The site">${mark}\n${links.join("\n")}\n</nav>\n`;
}

/** The folder of the playground in a site. @param {string} site */
export function playground(site) {
  if (!existsSync(join(site, "index.html"))) throw new Error(`site = ${site}: expected the folder of a site that make docs or make lint has built`);
  const folder = join(site, "playground");
  rmSync(folder, { recursive: true, force: true });
  cpSync(built, folder, { recursive: true });
  for (const page of PAGES) {
    const file = join(folder, page);
    const text = readFileSync(file, "utf8");
    const begin = "\n<header>";
    if (!text.includes(begin)) throw new Error(`${page} has no header`);
    writeFileSync(file, text.replace(begin, `\n${bar(page)}<header>`).replaceAll(`href="${REPORT}#`, 'href="../docs/papers-reproduced.html#'));
  }
  return folder;
}
