/** The lesson «Break it»: a fault and its size, the samples that come of it, and the tests that see it. */

import { describe } from "./certificate.js";
import { FAULTS, MOST, SIZES, type Fault } from "./fault-sizes.js";
import { drawHistogram } from "./picture.js";
import type { Answer, Cells, Question, Snapshot } from "./protocol.js";
import { element } from "./svg.js";

const picture = element("broken", SVGSVGElement);
const list = element("fault", HTMLSelectElement);
const slider = element("fault-size", HTMLInputElement);
const amount = element("fault-count", HTMLSelectElement);
const said = element("fault-said", HTMLElement);
const status = element("broken-status", HTMLElement);

const fault = (): Fault => FAULTS.find((name) => name === list.value) ?? FAULTS[0];
const size = (): number => SIZES[fault()].values[Number(slider.value)] ?? SIZES[fault()].values[0]!;

/** p-values as one reads them. */
const chance = (p: number): string => (p >= 0.001 ? p.toPrecision(2) : p === 0 ? "below 10^-300" : p.toExponential(1));

export class Breaking {
  readonly #ask: (question: Question) => void;
  #law = "";
  #seed = "";
  #shown: [Cells, Snapshot] | undefined;

  constructor(ask: (question: Question) => void) {
    this.#ask = ask;
    list.addEventListener("change", () => {
      this.#reset();
      this.#draw();
    });
    slider.addEventListener("input", () => this.#tell());
    slider.addEventListener("change", () => this.#draw());
    amount.addEventListener("change", () => this.#draw());
    element("break", HTMLButtonElement).addEventListener("click", () => this.#draw());
    element("mend", HTMLButtonElement).addEventListener("click", () => {
      slider.value = "0";
      this.#tell();
      this.#draw();
    });
    addEventListener("resize", () => this.#shown && drawHistogram(picture, ...this.#shown));
    this.#reset();
  }

  /** The law and the seed of the next lesson; the picture is drawn anew where it is shown already. */
  about(law: string, seed: string, cells: Cells): void {
    const another = law !== this.#law || seed !== this.#seed;
    [this.#law, this.#seed] = [law, seed];
    if (this.#shown === undefined) drawHistogram(picture, cells, undefined);
    else if (another) this.#draw();
  }

  #reset(): void {
    const { values, begin } = SIZES[fault()];
    slider.max = String(values.length - 1);
    slider.value = String(begin);
    this.#tell();
  }

  #tell(): void {
    said.textContent = SIZES[fault()].tell(size());
    slider.setAttribute("aria-valuetext", said.textContent);
  }

  #draw(): void {
    if (this.#law === "") return;
    document.body.dataset["broken"] = "busy";
    status.textContent = "Drawing and judging …";
    const count = Math.min(Number(amount.value), MOST[fault()]);
    this.#ask({ type: "break", fault: fault(), size: size(), law: this.#law, seed: this.#seed, count });
  }

  /** Shows what came of it; what is no longer asked for is passed over. */
  show(answer: Extract<Answer, { type: "broken" }>): void {
    if (answer.fault !== fault() || answer.size !== size() || answer.law !== this.#law || answer.seed !== this.#seed) return;
    document.body.dataset["broken"] = "idle";
    if (answer.why !== undefined) return void (status.textContent = `No lesson: ${answer.why}`);
    const { cells, snapshot, verdict } = answer;
    this.#shown = [cells, snapshot];
    drawHistogram(picture, cells, snapshot);
    const drawn = snapshot.done.toLocaleString("en");
    status.textContent = verdict.consistent
      ? `No test rejects ${drawn} samples. Draw more, or break it harder: an error of σ of ${(100 * (verdict.power ?? 0)).toPrecision(2)} % would have been seen.`
      : `Not these samples: ${verdict.rejected.length} of ${verdict.families} families of tests reject ${drawn} of them.`;
    describe(element("broken-tests", HTMLDListElement), verdict.rejected.map(({ name, p }) => [name, `p = ${chance(p)}`]));
  }
}
