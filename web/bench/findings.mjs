// What browsers find of [JSDGS17], for `samplez-lab report --merge`: a line of JSON for each finding. Arguments: the file, milliseconds of a
// figure (200), engines (node, chromium, firefox, webkit; all if none is named).
// @ts-check

import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { inEngines } from "./engines.mjs";

/** @typedef {import("./beside.mjs").Beside} Beside */
/** @typedef {import("./measure.mjs").SchemeTime} SchemeTime */
/** @typedef {{ arrays: import("./beside.mjs").Arrays[], digits: Record<string, import("./beside.mjs").Precision> }} AsPrinted */
/** @typedef {{ rows: Beside[], schemes: SchemeTime[] } & AsPrinted} Measured */

const [file, time, ...chosen] = process.argv.slice(2);
if (file === undefined) {
  console.error("usage: node bench/findings.mjs FILE [MILLISECONDS [ENGINE ...]]");
  process.exit(2);
}
const milliseconds = Number(time ?? 200);
const command = "node bench/findings.mjs";
const date = new Date().toISOString().slice(0, 10);

/** How many wanted a processor before this began. */
const load = loadavg()[0];

/** @type {string[]} */
const lines = [];
/** @param {string} by @param {string} item @param {string} quantity @param {number | string | null} ours @param {string} unit @param {string} terms
 * @param {string} [outcome] @param {string} [form] */
function found(by, item, quantity, ours, unit, terms, outcome, form) {
  const more = { ...(outcome === undefined ? {} : { outcome }), ...(form === undefined ? {} : { form }) };
  lines.push(JSON.stringify({ item, quantity, terms, ours, unit, by, date, load, command, ...more }));
}

/** What an order is worth where who is slower by no more than a tenth is level, as everywhere in the report. */
const LEVEL = 0.9;
/** The paper's, the fastest first. */
const ORDER = ["Knuth-Yao", "Ziggurat", "inversion", "rejection"];
/** A gain that the paper only praises is one from here on. */
const A_LOT = 2;
const BUILT = "as-built";
const PRINTED = "arrays with an element for each digit, 128 after the point; web/bench/bits.mjs, whose law web/test tests; the fastest turn";
const HERE = "samples/ms";
/** The terms of the figures in the picture. */
const PICTURE = "By σ: the paper's t and m, 128 bits";
const NOT_PRINTED = "not comparable: the paper's values are only drawn";
/** The paper's operations in Tables 4 and 5, by what the page calls them. @type {[string, string, string][]} */
const OPERATIONS = [
  ["keys", "J19", "BLISS-II key"],
  ["sign, plain", "J19", "BLISS-II signature"],
  ["verify", "J19", "BLISS-II verification"],
  ["1024 samples: an attempt to sign", "J20", "sampling in a signature of BLISS-II"],
  ["256·4972 samples: Regev's keys", "J20", "sampling in a key of Regev"],
  ["2·256·128 samples: LP11's keys", "J20", "sampling in a key of LP11"],
  ["640 samples: LP11's encryption", "J20", "sampling in an encryption of LP11"],
];

/** The paper's arrays of bits. @param {string} engine @param {AsPrinted} measured */
function tellPrinted(engine, { arrays, digits }) {
  const built = (/** @type {string} */ item, /** @type {string} */ quantity, /** @type {string} */ ours, /** @type {string} */ outcome, unit = "statement") =>
    found(engine, item, quantity, ours, unit, PRINTED, outcome, BUILT);
  const speeds = (/** @type {string} */ name) => arrays.map(({ sigma, speeds }) => `${speeds[name]?.toPrecision(3)} at ${sigma}`).join(", ");
  built("J5", "rejection", `by arrays of bits: ${speeds("rejection")} samples/ms`, "agrees");
  built("J6", "inversion", `by arrays of bits: ${speeds("inversion")} samples/ms`, "agrees");
  built("J7", "R", "generate() begins at the first digit of R that is not 0", "agrees");
  built("J9", "matrix", "columns end with their last digit; differences of lengths are kept", "agrees");
  for (const [item, quantity, name] of /** @type {const} */ ([
    ["J7", "what skipping the zeros gains", "Ziggurat"],
    ["J9", "what compression gains", "Knuth-Yao"],
  ])) {
    const gains = arrays.map(({ sigma, speeds, slowly }) => ({ sigma, gain: (speeds[name] ?? NaN) / (slowly[name] ?? NaN) }));
    const told = gains.map(({ sigma, gain }) => `${gain.toPrecision(3)} times at ${sigma}`).join(", ");
    built(item, quantity, told, gains.every(({ gain }) => gain >= A_LOT) ? "agrees" : "differs: less than twice as fast");
  }
  const kept = arrays.filter(({ speeds }) =>
    ORDER.every((name, i) => ORDER.slice(0, i).every((faster) => (speeds[faster] ?? NaN) >= LEVEL * (speeds[name] ?? NaN))),
  );
  const told = `the paper's order at ${kept.map(({ sigma }) => sigma).join(", ") || "no width"}`;
  const all = kept.length === arrays.length;
  built("J18", "who is faster", told, all ? "agrees" : "differs: a walk takes more steps the wider the law is", "order");
  for (const { sigma, speeds } of arrays) {
    for (const name of ORDER) found(engine, "J17", `${name}, arrays of bits × ${sigma}`, speeds[name] ?? null, HERE, PICTURE, undefined, BUILT);
  }
  const slower = Object.values(digits).filter(({ few, many }) => many < LEVEL * few).length;
  const outcome = slower === ORDER.length ? "agrees" : "differs: a walk and a sure throw end before the last digits";
  built("J23", "more precision", `larger for all, slower for ${slower} of ${ORDER.length}`, outcome);
}

