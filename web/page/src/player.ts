/** Shows the samples of a seed one after the other, each step by step: at a speed that the reader sets, forwards and back. */

import { SAMPLES, type Step, type Story } from "./story.js";
import { element, rich } from "./svg.js";

const button = (text: string, label: string): HTMLButtonElement => {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.setAttribute("aria-label", label);
  return made;
};

export class Player<S extends Step> {
  readonly #paint: (step: S, story: Story<S>) => void;
  readonly #caption: HTMLElement;
  readonly #tape: HTMLElement;
  readonly #buttons: Record<"back" | "play" | "step" | "next", HTMLButtonElement>;
  readonly #speed: HTMLInputElement;
  #stories: Story<S>[] = [];
  #next: (() => Story<S>) | undefined;
  #library: readonly string[] = [];
  #sample = 0;
  #step = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** In the element `name`-player; `what` names its controls. */
  constructor(name: string, what: string, paint: (step: S, story: Story<S>) => void) {
    this.#paint = paint;
    const home = element(`${name}-player`, HTMLElement);
    const id = (part: string): string => `${name}-${part}`;
    this.#tape = document.createElement("p");
    this.#tape.className = "tape";
    this.#tape.id = id("bits");
    this.#caption = document.createElement("p");
    this.#caption.className = "caption said";
    this.#caption.id = id("caption");
    this.#buttons = {
      back: button("◂ Back", `${what}: one step back`),
      play: button("▶ Play", `${what}: play`),
      step: button("Step ▸", `${what}: one step on`),
      next: button("Next sample", `${what}: next sample`),
    };
    const bar = document.createElement("p");
    bar.className = "buttons";
    for (const [part, made] of Object.entries(this.#buttons)) {
      made.id = id(part);
      bar.append(made);
    }
    const speed = document.createElement("label");
    speed.className = "speed";
    this.#speed = document.createElement("input");
    Object.assign(this.#speed, { id: id("speed"), type: "range", min: "-1", max: "5", step: "0.5", value: "1" });
    const shown = document.createElement("output");
    shown.htmlFor.add(id("speed"));
    speed.append("Speed ", this.#speed, " ", shown);
    bar.append(speed);
    const tell = (): void => {
      const text = `${Number(this.#rate.toPrecision(2))} ${this.#rate === 1 ? "step" : "steps"} a second`;
      shown.textContent = text;
      this.#speed.setAttribute("aria-valuetext", text);
      this.#speed.setAttribute("aria-label", `${what}: speed`);
    };
    this.#speed.addEventListener("input", tell);
    tell();
    // The buttons are next to the picture: below the text, which grows and shrinks as it plays, they would move away under the pointer.
    home.append(bar, this.#tape, this.#caption);
    home.addEventListener("keydown", (event) => this.#key(event));
    this.#buttons.back.addEventListener("click", () => this.#go(-1));
    this.#buttons.step.addEventListener("click", () => this.#go(1));
    this.#buttons.play.addEventListener("click", () => (this.#timer === undefined ? this.#play() : this.pause()));
    this.#buttons.next.addEventListener("click", () => this.#another());
  }

  /** From now on shows what `next` tells, sample by sample, beside the library's own. */
  load(next: () => Story<S>, library: readonly string[]): void {
    this.pause();
    this.#next = next;
    this.#library = library;
    this.#stories = [];
    this.#sample = this.#step = 0;
    this.#enable(true);
    this.#show();
  }

  /** Shows that something is on its way. */
  wait(): void {
    this.pause();
    this.#next = undefined;
    this.#tape.replaceChildren();
    this.#caption.textContent = "Building the table …";
    this.#enable(false);
  }

  /** Nothing can be shown, and why. */
  refuse(why: string): void {
    this.pause();
    this.#next = undefined;
    this.#tape.replaceChildren();
    this.#caption.textContent = `No picture: ${why}`;
    this.#enable(false);
  }

  /** Draws the step once more, as after a change of size. */
  redraw(): void {
    const story = this.#story();
    const step = story?.steps[this.#step];
    if (story && step) this.#paint(step, story);
  }

  pause(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#buttons.play.textContent = "▶ Play";
  }

  get #rate(): number {
    return 2 ** Number(this.#speed.value);
  }

  #enable(on: boolean): void {
    for (const made of Object.values(this.#buttons)) made.disabled = !on;
  }

  #story(): Story<S> | undefined {
    try {
      while (this.#next !== undefined && this.#stories.length <= this.#sample) this.#stories.push(this.#next());
    } catch (error) {
      this.refuse(error instanceof Error ? error.message : String(error));
    }
    return this.#stories[this.#sample];
  }

  /** Shows the step; `told`: to a screen reader too, which could not follow what plays, and need not hear what was not asked for. */
  #show(told = false): void {
    this.#caption.setAttribute("aria-live", told && this.#timer === undefined ? "polite" : "off");
    const story = this.#story();
    const step = story?.steps[this.#step];
    if (story === undefined || step === undefined) return;
    this.#paint(step, story);
    const last = this.#step === story.steps.length - 1;
    const before = story.steps[this.#step - 1]?.drawn ?? 0;
    const span = (text: string, kind: string): HTMLElement => {
      const made = document.createElement("span");
      made.textContent = text;
      made.className = kind;
      return made;
    };
    const bits = story.bits.join("");
    this.#tape.replaceChildren(
      `${step.drawn} ${step.drawn === 1 ? "bit" : "bits"} drawn: `,
      span(bits.slice(Math.max(0, before - 96), before), "used"),
      span(bits.slice(before, step.drawn), "new"),
    );
    const own = this.#library[this.#sample];
    const compared =
      !last || own === undefined ? "" : own === `${story.value}` ? ` The library's own sample number ${this.#sample} of this seed is ${own}, too.` : ` The library's own sample is ${own}: this walk is wrong.`;
    this.#caption.replaceChildren(...rich(`Sample ${this.#sample}, step ${this.#step + 1} of ${story.steps.length}. ${step.text}${compared}`));
    this.#buttons.back.disabled = this.#sample === 0 && this.#step === 0;
    const end = last && this.#sample + 1 >= SAMPLES;
    this.#buttons.step.disabled = end;
    this.#buttons.next.disabled = this.#sample + 1 >= SAMPLES;
    if (end) this.pause();
  }

  #go(by: 1 | -1): void {
    const story = this.#story();
    if (story === undefined) return;
    const to = this.#step + by;
    if (to >= story.steps.length) return this.#another();
    if (to >= 0) this.#step = to;
    else if (this.#sample > 0) {
      this.#sample--;
      this.#step = (this.#story()?.steps.length ?? 1) - 1;
    }
    this.#show(true);
  }

  #another(): void {
    if (this.#sample + 1 >= SAMPLES) return;
    this.#sample++;
    this.#step = 0;
    this.#show(true);
  }

  #play(): void {
    if (this.#next === undefined) return;
    this.#buttons.play.textContent = "❚❚ Pause";
    const on = (): void => {
      this.#go(1);
      if (this.#next === undefined || this.#buttons.step.disabled) return this.pause();
      const last = this.#step === (this.#story()?.steps.length ?? 0) - 1;
      this.#timer = setTimeout(on, ((last ? 3 : 1) * 1000) / this.#rate);
    };
    this.#timer = setTimeout(on, 0);
  }

  #key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    const stage = !(event.target instanceof HTMLButtonElement);
    const keys: Record<string, () => void> = {
      ArrowRight: () => this.#go(1),
      ArrowLeft: () => this.#go(-1),
      n: () => this.#another(),
      // A button has its own.
      ...(stage ? { " ": () => (this.#timer === undefined ? this.#play() : this.pause()) } : {}),
    };
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }
}
