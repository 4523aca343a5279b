/** The walk-throughs: the Ziggurat, Knuth and Yao's tree, and exact coins, each on the bits from which the library draws. */

import type { Certificate } from "../../dist/index.js";
import { Bits } from "./chacha.js";
import { FIVE, FIVE_ERRATUM, five, FOUR, FOUR_ERRATUM, four, type Lines } from "./du-wei.js";
import { drawInterval } from "./interval.js";
import { D, d } from "./karney.js";
import { Player } from "./player.js";
import type { Answer, Figures, Question, Walk } from "./protocol.js";
import type { Step, Story } from "./story.js";
import { element, rich } from "./svg.js";
import { drawWalk, walk, type Walked } from "./walk.js";
import { drawZiggurat, trials, type Trial } from "./ziggurat.js";

type Fraction = readonly [bigint, bigint];

const fraction = (text: string): Fraction => {
  const [num = "0", den = "1"] = text.split("/");
  return [BigInt(num), BigInt(den)];
};
const nearest = (text: string): bigint => {
  const [num, den] = fraction(text);
  return BigInt(Math.round(Number(num) / Number(den)));
};
/** σ of k = 1, sqrt(1/(2 ln 2)). */
const SIGMA2 = Math.sqrt(1 / (2 * Math.LN2));

/** An algorithm made of coins. */
interface Coins {
  readonly lines: Lines;
  readonly note: string;
  /** The method and options of which the samples are the same; undefined if the library draws in another way. */
  recipe(certificate: Certificate, sigma: number): string;
  /** What is shown of the recipe's law. */
  story(width: string, center: string, tape: Bits): Story;
  readonly same: boolean;
}

const COINS: Readonly<Record<string, Coins>> = {
  "du-wei-4": {
    lines: FOUR,
    note: FOUR_ERRATUM,
    same: true,
    recipe: ({ center }, sigma) => `sigma=${Math.max(1, Math.round(Math.min(sigma, 2 ** 40)))},center=${nearest(center)},method=du-wei-4,frugal=true`,
    story: (sigma, center, tape) => four(tape, BigInt(sigma), BigInt(center)),
  },
  "du-wei-5": {
    lines: FIVE,
    note: FIVE_ERRATUM,
    same: true,
    recipe: ({ width, center }, sigma) => {
      const k = width.form === "k_sigma2" ? nearest(width.value) : Math.max(1, Math.round(Math.min(sigma / SIGMA2, 2 ** 40)));
      return `k_sigma2=${k},center=${nearest(center)},method=du-wei-5,frugal=true`;
    },
    story: (k, center, tape) => five(tape, BigInt(k), BigInt(center)),
  },
  karney: {
    lines: D,
    note: "As printed, and without erratum. The library draws the same law with wider draws and fewer decisions, so that its samples of this seed are others: the source says how.",
    same: false,
    recipe: ({ width, center }, sigma) => `sigma=${width.form === "sigma" ? width.value : Number(sigma.toPrecision(4))},center=${center},method=karney`,
    story: (sigma, center, tape) => d(tape, decimal(sigma), fraction(center)),
  },
};

/** A recipe's σ, a fraction or a decimal. */
function decimal(text: string): Fraction {
  if (/[.e]/.test(text)) {
    const value = Number(text);
    const den = 10 ** Math.max(0, 4 - Math.floor(Math.log10(value)));
    return [BigInt(Math.round(value * den)), BigInt(den)];
  }
  return fraction(text);
}

const part = (recipe: string, name: string): string => new RegExp(`(?:^|,)${name}=([^,]*)`).exec(recipe)?.[1] ?? "0";

/** A law as the walk-throughs need it. */
export interface About {
  readonly certificate: Certificate;
  readonly sigma: number;
  readonly precision: string;
  readonly rectangles: string;
  readonly seed: string;
}

