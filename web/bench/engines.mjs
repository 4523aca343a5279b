// A measurement in Node and in browsers, one engine after the other.
// @ts-check

import { BROWSERS } from "../test/drivers.mjs";
import { serveSite } from "../test/site.mjs";

const BUILT = new URL("../build/site/", import.meta.url).href;

/** Calls what a module of this folder exports under a name, with where the site is and the milliseconds of a figure, in the chosen engines (node,
 * chromium, firefox, webkit; all if none is), and tells what each gives. The browsers that it was told of.
 * @template T @param {string[]} chosen @param {string} file @param {string} name @param {number} milliseconds
 * @param {(engine: string, measured: T) => void} tell @returns {Promise<string[]>} */
export async function inEngines(chosen, file, name, milliseconds, tell) {
  const wanted = (/** @type {string} */ engine) => chosen.length === 0 || chosen.includes(engine);
  if (wanted("node")) tell(`Node ${process.version}`, await (await import(`./${file}`))[name](BUILT, milliseconds));
  const browsers = Object.entries(BROWSERS).filter(([browser]) => wanted(browser));
  const site = await serveSite();
  for (const [browser, start] of browsers) {
    const driver = await start();
    try {
      await driver.open(site.url);
      const call = `import("/bench/${file}").then((bench) => bench.${name}(location.origin + "/", ${milliseconds})).then(JSON.stringify)`;
      tell(browser, JSON.parse(await driver.evaluate(call)));
    } finally {
      await driver.close();
    }
  }
  site.close();
  return browsers.map(([browser]) => browser);
}
