/** The page: its form asks the worker, and shows what it answers. */

import type { Certificate } from "../../dist/index.js";
import "./scheme.js";
import { Breaking } from "./breaking.js";
import { LANGUAGES, snippet, type Language, type Shown } from "./code.js";
import { numeral } from "./axes.js";
import { certificateRows, describe } from "./certificate.js";
import { documents, showOrigin } from "./documents.js";
import { WIDEST } from "./fault-sizes.js";
import { drawHistogram, fillTable } from "./picture.js";
import { rational, sketch } from "./histogram.js";
import type { Answer, Cells, Measurement, Moments, Question, Snapshot } from "./protocol.js";
import { startSchemes } from "./schemes.js";
import * as settings from "./settings.js";
import { element } from "./svg.js";
import { download, showNative, showTable } from "./table.js";
import { Walks } from "./walks.js";

const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
const ask = (question: Question): void => worker.postMessage(question);

const status = element("status", HTMLElement);
const alert = element("alert", HTMLElement);
const downloadButton = element("download", HTMLButtonElement);
const histogram = element("histogram", SVGSVGElement);

/** Builds what is walked through, in a worker of its own: for wide laws that takes so long that the samples must not wait. */
let walker: Worker | undefined;
/** Questions that it has not answered. */
let open = 0;
const walks = new Walks((question) => {
  if (walker === undefined) {
    walker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    walker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (--open === 0) document.body.dataset["walks"] = "idle";
      receive(data);
    };
    walker.onerror = (event) => fail(`The worker stopped: ${event.message}`);
  }
  open++;
  document.body.dataset["walks"] = "busy";
  walker.postMessage(question);
});

/** Wrong samplers, in the same worker. */
const breaking = new Breaking((question) => ask(question));

let cells: Cells | undefined;
let last: Snapshot | undefined;
let shown = 0;
let shownSettings: Shown | undefined;
let language: Language = LANGUAGES[0];
let rows: Measurement[] = [];

const busy = (what: string | undefined): void => void (document.body.dataset["state"] = what ?? "idle");

function say(text: string): void {
  status.textContent = text;
}

function fail(message: string): void {
  alert.textContent = message;
  say("");
}

/** The number of the last task. */
let task = 0;

function start(what: string, question: (task: number) => Question): void {
  try {
    const asked = question(task + 1);
    task++;
    alert.textContent = "";
    busy(what);
    ask(asked);
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}

/** Draws anew; slowly, so that one sees it. The address becomes the page's as soon as that is shown. */
function run(slowly = false, address?: string): void {
  start("running", (task) => ({ type: "run", task, options: settings.options(), seed: settings.value("seed"), count: settings.count(), slowly, address }));
}

/** Whether the form has been asked in this very task: a field's Enter both changes and submits it. */
let acted = false;

/** Draws what the form says by now: picture, certificate, code and address follow together. */
function act(): void {
  if (acted) return;
  acted = true;
  setTimeout(() => (acted = false));
  run(false, settings.address());
}

/** The address of what is shown, where it is not yet the page's. */
let reached: string | undefined;

/** Browsers allow some hundred changes of the address in half a minute: a slider on its way makes none. */
function arrive(): void {
  if (reached === undefined || sliding) return;
  history.replaceState(null, "", reached);
  reached = undefined;
}

/** The code of what is shown, in the language chosen. */
function showCode(): void {
  for (const name of LANGUAGES) element(`code-${name}`, HTMLButtonElement).setAttribute("aria-pressed", String(name === language));
  if (shownSettings !== undefined) element("code", HTMLElement).textContent = snippet(language, shownSettings);
}

async function copy(text: string, said: string, otherwise: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(said);
  } catch {
    say(otherwise);
  }
}

function show(snapshot: Snapshot, final: boolean): void {
  if (cells === undefined) return;
  last = snapshot;
  shown = performance.now();
  drawHistogram(histogram, cells, snapshot);
  performance.mark("samples", { detail: snapshot.done });
  const digits = (x: number) => x.toPrecision(6);
  describe(element("moments", HTMLDListElement), [
    ["samples", snapshot.done.toLocaleString("en")],
    ["χ²", `${snapshot.chi2.toFixed(2)}, ${snapshot.degrees} degrees of freedom`],
    ["p-value", snapshot.p.toPrecision(4)],
    ["mean", `${digits(snapshot.mean)} (exact ${digits(moments.mean)})`],
    ["variance", `${digits(snapshot.variance)} (exact ${digits(moments.variance)})`],
    ["beyond 3σ", `${(100 * snapshot.tail).toFixed(4)} % (exact ${(100 * snapshot.expectedTail).toFixed(4)} %)`],
    ["95 % of the law", moments.middle.map((x) => numeral(Number(x))).join(" to ")],
    ["entropy", `${moments.entropy.toFixed(4)} bits a sample`],
    ["samples per ms", Math.round(snapshot.rate).toLocaleString("en")],
  ]);
  if (final) fillTable(element("cells", HTMLTableSectionElement), cells, snapshot);
}

let moments: Moments = { sigma: 1, mean: 0, variance: 0, entropy: 0, middle: [0n, 0n] };

/** Whether the user wants few things to move: then a picture stands for so many milliseconds. */
const still = matchMedia("(prefers-reduced-motion: reduce)");
const STILL = 2000;

