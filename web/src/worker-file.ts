/** Starts workers from the file that they lie in, as in samplez-file.ts. */

import { samplezFile } from "./samplez-file.js";

type Threads = typeof import("node:worker_threads");

/** Makes a worker of browsers and similar runtimes. */
export const webWorker = (): Worker => {
  try {
    return new Worker(new URL("./samplez-worker.js", import.meta.url), { type: "module" });
  } catch (refused) {
    // Of another origin, as of a CDN, a page may start no script, but one of its own that imports it.
    const script = new URL("samplez-worker.js", samplezFile(false) as URL);
    if (typeof location === "undefined" || script.origin === location.origin) throw refused;
    elsewhere ??= URL.createObjectURL(new Blob([`import ${JSON.stringify(script.href)};`], { type: "text/javascript" }));
    return new Worker(elsewhere, { type: "module" });
  }
};

let elsewhere: string | undefined;

/** A thread of Node. Its file lies beside the module; written as above it would be one more file to a bundler. */
export const thread = ({ Worker }: Threads): InstanceType<Threads["Worker"]> =>
  new Worker(new URL("samplez-worker.js", samplezFile(false) as URL));
