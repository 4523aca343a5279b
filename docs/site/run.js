// Wide tables can be reached by keys, and the JavaScript examples of a page run in place: each has a button, which runs it after those above it, in a worker, over the package of the
// playground. What a statement gives is shown below it.
// @ts-check

/** Where the package's entries are, by their names. @type {Record<string, string>} */
const ENTRIES = {
  samplez: "dist/index.js",
  "samplez/inline": "dist/inline.js",
  "samplez/core": "dist/core/index.js",
  "samplez/core/table": "dist/core/table.js",
  "samplez/schemes": "dist/schemes/index.js",
};

/** Where a comment, a text or a single character ends. */
const PART = /\/\/.*|\/\*[^]*?\*\/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|[^]/g;

/** The statements of a program, each with the comment behind it. Of regular expressions it knows nothing. @param {string} code */
export function statements(code) {
  /** @type {string[]} */
  const found = [];
  let [open, depth, bare] = ["", 0, ""];
  for (const [part] of code.matchAll(PART)) {
    open += part;
    if (/^\/[/*]/.test(part)) continue;
    bare += part;
    if (/^[([{]$/.test(part)) depth++;
    if (/^[)\]}]$/.test(part)) depth--;
    if (part === "\n" && depth === 0 && /[;}]\s*$/.test(bare)) {
      found.push(open);
      [open, bare] = ["", ""];
    }
  }
  if (bare.trim() !== "") found.push(open);
  return found;
}

/** A statement that shows what it gives. @param {string} statement */
function shown(statement) {
  const bare = statement.replace(/^(?:\s*\/\/.*\n)+/, "").trim();
  const declared = /^(?:const|let) (?:(\w+)|\{([^}=]*)\})\s*=/.exec(bare);
  if (declared) {
    const names = declared[1] ? [declared[1]] : (declared[2] ?? "").split(",").map((name) => name.split(":").pop()?.trim() ?? "");
    return `${statement}\n${names.map((name) => `show(${JSON.stringify(name)}, ${name});`).join("")}`;
  }
  if (/^(?:for|if|while|do|try|switch|function|async function|class|using|await using|\{)(?![\w$])/.test(bare)) return statement;
  const code = bare.replace(/;\s*(?:\/\/.*)?$/, "");
  const name = code.replace(/\s+/g, " ");
  return `show(${JSON.stringify(name.length > 80 ? `${name.slice(0, 79)}…` : name)}, ${code}\n);`;
}

/** What the worker runs: the imports of all examples, those before the last, and the last so that it shows what its statements give.
 * @param {string[]} examples @param {string} root  where the playground is */
export function program(examples, root) {
  const imports = new Set(examples.flatMap((text) => text.match(/^import .*$/gm) ?? []));
  const head = [...imports].map((line) =>
    line.replace(/"(samplez[\w/]*)"/, (text, name) => (ENTRIES[name] === undefined ? text : JSON.stringify(new URL(ENTRIES[name], root).href))),
  );
  const bodies = examples.map((text) => text.replace(/^import .*$/gm, ""));
  const last = statements(bodies.pop() ?? "");
  return `${head.join("\n")}
${shorten.toString()}
const show = (name, value) => postMessage({ name, value: shorten(value) });
(async () => {
${bodies.join("\n")}
${last.map(shown).join("\n")}
})().then(() => postMessage({ done: true }), (error) => postMessage({ error: String(error) }));
`;
}

/** A value in one line. It runs in the worker, and so stands alone. @param {any} value @returns {string} */
function shorten(value) {
  const MOST = 400;
  if (typeof value === "bigint") return `${value}n`;
  if (ArrayBuffer.isView(value)) {
    const some = Array.from(/** @type {any} */ (value).subarray?.(0, 12) ?? []).map((x) => shorten(x));
    return `${value.constructor.name}(${/** @type {any} */ (value).length}) [${some.join(", ")}${/** @type {any} */ (value).length > 12 ? ", …" : ""}]`;
  }
  if (typeof value === "function" || value === undefined || value === null) return String(value);
  if (typeof value === "object" && value.toString !== Object.prototype.toString && !Array.isArray(value)) return String(value).slice(0, MOST);
  const text = JSON.stringify(value, (_, x) => (typeof x === "bigint" ? `${x}n` : ArrayBuffer.isView(x) ? shorten(x) : x)) ?? String(value);
  const named = typeof value === "object" && !Array.isArray(value) && value.constructor?.name !== "Object" ? `${value.constructor?.name} ` : "";
  return named + (text.length > MOST ? `${text.slice(0, MOST)} …` : text);
}

/** Puts a button below each example. */
function start() {
  const root = new URL("../../playground/", import.meta.url).href;
  // What needs Node has no button.
  const codes = /** @type {HTMLElement[]} */ (Array.from(document.querySelectorAll(".language-js pre > code"))).filter((code) => !/ from "node:/.test(code.textContent ?? ""));
  codes.forEach((code, i) => {
    const bar = document.createElement("div");
    const button = document.createElement("button");
    const output = document.createElement("output");
    bar.className = "run";
    button.type = "button";
    const offer = (/** @type {string} */ act) => {
      button.textContent = act;
      button.setAttribute("aria-label", `${act} example ${i + 1} of ${codes.length}`);
    };
    offer("Run");
    bar.append(button, output);
    (code.closest(".language-js") ?? code).after(bar);
    try {
      code.contentEditable = "plaintext-only"; // the reader changes σ, and runs it again
      code.spellcheck = false;
      code.setAttribute("role", "textbox");
      code.setAttribute("aria-multiline", "true");
      code.setAttribute("aria-label", `Example ${i + 1}, which you can change`);
    } catch {
      // an engine without it: the example runs as it stands
    }
    /** @type {Worker | undefined} */
    let worker;
    const end = (/** @type {string} */ text) => {
      worker?.terminate();
      worker = undefined;
      offer("Run");
      output.textContent = `${output.textContent}${text}`;
      output.dataset["state"] = "done";
    };
    button.addEventListener("click", () => {
      if (worker !== undefined) return end("Stopped.\n");
      output.textContent = "";
      output.dataset["state"] = "running";
      offer("Stop");
      const texts = codes.slice(0, i + 1).map((element) => element.textContent ?? "");
      const url = URL.createObjectURL(new Blob([program(texts, root)], { type: "text/javascript" }));
      worker = new Worker(url, { type: "module" });
      worker.onmessage = ({ data: { name, value, error, done } }) => {
        if (name !== undefined) output.textContent = `${output.textContent}${name} → ${value}\n`;
        if (error !== undefined) end(`${error}\n`);
        if (done) end(output.textContent === "" ? "Done.\n" : "");
      };
      worker.onerror = (event) => {
        event.preventDefault();
        end(`${event.message || `The package could not be loaded from ${root}`}\n`);
      };
    });
  });
}

/** Lets the keys move what is wider than its place, and names the theme's parts that have no name. Everything is measured before
 * anything is written, so that the page is laid out once. */
function reach() {
  const all = (/** @type {string} */ selector) => /** @type {HTMLElement[]} */ (Array.from(document.querySelectorAll(selector)));
  const measured = (/** @type {string} */ selector) => all(selector).map((e) => ({ e, wide: e.scrollWidth > e.clientWidth }));
  const [wraps, codes] = [measured(".md-typeset__scrollwrap"), measured("pre > code")];
  wraps.forEach(({ e, wide }, i) => {
    if (!wide) return e.removeAttribute("tabindex");
    e.tabIndex = 0;
    e.setAttribute("role", "group");
    e.setAttribute("aria-label", `Table ${i + 1}`);
  });
  for (const { e, wide } of codes) if (wide) e.tabIndex = 0;
  all("nav.md-code__nav").forEach((bar, i) => bar.setAttribute("aria-label", `Code ${i + 1}`));
}

if (typeof document !== "undefined") {
  let due = false;
  const soon = () => {
    if (!due) requestAnimationFrame(() => void ((due = false), reach()));
    due = true;
  };
  soon();
  addEventListener("load", soon);
  addEventListener("resize", soon);
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
  // From the disk no browser starts a worker of modules.
  if (location.protocol.startsWith("http")) start();
}
