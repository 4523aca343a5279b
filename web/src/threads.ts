/** Workers of browsers and of Node, alike. */

import { because } from "./module.js";
import type { Options } from "./options.js";
import { builtin } from "./platform.js";
import type { Reply, Task } from "./tasks.js";
import { thread, webWorker } from "./worker-file.js";

/** A worker that answers each message with one. */
export interface Connection {
  ask(message: Options | Task): Promise<Reply>;
  stop(): void;
}

const REMEDY =
  "samplez-worker.js must lie where the script looks for it, on the page's own origin, and a Content-Security-Policy allow it under worker-src";

/** Makes a worker that has not started yet, or throws an error with the reason why there is none. */
export function startWorker(): Connection {
  let answer: (reply: Reply) => void = () => {};
  let fail: (error: Error) => void = () => {};
  let answered = false;
  const heard = (reply: Reply): void => {
    answered = true;
    answer(reply);
  };
  let ended: Error | undefined;
  const failed = (cause: unknown): void => {
    ended ??= answered ? because("a worker stopped", cause, "a smaller table may help", "stopped") : refused(cause);
    fail(ended);
  };
  let post: (message: Options | Task) => void;
  let stop: () => void;
  if (typeof Worker === "function") {
    const worker = started(webWorker);
    worker.onmessage = ({ data }) => heard(data);
    worker.onerror = (event) => {
      event.preventDefault?.();
      failed(event.message || "the engine does not say why");
    };
    post = (message) => worker.postMessage(message);
    stop = () => worker.terminate();
  } else {
    const threads = builtin("node:worker_threads");
    if (threads === undefined) throw refused("this engine has neither Worker nor node:worker_threads; Node has both from 20.16 on");
    const worker = started(() => thread(threads));
    worker.on("message", heard);
    worker.on("error", failed);
    worker.on("exit", (code) => failed(`it ended by itself, with the code ${code}`));
    // It keeps the program alive only as long as it has something to do.
    post = (message) => {
      worker.ref();
      worker.postMessage(message);
    };
    worker.on("message", () => worker.unref());
    worker.unref();
    stop = () => void worker.terminate();
  }
  const ask = (message: Options | Task) =>
    new Promise<Reply>((resolve, reject) => {
      [answer, fail] = [resolve, reject];
      if (ended === undefined) post(message);
      else reject(ended);
    });
  return { ask, stop };
}

const refused = (cause: unknown): Error => because("a worker could not be started", cause, REMEDY);

function started<T>(start: () => T): T {
  try {
    return start();
  } catch (cause) {
    throw refused(cause);
  }
}
