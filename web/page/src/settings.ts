/** What the page is set to: in its form, and as a recipe in its address, so that a colleague sees the same. */

import type { Options, SourceName } from "../../dist/index.js";
import { element } from "./svg.js";

export const FORMS = ["sigma", "sigmaSquared", "kSigma2", "s"] as const;

/** The fields that a recipe says: the width by its form, and these. */
const RECIPE = ["center", "method", "precision"] as const;
/** What an address says beside the recipe. */
const BESIDE = ["source", "count", "seed", "rectangles"] as const;
type Field = "form" | "width" | (typeof RECIPE)[number] | (typeof BESIDE)[number];

/** The options that a method heeds, by its name. */
const heeds = new Map<string, readonly string[]>();

function field(name: Field): HTMLInputElement | HTMLSelectElement {
  const found = document.getElementById(name);
  if (found instanceof HTMLInputElement || found instanceof HTMLSelectElement) return found;
  throw new Error(`the form has no field ${name}`);
}

export const value = (name: Field): string => field(name).value.trim();

export function freshSeed(): void {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  field("seed").value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A width's name in a recipe, and in the form. */
const snake = (name: string): string => name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
const camel = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** Sets the form to what the address says; what it does not say stays. */
export function fromAddress(): void {
  const given = new URLSearchParams(location.search);
  for (const pair of (given.get("recipe") ?? "").split(/[,&]/)) {
    const [name = "", text = ""] = pair.split("=").map((part) => part.trim());
    if ((FORMS as readonly string[]).includes(camel(name))) {
      field("form").value = camel(name);
      field("width").value = text;
    } else if ((RECIPE as readonly string[]).includes(name)) field(name as Field).value = text;
  }
  for (const name of BESIDE) {
    const text = given.get(name);
    if (text !== null) field(name).value = text;
  }
  if (value("seed") === "") freshSeed();
  showPreset();
}

/** The recipe that the form says: what the method does not heed is left out. */
export function recipe(): string {
  const said = RECIPE.filter((name) => name !== "precision" || (heeds.get(value("method"))?.includes(name) ?? true));
  const pairs = said.filter((name) => value(name) !== "").map((name) => `${name}=${value(name)}`);
  return [`${snake(value("form"))}=${value("width")}`, ...pairs].join();
}

/** The address that has what the form says. */
export function address(): string {
  const given = new URLSearchParams({ recipe: recipe() });
  for (const name of BESIDE) given.set(name, value(name));
  return `${location.pathname}?${given}`;
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

export const options = (): Options => {
  const source = value("source") as SourceName;
  return { recipe: recipe(), source, seed: source === "os" ? undefined : value("seed") };
};

/** Sliders beside the fields: σ on a logarithmic scale, and the centre. */
export function startSliders(moved: () => void): void {
  const [sigma, center] = [element("sigma-slider", HTMLInputElement), element("center-slider", HTMLInputElement)];
  sigma.addEventListener("input", () => {
    field("form").value = "sigma";
    field("width").value = String(Number((10 ** Number(sigma.value)).toPrecision(3)));
    showPreset();
    sigma.setAttribute("aria-valuetext", `σ = ${value("width")}`);
    moved();
  });
  center.addEventListener("input", () => {
    field("center").value = center.value;
    moved();
  });
}

/** Puts the sliders where the law is. */
export function showSliders(sigma: number, center: number): void {
  const slider = element("sigma-slider", HTMLInputElement);
  slider.value = String(Math.log10(sigma));
  slider.setAttribute("aria-valuetext", `σ = ${Number(sigma.toPrecision(6))}`);
  element("center-slider", HTMLInputElement).value = String(center);
}

/** The number of samples to draw. */
export function count(): number {
  const number = Number(value("count"));
  if (!Number.isInteger(number) || number < 1) throw new Error(`samples = ${value("count")}: expected a whole number from 1 on`);
  return number;
}

/** Fills a list with names. */
export function offer(name: "method" | "source", choices: readonly { name: string; summary: string; heeds?: readonly string[] }[]): void {
  const list = field(name);
  const now = list.value;
  for (const choice of choices) {
    const option = new Option(choice.name, choice.name);
    option.title = choice.summary;
    if (choice.heeds) heeds.set(choice.name, choice.heeds);
    list.append(option);
  }
  if (now !== "") list.value = now;
}
