/** Workers of browsers and of Node, alike. */

import type { Options } from "./options.js";
import type { Reply, Task } from "./tasks.js";

/** A worker that answers each message with one. */
export interface Connection {
  ask(message: Options | Task): Promise<Reply>;
  stop(): void;
}

const SCRIPT = () => new URL("./worker.js", import.meta.url);

export async function startWorker(): Promise<Connection> {
  let answer: (reply: Reply) => void = () => {};
  let fail: (error: Error) => void = () => {};
  let post: (message: Options | Task) => void;
  let stop: () => void;
  if (typeof Worker === "function") {
    const worker = new Worker(SCRIPT(), { type: "module" });
    worker.onmessage = ({ data }) => answer(data);
    worker.onerror = (event) => fail(new Error(event.message || "a worker could not be started"));
    post = (message) => worker.postMessage(message);
    stop = () => worker.terminate();
  } else {
    const { Worker } = await import("node:worker_threads");
    const worker = new Worker(SCRIPT());
    worker.on("message", (reply) => answer(reply));
    worker.on("error", (error) => fail(error instanceof Error ? error : new Error(String(error))));
    post = (message) => worker.postMessage(message);
    stop = () => void worker.terminate();
  }
  const ask = (message: Options | Task) =>
    new Promise<Reply>((resolve, reject) => {
      [answer, fail] = [resolve, reject];
      post(message);
    });
  return { ask, stop };
}
