/** Workers of browsers and of Node, alike. */

import { because } from "./module.js";
import { notNumber } from "./errors.js";
import { builtin } from "./platform.js";
import type { Progress } from "./progress.js";
import type { Reply, Request } from "./tasks.js";
import { thread, webWorker } from "./worker-file.js";

/** A worker that answers each message with one. */
export interface Connection {
  /** `onProgress` hears of what is done before the answer; its error is that of the question. */
  ask(message: Request, onProgress?: Progress): Promise<Reply>;
  stop(): void;
}

/** Checks a number of workers. */
export function checkWorkers(name: string, wanted: number): number {
  if (!Number.isInteger(wanted) || wanted < 1) throw notNumber(name, wanted, "an integer from 1 on");
  return wanted;
}

const REMEDY =
  "samplez-worker.js must lie where the script looks for it, on the page's own origin, and a Content-Security-Policy allow it under worker-src";

/** Makes a worker that has not started yet, or throws an error with the reason why there is none. */
export function startWorker(): Connection {
  let answer: (reply: Reply) => void = () => {};
  let fail: (error: Error) => void = () => {};
  let report: Progress | undefined;
  let answered = false;
  /** Whether it was an answer. */
  const heard = (reply: Reply): boolean => {
    answered = true;
    if (!("progress" in reply)) answer(reply);
    else {
      try {
        report?.(...reply.progress);
      } catch (error) {
        fail(error as Error);
      }
    }
    return !("progress" in reply);
  };
  let ended: Error | undefined;
  const failed = (cause: unknown): void => {
    ended ??= answered ? because("a worker stopped", cause, "a smaller table may help", "stopped") : refused(cause);
    fail(ended);
  };
  let post: (message: Request) => void;
  let stop: () => void;
  if (typeof Worker === "function") {
    const worker = started(webWorker);
    worker.onmessage = ({ data }) => void heard(data);
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
    // It keeps the program alive only as long as it has something to do.
    worker.on("message", (reply) => heard(reply) && worker.unref());
    worker.on("error", failed);
    worker.on("exit", (code) => failed(`it ended by itself, with the code ${code}`));
    post = (message) => {
      worker.ref();
      worker.postMessage(message);
    };
    worker.unref();
    stop = () => void worker.terminate();
  }
  const ask = (message: Request, onProgress?: Progress) =>
    new Promise<Reply>((resolve, reject) => {
      [answer, fail, report] = [resolve, reject, onProgress];
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
