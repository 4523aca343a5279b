/** All computing, off the main thread. */

import { DiscreteGaussian, knuthYaoFigure, methods, sources, zigguratFigure, type Law } from "../../dist/index.js";
import { benchmark } from "./benchmark.js";
import { cellsOf, Histogram } from "./histogram.js";
import type { Answer, Moments, Question } from "./protocol.js";

/** Samples between two looks at the clock. */
const CHUNK = 65_536;
/** Milliseconds between two pictures. */
const PICTURE = 100;
/** Samples of the first picture. */
const FIRST = 1000;

let aborted = false;

const post = (answer: Answer): void => self.postMessage(answer);
/** Lets messages in. */
const breathe = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const momentsOf = ({ sigma, mean, variance }: DiscreteGaussian): Moments => ({ sigma, mean, variance });

async function run({ options, count }: Extract<Question, { type: "run" }>): Promise<void> {
  const d = await DiscreteGaussian.create(options);
  const cells = cellsOf(d);
  post({ type: "built", plan: d.plan, certificate: d.certificate(), moments: momentsOf(d), cells, simd: d.simd });
  const histogram = new Histogram(d, cells);
  const [low, high] = d.typical;
  const wide = BigInt.asIntN(32, low) !== low || BigInt.asIntN(32, high) !== high;
  let done = 0;
  let spent = 0;
  let shown = performance.now();
  while (done < count && !aborted) {
    const length = Math.min(done === 0 ? FIRST : CHUNK - (done % CHUNK), count - done);
    const start = performance.now();
    const samples = d.fill(wide ? new BigInt64Array(length) : new Int32Array(length));
    spent += performance.now() - start;
    histogram.add(samples);
    const first = done === 0;
    done += length;
    if (first || performance.now() - shown > PICTURE) {
      post({ type: "progress", snapshot: histogram.snapshot(spent > 0 ? done / spent : 0), last: false });
      await breathe();
      shown = performance.now();
    }
  }
  post({ type: "progress", snapshot: histogram.snapshot(spent > 0 ? done / spent : 0), last: true });
  d.dispose();
}

async function figures(law: Law): Promise<void> {
  post({ type: "ziggurat", figure: await zigguratFigure(law).catch(message) });
  post({ type: "walk", figure: await knuthYaoFigure(law).catch(message) });
}

async function answer(question: Question): Promise<void> {
  switch (question.type) {
    case "names":
      return post({ type: "names", methods: await methods(), sources: await sources() });
    case "run":
      return run(question);
    case "figures":
      return figures(question.law);
    case "benchmark":
      for await (const row of benchmark(question.milliseconds)) {
        post({ type: "measured", row });
        await breathe();
        if (aborted) return;
      }
      return;
    case "abort":
      aborted = true;
  }
}

self.onmessage = async ({ data }: MessageEvent<Question>) => {
  const task = data.type === "run" || data.type === "benchmark";
  if (task) aborted = false;
  try {
    await answer(data);
  } catch (error) {
    post({ type: "error", message: message(error) });
  }
  if (task) post({ type: "done", aborted });
};
