/** The page: its form asks the worker, and shows what it answers. */

import type { KnuthYaoFigure, ZigguratFigure } from "../../dist/index.js";
import { certificateRows, describe } from "./certificate.js";
import { drawHistogram, fillTable } from "./picture.js";
import type { Answer, Cells, Measurement, Moments, Question, Snapshot } from "./protocol.js";
import { startSchemes } from "./schemes.js";
import * as settings from "./settings.js";
import { element } from "./svg.js";
import { download, showTable } from "./table.js";
import { drawWalk } from "./walk.js";
import { drawZiggurat } from "./ziggurat.js";

const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
const ask = (question: Question): void => worker.postMessage(question);

const status = element("status", HTMLElement);
const alert = element("alert", HTMLElement);
const runButton = element("run", HTMLButtonElement);
const stopButton = element("stop", HTMLButtonElement);
const benchmarkButton = element("benchmark", HTMLButtonElement);
const downloadButton = element("download", HTMLButtonElement);
const histogram = element("histogram", SVGSVGElement);

let cells: Cells | undefined;
let last: Snapshot | undefined;
let shown = 0;
let sigma = 1;
let zigguratFigure: ZigguratFigure | undefined;
let walkFigure: KnuthYaoFigure | undefined;
let rows: Measurement[] = [];

function busy(what: string | undefined): void {
  const working = what !== undefined;
  runButton.disabled = benchmarkButton.disabled = working;
  stopButton.disabled = !working;
  document.body.dataset["state"] = working ? what : "idle";
}

function say(text: string): void {
  status.textContent = text;
}

function fail(message: string): void {
  alert.textContent = message;
  say("");
}

function start(what: string, question: () => Question): void {
  try {
    const asked = question();
    alert.textContent = "";
    busy(what);
    ask(asked);
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}

function run(): void {
  settings.toAddress();
  start("running", () => ({ type: "run", options: settings.options(), count: settings.count() }));
}

function show(snapshot: Snapshot, final: boolean): void {
  if (cells === undefined) return;
  last = snapshot;
  shown = performance.now();
  drawHistogram(histogram, cells, snapshot);
  const digits = (x: number) => x.toPrecision(6);
  describe(element("moments", HTMLDListElement), [
    ["samples", snapshot.done.toLocaleString("en")],
    ["χ²", `${snapshot.chi2.toFixed(2)}, ${snapshot.degrees} degrees of freedom`],
    ["p-value", snapshot.p.toPrecision(4)],
    ["mean", `${digits(snapshot.mean)} (exact ${digits(moments.mean)})`],
    ["variance", `${digits(snapshot.variance)} (exact ${digits(moments.variance)})`],
    ["beyond 3σ", `${(100 * snapshot.tail).toFixed(4)} % (exact ${(100 * snapshot.expectedTail).toFixed(4)} %)`],
    ["samples per ms", Math.round(snapshot.rate).toLocaleString("en")],
  ]);
  if (final) fillTable(element("cells", HTMLTableSectionElement), cells, snapshot);
}

let moments: Moments = { sigma: 1, mean: 0, variance: 0 };

/** Whether the user wants few things to move: then a picture stands for so many milliseconds. */
const still = matchMedia("(prefers-reduced-motion: reduce)");
const STILL = 2000;

function receive(answer: Answer): void {
  switch (answer.type) {
    case "names":
      settings.offer("method", answer.methods);
      settings.offer("source", answer.sources);
      settings.fromAddress();
      busy(undefined);
      run();
      return;
    case "built":
      cells = answer.cells;
      moments = answer.moments;
      sigma = moments.sigma;
      describe(element("certificate", HTMLDListElement), certificateRows(answer.certificate, answer.plan, answer.simd));
      ask({ type: "figures", law: settings.pictured() });
      return say(`Sampling by ${answer.plan.method}.`);
    case "progress":
      if (answer.last || !still.matches || performance.now() - shown > STILL) show(answer.snapshot, answer.last);
      return;
    case "ziggurat":
      zigguratFigure = typeof answer.figure === "string" ? undefined : answer.figure;
      return picture("ziggurat", answer.figure, (svg, figure) => drawZiggurat(svg, figure, sigma));
    case "walk":
      walkFigure = typeof answer.figure === "string" ? undefined : answer.figure;
      return picture("walk", answer.figure, drawWalk);
    case "measured":
      rows.push(answer.row);
      showTable(element("rates", HTMLTableSectionElement), rows);
      return say(`Measured ${answer.row.method} at σ = ${answer.row.sigma}.`);
    case "error":
      return fail(answer.message);
    case "done":
      return done(answer.aborted);
  }
}

/** Draws a figure, or says why there is none. */
function picture<F>(name: string, figure: F | string, drawn: (svg: SVGSVGElement, figure: F) => string): void {
  const svg = element(name, SVGSVGElement);
  const caption = element(`${name}-caption`, HTMLElement);
  svg.toggleAttribute("hidden", typeof figure === "string");
  caption.textContent = typeof figure === "string" ? `No picture: ${figure}` : drawn(svg, figure);
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

element("settings", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  run();
});
document.addEventListener("change", (event) => {
  if (event.target instanceof HTMLSelectElement && event.target.id === "preset") settings.choosePreset();
  else settings.showPreset();
  settings.toAddress();
  if (event.target instanceof HTMLInputElement && event.target.id === "rectangles") {
    ask({ type: "figures", law: settings.pictured() });
  }
});
element("reseed", HTMLButtonElement).addEventListener("click", () => {
  settings.freshSeed();
  settings.toAddress();
});
element("share", HTMLButtonElement).addEventListener("click", async () => {
  settings.toAddress();
  try {
    await navigator.clipboard.writeText(location.href);
    say("The address is on the clipboard.");
  } catch {
    say("Copy the page's address: it holds all settings and the seed.");
  }
});
stopButton.addEventListener("click", () => ask({ type: "abort" }));
element("throw", HTMLButtonElement).addEventListener("click", () => {
  if (zigguratFigure !== undefined) picture("ziggurat", zigguratFigure, (svg, figure) => drawZiggurat(svg, figure, sigma));
});
element("again", HTMLButtonElement).addEventListener("click", () => {
  if (walkFigure !== undefined) element("walk-caption", HTMLElement).textContent = drawWalk(element("walk", SVGSVGElement), walkFigure);
});
benchmarkButton.addEventListener("click", () => {
  rows = [];
  downloadButton.disabled = true;
  const milliseconds = Number(element("effort", HTMLSelectElement).value);
  start("benchmark", () => ({ type: "benchmark", milliseconds }));
});
downloadButton.addEventListener("click", () => download(rows));

startSchemes();
busy("loading");
ask({ type: "names" });
