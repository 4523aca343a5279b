/** What the page is set to: in its form, and in its address, so that a colleague sees the same. */

import type { Law, Options } from "../../dist/index.js";
import { element } from "./svg.js";

export const FORMS = ["sigma", "sigmaSquared", "kSigma2", "s"] as const;

/** The fields of the form by their names in the address. */
const FIELDS = {
  form: "form",
  width: "width",
  center: "center",
  method: "method",
  precision: "precision",
  source: "source",
  count: "count",
  seed: "seed",
  rectangles: "rectangles",
} as const;
type Field = keyof typeof FIELDS;

function field(name: Field): HTMLInputElement | HTMLSelectElement {
  const found = document.getElementById(FIELDS[name]);
  if (found instanceof HTMLInputElement || found instanceof HTMLSelectElement) return found;
  throw new Error(`the form has no field ${name}`);
}

export const value = (name: Field): string => field(name).value.trim();

export function freshSeed(): void {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  field("seed").value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Sets the form to what the address says; what it does not say stays. */
export function fromAddress(): void {
  const given = new URLSearchParams(location.search);
  for (const name of Object.keys(FIELDS) as Field[]) {
    const text = given.get(name);
    if (text !== null) field(name).value = text;
  }
  if (value("seed") === "") freshSeed();
  showPreset();
}

/** Writes the form into the address. */
export function toAddress(): void {
  const given = new URLSearchParams();
  for (const name of Object.keys(FIELDS) as Field[]) given.set(name, value(name));
  history.replaceState(null, "", `${location.pathname}?${given}`);
}

/** Shows as preset what the width is, if it is one. */
export function showPreset(): void {
  const preset = element("preset", HTMLSelectElement);
  const name = `${value("form")}:${value("width")}`;
  preset.value = Array.from(preset.options).some((option) => option.value === name) ? name : "";
}

export function choosePreset(): void {
  const [form, width] = element("preset", HTMLSelectElement).value.split(":");
  if (form === undefined || width === undefined) return;
  field("form").value = form;
  field("width").value = width;
}

/** The law and its table; `rectangles` are those of the picture only. */
function law(): Law {
  const width = { [value("form")]: value("width") };
  const text = { center: value("center") || "0", precision: value("precision") };
  return { ...width, ...text } as unknown as Law;
}

export const options = (): Options => ({ ...law(), method: value("method"), source: value("source"), seed: value("seed") });

export const pictured = (): Law => ({ ...law(), rectangles: value("rectangles") }) as unknown as Law;

/** The number of samples to draw. */
export function count(): number {
  const number = Number(value("count"));
  if (!Number.isInteger(number) || number < 1) throw new Error(`samples = ${value("count")}: must be a whole number from 1 on`);
  return number;
}

/** Fills a list with names. */
export function offer(name: "method" | "source", choices: readonly { name: string; summary: string }[]): void {
  const list = field(name);
  const now = list.value;
  for (const choice of choices) {
    const option = new Option(choice.name, choice.name);
    option.title = choice.summary;
    list.append(option);
  }
  if (now !== "") list.value = now;
}