function receive(answer: Answer): void {
  switch (answer.type) {
    case "names":
      settings.offer("method", answer.methods);
      settings.offer("source", answer.sources);
      settings.fromAddress();
      // Who comes for the first time sees it grow.
      run(location.search === "" && !still.matches);
      return;
    case "building": {
      // In steps: a screen reader reads each.
      const text = `Building the table: ${5 * Math.floor(20 * answer.share)} %`;
      if (status.textContent !== text) say(text);
      return;
    }
    case "built":
      reached = answer.address ?? reached;
      arrive();
      cells = answer.cells;
      moments = answer.moments;
      shownSettings = answer.shown;
      showCode();
      settings.showSliders(moments.sigma, rational(answer.certificate.center));
      describe(element("certificate", HTMLDListElement), certificateRows(answer.certificate, answer.plan, answer.simd));
      void showOrigin(answer.plan.method);
      certificate = answer.certificate;
      if (!sliding) startWalks();
      return say(`Sampling by ${answer.plan.method}.`);
    case "progress":
      if (answer.last || !still.matches || performance.now() - shown > STILL) show(answer.snapshot, answer.last);
      return;
    case "walk":
      return walks.begin(answer);
    case "no walk":
      return walks.refuse(answer.walk, answer.why);
    case "broken":
      return breaking.show(answer);
    case "measured":
      rows.push(answer.row);
      showTable(element("rates", HTMLTableSectionElement), rows);
      return say(`Measured ${answer.row.method} at σ = ${answer.row.sigma}.`);
    case "error":
      if (answer.task !== undefined && answer.task !== task) return;
      fail(answer.message);
      return say(last === undefined ? "" : "Picture, certificate, code and link are still those of the settings before.");
    case "done":
      return answer.task === task ? done(answer.aborted) : undefined;
  }
}

let certificate: Certificate | undefined;
/** Whether a slider is on its way: what is further down the page waits until it has stopped. */
let sliding = false;

/** The law of the lessons: what is shown, around an integer, and not too wide. */
function lessonLaw({ width, center }: Certificate): string {
  const form = moments.sigma > WIDEST ? `sigma=${WIDEST}` : `${width.form}=${width.value}`;
  return `${form},center=${Math.round(rational(center))}`;
}

function startWalks(): void {
  if (certificate === undefined) return;
  if (open > 0) {
    // What it is at is of another law.
    walker?.terminate();
    walker = undefined;
    open = 0;
  }
  if (cells !== undefined) breaking.about(lessonLaw(certificate), settings.value("seed"), cells);
  walks.about({ certificate, sigma: moments.sigma, precision: settings.value("precision"), rectangles: settings.value("rectangles"), seed: settings.value("seed") });
}

function done(aborted: boolean): void {
  if (document.body.dataset["state"] === "benchmark") {
    downloadButton.disabled = rows.length === 0;
    say(aborted ? "The benchmark was stopped." : "The benchmark is done.");
  } else if (last !== undefined && alert.textContent === "") {
    say(`${aborted ? "Stopped after" : "Drew"} ${last.done.toLocaleString("en")} samples.`);
  }
  busy(undefined);
}

worker.onmessage = ({ data }: MessageEvent<Answer>) => receive(data);
worker.onerror = (event) => fail(`The worker stopped: ${event.message}`);

const form = element("settings", HTMLFormElement);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  act();
});
document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement) || target.form !== form) return;
  if (target.type === "range") {
    sliding = false;
    arrive();
    return startWalks();
  }
  // They are of the Ziggurat that is walked through, and change no sample.
  if (target.id === "rectangles") {
    const now = new URL(location.href);
    now.searchParams.set("rectangles", target.value);
    if (location.search !== "") history.replaceState(null, "", now);
    return startWalks();
  }
  if (target.id === "preset") settings.choosePreset();
  else settings.showPreset();
  act();
});
settings.startSliders(() => {
  sliding = true;
  act();
});
element("reseed", HTMLButtonElement).addEventListener("click", () => {
  settings.freshSeed();
  act();
});
element("share", HTMLButtonElement).addEventListener("click", () => {
  // A first visit has no address yet.
  if (location.search === "" && alert.textContent === "") history.replaceState(null, "", settings.address());
  void copy(location.href, "The address is on the clipboard.", "Copy the page's address: it holds all settings and the seed.");
});
for (const name of LANGUAGES) {
  element(`code-${name}`, HTMLButtonElement).addEventListener("click", () => {
    language = name;
    showCode();
  });
}
element("copy", HTMLButtonElement).addEventListener("click", () => {
  const code = element("code", HTMLElement);
  getSelection()?.selectAllChildren(code);
  void copy(code.textContent, "The code is on the clipboard.", "The code is selected: copy it.");
});
element("stop", HTMLButtonElement).addEventListener("click", () => ask({ type: "abort" }));
addEventListener("resize", () => {
  if (cells !== undefined && last !== undefined) drawHistogram(histogram, cells, last);
});
element("benchmark", HTMLButtonElement).addEventListener("click", () => {
  rows = [];
  downloadButton.disabled = true;
  const milliseconds = Number(element("effort", HTMLSelectElement).value);
  start("benchmark", (task) => ({ type: "benchmark", task, milliseconds }));
});
downloadButton.addEventListener("click", () => download(rows));

settings.fromAddress();
const [sketched, middle] = [Number(settings.value("width")), Number(settings.value("center") || "0")];
if (settings.value("form") === "sigma" && sketched > 0 && sketched < 1e15 && Number.isFinite(middle)) {
  drawHistogram(histogram, sketch(sketched, middle), undefined);
  performance.mark("law");
}
startSchemes();
showCode();
void documents.then(({ native }) => showNative(element("native", HTMLElement), native));
busy("loading");
ask({ type: "names" });
