// What tests of the page do and read: its user's gestures, and what stands on it.
// @ts-check

/** @typedef {import("./drivers.mjs").Driver} Driver */

export const SEED = "5a".repeat(31) + "5b";
export const PAGE = `?recipe=sigma=3.2,center=0,method=auto,precision=128&source=chacha20&count=1000000&seed=${SEED}&rectangles=12`;

export const pause = () => new Promise((resolve) => setTimeout(resolve, 100));

/** Far more than any machine needs, however busy: it only ends what would never come. */
export const PATIENCE = 600;

/** @param {Driver} driver @param {string} condition */
export async function until(driver, condition) {
  for (const end = Date.now() + 1000 * PATIENCE; !(await driver.evaluate(condition)); await pause()) {
    if (Date.now() > end) throw new Error(`${condition} does not become true; the page says: ${await driver.evaluate(SAYS)}`);
  }
}

const SAYS = 'document.getElementById("alert").textContent + " | " + document.getElementById("status").textContent';
export const IDLE = 'document.body.dataset.state === "idle"';
export const TEXT = (/** @type {string} */ id) => `document.getElementById(${JSON.stringify(id)}).textContent`;

/** Chooses an option of a list as its user does.
 * @param {Driver} driver @param {string} id @param {string} value */
export async function choose(driver, id, value) {
  const list = `document.getElementById(${JSON.stringify(id)})`;
  await driver.evaluate(`(${list}.focus(), ${list}.value = ${JSON.stringify(value)}, ${list}.dispatchEvent(new Event("change", { bubbles: true })))`);
}

/** The picture's table: value, seen, expected, residual.
 * @param {Driver} driver @returns {Promise<[string, number, number, number][]>} */
export async function cells(driver) {
  const text = await driver.evaluate(
    'JSON.stringify(Array.from(document.querySelectorAll("#cells tr"), (row) => Array.from(row.cells, (cell) => cell.textContent)))',
  );
  return JSON.parse(text).map((/** @type {string[]} */ [value, ...numbers]) => [value, ...numbers.map(Number)]);
}

/** A definition of one of the page's lists.
 * @param {Driver} driver @param {string} list @param {string} term @returns {Promise<string>} */
export const definition = (driver, list, term) =>
  driver.evaluate(
    `Array.from(document.querySelectorAll("#${list} dt")).find((term) => term.textContent === ${JSON.stringify(term)})?.nextSibling.textContent`,
  );
