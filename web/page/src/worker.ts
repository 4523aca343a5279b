/** All computing, off the main thread. */

import { knuthYaoFigure, zigguratFigure } from "../../dist/figures.js";
import { DiscreteGaussian, methods, sources, verify, type Law, type Options } from "../../dist/index.js";
import { benchmark } from "./benchmark.js";
import { shownBy } from "./code.js";
import { broken } from "./faults.js";
import { cellsOf, Histogram } from "./histogram.js";
import { SAMPLES } from "./story.js";
import type { Answer, Figures, Moments, Question, Walk } from "./protocol.js";

/** Samples between two looks at the clock. */
const CHUNK = 65_536;
/** Milliseconds between two pictures. */
const PICTURE = 100;
/** Samples of the first picture. */
const FIRST = 1000;

/** Of a slow run: what each picture adds to the samples, and milliseconds between two. */
const GROWTH = 0.15;
const SLOW = 45;

/** The number of the task that may go on: a new one ends those before it. */
let current = 0;

const post = (answer: Answer): void => self.postMessage(answer);
/** Milliseconds of building for which the page needs no word. */
const UNSEEN = 300;
/** Lets messages in. */
const breathe = (milliseconds = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const momentsOf = (d: DiscreteGaussian): Moments => ({
  sigma: d.sigma,
  mean: d.mean(),
  variance: d.var(),
  entropy: d.entropy(2),
  middle: [d.ppfBigInt(0.025), d.isfBigInt(0.025)],
});

async function run({ options, seed, count, slowly, address }: Extract<Question, { type: "run" }>, mine: number): Promise<void> {
  const begun = performance.now();
  const onProgress = (rows: number, of: number) => {
    if (performance.now() - begun > UNSEEN) post({ type: "building", share: rows / of });
  };
  const d = await DiscreteGaussian.create(options, { onProgress });
  if (mine !== current) return d.dispose();
  const cells = cellsOf(d);
  post({ type: "built", plan: d.plan, certificate: d.certificate(), moments: momentsOf(d), cells, simd: d.simd, shown: shownBy(d, seed, count), address });
  const histogram = new Histogram(d, cells);
  const [low, high] = d.typical;
  const wide = BigInt.asIntN(32, low) !== low || BigInt.asIntN(32, high) !== high;
  let done = 0;
  let spent = 0;
  let shown = performance.now();
  while (done < count && mine === current) {
    const most = done === 0 ? FIRST : slowly ? Math.ceil(done * GROWTH) : CHUNK;
    const length = Math.min(most, CHUNK - (done % CHUNK), count - done);
    const start = performance.now();
    const samples = d.fill(wide ? new BigInt64Array(length) : new Int32Array(length));
    spent += performance.now() - start;
    histogram.add(samples);
    const first = done === 0;
    done += length;
    if (first || slowly || performance.now() - shown > PICTURE) {
      post({ type: "progress", snapshot: histogram.snapshot(spent > 0 ? done / spent : 0), last: false });
      await breathe(slowly ? SLOW : 0);
      shown = performance.now();
    }
  }
  d.dispose();
  // One that gave way to another has nothing more to say.
  if (mine === current || stopped === mine) post({ type: "progress", snapshot: histogram.snapshot(spent > 0 ? done / spent : 0), last: true });
}

const FIGURES: { readonly [W in Walk]: (law: Law) => Promise<Figures[W]> | Figures[W] } = {
  ziggurat: zigguratFigure,
  walk: knuthYaoFigure,
  coins: () => undefined,
};

/** What a walk goes through, and the library's samples to compare with. */
async function walk({ walk, recipe, seed }: Extract<Question, { type: "walk" }>): Promise<void> {
  try {
    const figure = await FIGURES[walk]({ recipe } as unknown as Law);
    const d = await DiscreteGaussian.create({ recipe, seed, source: "chacha20" } satisfies Options);
    const samples = Array.from(d.fill(new BigInt64Array(SAMPLES)), String);
    d.dispose();
    post({ type: "walk", walk, recipe, seed, figure, samples });
  } catch (error) {
    post({ type: "no walk", walk, why: message(error) });
  }
}

/** Samples of a broken sampler beside the law that it was to draw, and the verdict on them. */
async function lesson({ fault, size, law, seed, count }: Extract<Question, { type: "break" }>): Promise<void> {
  const asked = { type: "broken", fault, size, law, seed } as const;
  try {
    const samples = await broken(fault, size, law, seed, count);
    const d = await DiscreteGaussian.create({ recipe: law, seed });
    const cells = cellsOf(d);
    const histogram = new Histogram(d, cells);
    histogram.add(samples);
    d.dispose();
    const { consistent, tests, power } = await verify(samples, { recipe: law });
    const judged = tests.filter(({ verdict }) => verdict !== "not applicable");
    const rejected = judged.filter(({ verdict }) => verdict === "reject").map(({ name, pValue }) => ({ name, p: pValue ?? 0 }));
    rejected.sort((a, b) => a.p - b.p);
    post({ ...asked, cells, snapshot: histogram.snapshot(0), verdict: { consistent, families: judged.length, rejected, power: power.sigma } });
  } catch (error) {
    post({ ...asked, why: message(error) });
  }
}

/** The last task that was told to stop. */
let stopped = 0;

async function answer(question: Question, mine: number): Promise<void> {
  switch (question.type) {
    case "names":
      return post({ type: "names", methods: await methods(), sources: await sources() });
    case "run":
      return run(question, mine);
    case "walk":
      return walk(question);
    case "break":
      return lesson(question);
    case "benchmark":
      for await (const row of benchmark(question.milliseconds)) {
        if (mine !== current) return;
        post({ type: "measured", row });
        await breathe();
      }
      return;
    case "abort":
      stopped = current++;
  }
}

self.onmessage = async ({ data }: MessageEvent<Question>) => {
  const task = "task" in data ? data.task : undefined;
  const mine = task === undefined ? current : ++current;
  try {
    await answer(data, mine);
  } catch (error) {
    if (mine === current) post({ type: "error", task, message: message(error) });
  }
  if (task !== undefined && (mine === current || stopped === mine)) post({ type: "done", task, aborted: stopped === mine });
};