/** @param {string} engine @param {Measured} measured */
function tell(engine, { rows, schemes, arrays, digits }) {
  for (const { name, sigma, plain, wasm, recipe } of rows) {
    found(engine, "J13", `${name} at ${sigma}`, wasm, HERE, `${recipe}; WebAssembly, the fastest window`);
    found(engine, "J17", `${name}, WebAssembly × ${sigma}`, wasm, HERE, PICTURE);
    found(engine, "J17", `${name}, plain JavaScript × ${sigma}`, plain, HERE, PICTURE);
    found(engine, "J25", `${name} × ${sigma}`, wasm / plain, "times", "By σ: WebAssembly over the same algorithm in plain JavaScript");
  }
  found(engine, "J17", "speeds in four browsers", null, HERE, "the four methods at three widths", NOT_PRINTED);
  const least = Math.min(...rows.map(({ wasm, plain }) => wasm / plain));
  const gain = `128-bit integers in WebAssembly at every place, ${least.toFixed(1)} times plain JavaScript with words of 32 bits, or more`;
  found(engine, "J25", "binary digits", gain, "statement", "no sampler of the package has a floating-point number", "agrees");
  /** @type {string[]} */
  const kept = [];
  const sigmas = [...new Set(rows.map(({ sigma }) => sigma))];
  for (const kind of /** @type {const} */ (["wasm", "plain"])) {
    for (const sigma of sigmas) {
      const at = (/** @type {string} */ name) => rows.find((row) => row.name === name && row.sigma === sigma)?.[kind] ?? NaN;
      const holds = ORDER.every((name, i) => ORDER.slice(0, i).every((faster) => at(faster) >= LEVEL * at(name)));
      if (holds) kept.push(`${kind === "wasm" ? "WebAssembly" : "plain JavaScript"} at ${sigma}`);
    }
  }
  const all = 2 * sigmas.length;
  const why = kept.length === all ? "agrees" : `differs: it stands in ${kept.length} of ${all} cells: ${kept.join(", ") || "none"}`;
  found(engine, "J18", "who is faster", `the paper's order in ${kept.length} of ${all} cells`, "order", "WebAssembly and plain JavaScript at three widths", why);
  tellPrinted(engine, { arrays, digits });
  for (const [what, item, quantity] of OPERATIONS) {
    const row = schemes.findLast((row) => row.what === what);
    if (row !== undefined) found(engine, item, quantity, row.milliseconds, "ms", `${row.set}${row.noise ? `; ${row.noise}` : ""}; WebAssembly, the median`);
  }
  console.log(`${engine}: ${rows.length} speeds, ${schemes.length} times`);
}

const browsers = await inEngines(chosen, "beside.mjs", "all", milliseconds, tell);
if (browsers.length > 0) {
  const by = browsers.join(", ");
  const engines = "not comparable: Opera and Edge are of Chromium's engine by now; WebKit, which the paper did not have, stands in";
  found(by, "J11", "browsers", browsers.length, "count", by, engines);
  found(by, "J22", "browsers that run the schemes", browsers.length, "count", `${by}; times at J19 and J20`, engines);
  const aim = "keys, signatures, encryption and decryption of all three schemes, from the package's samplez/schemes";
  found(by, "J24", "aim", aim, "statement", "the page uses it, and the package's tests", "agrees");
}
writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