export class Walks {
  readonly #ask: (question: Question) => void;
  readonly #method = element("coin-method", HTMLSelectElement);
  #about: About | undefined;
  #figures: Partial<Figures> = {};
  #sigma = 1;
  #deepest = 1;
  readonly #players: {
    readonly ziggurat: Player<Trial>;
    readonly walk: Player<Walked>;
    readonly coins: Player<Step>;
  };

  constructor(ask: (question: Question) => void) {
    this.#ask = ask;
    const picture = (name: string): SVGSVGElement => element(name, SVGSVGElement);
    this.#players = {
      ziggurat: new Player("ziggurat", "The Ziggurat", (trial: Trial) => {
        if (this.#figures.ziggurat) drawZiggurat(picture("ziggurat"), this.#figures.ziggurat, this.#sigma, trial);
      }),
      walk: new Player("walk", "The walk", (now: Walked, story) => {
        this.#deepest = Math.max(story.steps.at(-1)?.levels.length ?? 1, 1);
        if (this.#figures.walk) drawWalk(picture("walk"), this.#figures.walk, now, this.#deepest);
      }),
      coins: new Player("coins", "The coins", (step: Step, story) => {
        drawInterval(picture("coins"), step, story);
        for (const line of element("algorithm", HTMLOListElement).children) {
          const here = line.getAttribute("data-line") === step.line;
          line.classList.toggle("here", here);
          if (here) line.setAttribute("aria-current", "step");
          else line.removeAttribute("aria-current");
        }
      }),
    };
    this.#method.addEventListener("change", () => this.#coins());
    let timer: ReturnType<typeof setTimeout>;
    addEventListener("resize", () => {
      clearTimeout(timer);
      timer = setTimeout(() => Object.values(this.#players).forEach((player) => player.redraw()), 100);
    });
  }

  /** Asks for all that is walked through, of another law or seed. */
  about(about: About): void {
    this.#about = about;
    const { certificate, seed, precision, rectangles } = about;
    const law = `${certificate.width.form}=${certificate.width.value},center=${certificate.center}${precision && `,precision=${precision}`}`;
    Object.values(this.#players).forEach((player) => player.wait());
    this.#coins();
    this.#ask({ type: "walk", walk: "walk", seed, recipe: `${law},method=knuth-yao` });
    this.#ask({ type: "walk", walk: "ziggurat", seed, recipe: `${law},method=ziggurat,rectangles=${rectangles}` });
  }

  #coins(): void {
    const coins = COINS[this.#method.value];
    if (coins === undefined || this.#about === undefined) return;
    const { certificate, sigma, seed } = this.#about;
    this.#ask({ type: "walk", walk: "coins", seed, recipe: coins.recipe(certificate, sigma) });
  }

  /** Begins a walk-through of what the worker has found. */
  begin({ walk: which, recipe, seed, figure, samples }: Extract<Answer, { type: "walk" }>): void {
    const center = part(recipe, "center");
    const tape = new Bits(seed);
    if (this.#about) this.#sigma = this.#about.sigma;
    this.#show(which, true);
    if (which === "coins") {
      const coins = COINS[part(recipe, "method")];
      if (coins === undefined) return;
      const width = part(recipe, "k_sigma2") === "0" ? part(recipe, "sigma") : part(recipe, "k_sigma2");
      element("algorithm", HTMLOListElement).replaceChildren(
        ...coins.lines.map(([line, text]) => {
          const item = document.createElement("li");
          item.dataset["line"] = line;
          item.append(`${line}  `, ...rich(text));
          return item;
        }),
      );
      const law = recipe.split(",").slice(0, 2).join(", ").replace("k_sigma2=", "k = ").replace("sigma=", "σ = ").replace("center=", "c = ");
      element("coins-note", HTMLElement).replaceChildren(...rich(`Shown for ${law}. ${coins.note}`));
      return this.#players.coins.load(() => coins.story(width, center, tape), coins.same ? samples : []);
    }
    this.#figures = { ...this.#figures, [which]: figure };
    const { ziggurat, walk: tree } = this.#figures;
    if (which === "ziggurat" && ziggurat) this.#players.ziggurat.load(() => trials(ziggurat, this.#sigma, BigInt(center), tape), samples);
    if (which === "walk" && tree) this.#players.walk.load(() => walk(tree, tree.folded ? BigInt(center) : 0n, tape), samples);
  }

  /** Says why there is nothing to walk through. */
  refuse(which: Walk, why: string): void {
    this.#show(which, false);
    this.#players[which].refuse(why);
  }

  #show(which: Walk, there: boolean): void {
    element(which, SVGSVGElement).toggleAttribute("hidden", !there);
  }
}
