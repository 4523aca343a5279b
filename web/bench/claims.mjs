// What measurements in an engine say of [JSDGS17]'s claims: for bench/findings.mjs, and for the page that measures in its reader's browser.
// measured.json lists the claims that are here.
// @ts-check

/** @typedef {import("./beside.mjs").Beside} Beside */
/** @typedef {import("./measure.mjs").SchemeTime} SchemeTime */
/** @typedef {{ arrays: import("./beside.mjs").Arrays[], digits: Record<string, import("./beside.mjs").Precision> }} AsPrinted */
/** @typedef {{ rows: Beside[], schemes: SchemeTime[] } & AsPrinted} Measured */
/** @typedef {{ item: string, quantity: string, terms: string, ours: number | string | null, unit: string, outcome?: string, form?: string }} Finding
 * what was found; `outcome` where no rule can tell, `form` where it is no measurement of this library */

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
/** What the paper chose and describes: nothing is judged. */
const SET_UP = "no claim";
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

/** The paper's arrays of bits. @param {AsPrinted} measured @returns {Finding[]} */
function ofPrinted({ arrays, digits }) {
  /** @type {Finding[]} */
  const all = [];
  const built = (/** @type {string} */ item, /** @type {string} */ quantity, /** @type {string} */ ours, /** @type {string} */ outcome, unit = "statement") =>
    void all.push({ item, quantity, terms: PRINTED, ours, unit, outcome, form: BUILT });
  const speeds = (/** @type {string} */ name) => arrays.map(({ sigma, speeds }) => `${speeds[name]?.toPrecision(3)} at ${sigma}`).join(", ");
  built("J5", "rejection", `by arrays of bits: ${speeds("rejection")} samples/ms`, SET_UP);
  built("J6", "inversion", `by arrays of bits: ${speeds("inversion")} samples/ms`, SET_UP);
  built("J7", "R", "generate() begins at the first digit of R that is not 0", SET_UP);
  built("J9", "matrix", "columns end with their last digit; differences of lengths are kept", SET_UP);
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
  built("J18", "who is faster", told, kept.length === arrays.length ? "agrees" : "differs: a walk takes more steps the wider the law is", "order");
  for (const { sigma, speeds } of arrays) {
    for (const name of ORDER) {
      const quantity = `${name}, arrays of bits × ${sigma}`;
      all.push({ item: "J17", quantity, terms: PICTURE, ours: speeds[name] ?? null, unit: HERE, form: BUILT });
    }
  }
  const slower = Object.values(digits).filter(({ few, many }) => many < LEVEL * few).length;
  const outcome = slower === ORDER.length ? "agrees" : "differs: a walk and a sure throw end before the last digits";
  built("J23", "more precision", `larger for all, slower for ${slower} of ${ORDER.length}`, outcome);
  return all;
}

/** What an engine's measurements say of the claims. @param {Measured} measured @returns {Finding[]} */
export function claims({ rows, schemes, arrays, digits }) {
  /** @type {Finding[]} */
  const findings = [];
  /** @param {string} item @param {string} quantity @param {number | string | null} ours @param {string} unit @param {string} terms @param {string} [outcome] */
  const found = (item, quantity, ours, unit, terms, outcome) =>
    void findings.push({ item, quantity, terms, ours, unit, ...(outcome === undefined ? {} : { outcome }) });
  for (const { name, sigma, plain, wasm, recipe } of rows) {
    found("J13", `${name} at ${sigma}`, wasm, HERE, `${recipe}; WebAssembly, the fastest window`);
    found("J17", `${name}, WebAssembly × ${sigma}`, wasm, HERE, PICTURE);
    found("J17", `${name}, plain JavaScript × ${sigma}`, plain, HERE, PICTURE);
    found("J25", `${name} × ${sigma}`, wasm / plain, "times", "By σ: WebAssembly over the same algorithm in plain JavaScript");
  }
  found("J17", "speeds in four browsers", null, HERE, "the four methods at three widths", NOT_PRINTED);
  const least = Math.min(...rows.map(({ wasm, plain }) => wasm / plain));
  const gain = `128-bit integers in WebAssembly at every place, ${least.toFixed(1)} times plain JavaScript with words of 32 bits, or more`;
  found("J25", "binary digits", gain, "statement", "no sampler of the package has a floating-point number", SET_UP);
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
  found("J18", "who is faster", `the paper's order in ${kept.length} of ${all} cells`, "order", "WebAssembly and plain JavaScript at three widths", why);
  findings.push(...ofPrinted({ arrays, digits }));
  for (const [what, item, quantity] of OPERATIONS) {
    const row = schemes.findLast((row) => row.what === what);
    if (row !== undefined) found(item, quantity, row.milliseconds, "ms", `${row.set}${row.noise ? `; ${row.noise}` : ""}; WebAssembly, the median`);
  }
  return findings;
}

/** What can be said of the browsers that measured all of it. @param {string[]} browsers @returns {Finding[]} */
export function claimsOf(browsers) {
  if (browsers.length === 0) return [];
  const by = browsers.join(", ");
  const engines = "not comparable: Opera and Edge have Chromium's engine by now";
  return [
    { item: "J11", quantity: "browsers", terms: by, ours: browsers.length, unit: "count", outcome: engines },
    { item: "J22", quantity: "browsers that run the schemes", terms: `${by}; times at J19 and J20`, ours: browsers.length, unit: "count", outcome: engines },
  ];
}
