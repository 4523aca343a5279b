/** The page that measures [JSDGS17]'s claims in its reader's browser: the table of claims, and Figure 4 of all browsers that are known. */

import "./scheme.js";
import { panel, type Speeds } from "./figure4.js";
import type { Finding, MeasureAnswer } from "./measure-protocol.js";
import { save } from "./save.js";
import { element } from "./svg.js";

/** What measure.json says: each printed number, and what was measured for the report. tools/page.mjs makes it. */
interface Known {
  readonly printed: Readonly<Record<string, string>>;
  readonly engines: readonly Speeds[];
}

const status = element("status", HTMLElement);
const alert = element("alert", HTMLElement);
const start = element("measure", HTMLButtonElement);
const keep = element("save", HTMLButtonElement);

/** This browser's name and version, as far as it says. */
function browser(agent: string): string {
  for (const [pattern, name] of [[/Firefox\/(\d+)/, "Firefox"], [/Edg\/(\d+)/, "Edge"], [/OPR\/(\d+)/, "Opera"], [/Chrom(?:e|ium)\/(\d+)/, "Chromium"], [/Version\/([\d.]+).*Safari/, "Safari"]] as const) {
    const version = pattern.exec(agent)?.[1];
    if (version !== undefined) return `${name} ${version}`;
  }
  return "this browser";
}

const here = browser(navigator.userAgent);
let known: Known = { printed: {}, engines: [] };
let mine: readonly Finding[] = [];
let besides: readonly Finding[] = [];
/** By browser: a file that is added again takes the place of the one before. */
const others = new Map<string, Speeds>();

/** [JSDGS17]'s Figure 4 of findings: by method and kind, speeds by σ. */
function speedsOf(by: string, when: string, findings: readonly Finding[]): Speeds | undefined {
  const rows: Record<string, Record<string, number>> = {};
  for (const { item, quantity, ours } of findings) {
    const [, name, sigma] = /^(.+) × ([\d.]+)$/.exec(quantity) ?? [];
    if (item === "J17" && name !== undefined && sigma !== undefined && typeof ours === "number" && ours > 0) (rows[name] ??= {})[sigma] = ours;
  }
  return Object.keys(rows).length === 0 ? undefined : { by, when, rows };
}

function showFigure(): void {
  const all = [...known.engines, ...others.values()];
  const own = speedsOf(here, "now, here", mine);
  element("panels", HTMLElement).replaceChildren(...[...(own ? [own] : []), ...all].map(panel));
}

const figures = (ours: number): string => (ours >= 1000 ? Math.round(ours).toLocaleString("en") : ours.toPrecision(3));

function showClaims(): void {
  for (const row of element("claims", HTMLTableSectionElement).rows) {
    const of = [...mine, ...besides].filter(({ item }) => item === row.id);
    const cell = row.querySelector(".here");
    if (of.length === 0 || cell === null) continue;
    cell.replaceChildren(
      ...of.filter(({ ours }) => ours !== null).map(({ item, quantity, ours, unit, outcome }) => {
        const line = document.createElement("div");
        const printed = known.printed[`${item} ${quantity}`];
        const value = typeof ours === "number" ? `${figures(ours)} ${unit === "count" ? "" : unit}`.trim() : ours;
        line.textContent = `${quantity}: ${value}${printed === undefined || typeof ours !== "number" ? "" : ` (the paper: ${printed})`}${outcome === undefined || outcome.startsWith("not comparable") ? "" : `; ${outcome}`}`;
        return line;
      }),
    );
  }
}

function receive(answer: MeasureAnswer): void {
  if (answer.type === "stage") return void (status.textContent = `Measuring ${answer.stage} …`);
  document.body.dataset["state"] = "idle";
  start.disabled = false;
  if (answer.type === "failed") {
    status.textContent = "";
    return void (alert.textContent = answer.message);
  }
  ({ findings: mine, besides } = answer);
  keep.disabled = false;
  status.textContent = `Measured in ${here}.`;
  showFigure();
  showClaims();
}

let worker: Worker | undefined;
start.addEventListener("click", () => {
  if (worker === undefined) {
    worker = new Worker(new URL("./measure-worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<MeasureAnswer>) => receive(data);
    worker.onerror = (event) => receive({ type: "failed", message: `The worker stopped: ${event.message}` });
  }
  alert.textContent = "";
  start.disabled = keep.disabled = true;
  document.body.dataset["state"] = "busy";
  worker.postMessage({ milliseconds: Number(element("effort", HTMLSelectElement).value), by: here });
});

keep.addEventListener("click", () => {
  const date = new Date().toISOString().slice(0, 10);
  const lines = mine.map((finding) => JSON.stringify({ ...finding, by: here, date, command: "the page that measures" }));
  save(`samplez-${here.toLowerCase().replace(/[^\w.]+/g, "-")}.jsonl`, `${lines.join("\n")}\n`);
});

element("others", HTMLInputElement).addEventListener("change", async ({ target }) => {
  alert.textContent = "";
  for (const file of (target as HTMLInputElement).files ?? []) {
    try {
      /** By browser. */
      const found = new Map<string, { date: string; findings: Finding[] }>();
      for (const [i, line] of (await file.text()).split("\n").entries()) {
        if (line.trim() === "") continue;
        const { by, date, ...finding } = parsed(line, `${file.name}:${i + 1}`);
        const of = found.get(by) ?? { date, findings: [] };
        of.findings.push(finding);
        found.set(by, of);
      }
      let shown = 0;
      for (const [by, { date, findings }] of found) {
        const speeds = speedsOf(by, `${date}, ${file.name}`, findings);
        if (speeds === undefined) continue;
        others.set(by, speeds);
        shown++;
      }
      if (shown === 0) throw new Error(`${file.name}: no speeds of Figure 4: expected a file of «Save the findings» or of make report's browsers.jsonl`);
    } catch (error) {
      alert.textContent = error instanceof Error ? error.message : String(error);
    }
  }
  showFigure();
});

/** A line of findings. */
function parsed(line: string, at: string): Finding & { by: string; date: string } {
  let read: unknown;
  try {
    read = JSON.parse(line);
  } catch {
    read = undefined;
  }
  const { item, quantity, by, date } = (read ?? {}) as Record<string, unknown>;
  if ([item, quantity, by, date].every((part) => typeof part === "string")) return read as Finding & { by: string; date: string };
  throw new Error(`${at}: expected a finding: JSON with item, quantity, by and date`);
}

void fetch(new URL("../../measure.json", import.meta.url))
  .then((response) => response.json())
  .then((read: Known) => {
    known = read;
    showFigure();
    document.body.dataset["known"] = "yes";
  });
