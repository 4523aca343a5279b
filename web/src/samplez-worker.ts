/** The worker's side of `fillParallel` and `WorkerGaussian`: first the options, then tasks. That of `verify`: its tasks. */

import { SamplezError } from "./errors.js";
import { DiscreteGaussian } from "./gaussian.js";
import { Judge } from "./judge.js";
import type { Options } from "./options.js";
import { builtin } from "./platform.js";
import { messageOf } from "./shown.js";
import type { Reply, Request, Task } from "./tasks.js";

const ARRAYS = { 1: Int8Array, 2: Int16Array, 4: Int32Array, 8: BigInt64Array } as const;

let distribution: DiscreteGaussian | undefined;

let judge: Judge | undefined;

async function answer(message: Request, post: (reply: Reply) => void): Promise<Reply> {
  try {
    if ("judge" in message) {
      if ("module" in message.judge) judge = await Judge.create(message.judge.module);
      return { judged: judge!.answer(message.judge) };
    }
    if (distribution === undefined) {
      distribution = await DiscreteGaussian.create(message as Options, { onProgress: (...progress) => post({ progress }) });
      const { plan, recipe, sigma, typical, source } = distribution;
      return { made: { certificate: distribution.certificate(), plan, recipe, sigma, typical, source } };
    }
    const { first, length, bytes } = message as Task;
    const array = new ARRAYS[bytes as keyof typeof ARRAYS](length);
    return { samples: distribution.fillAt(first, array) };
  } catch (error) {
    return { error: { kind: error instanceof SamplezError ? error.kind : "stopped", message: messageOf(error) } };
  }
}

const moved = (reply: Reply): ArrayBuffer[] => {
  const array = "samples" in reply ? reply.samples : "judged" in reply ? reply.judged : undefined;
  return typeof array === "object" ? [array.buffer as ArrayBuffer] : [];
};

if (typeof self !== "undefined" && "postMessage" in self) {
  self.onmessage = async ({ data }) => {
    const reply = await answer(data, (reply) => self.postMessage(reply));
    self.postMessage(reply, { transfer: moved(reply) });
  };
} else {
  const port = builtin("node:worker_threads")?.parentPort;
  port?.on("message", async (message) => {
    const reply = await answer(message, (reply) => port.postMessage(reply));
    port.postMessage(reply, moved(reply));
  });
}
