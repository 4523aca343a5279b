/** Starts workers from the file that they lie in, as in samplez-file.ts. */

import { samplezFile } from "./samplez-file.js";

type Threads = typeof import("node:worker_threads");

/** Makes a worker of browsers and similar runtimes. */
export const webWorker = (): Worker => new Worker(new URL("./samplez-worker.js", import.meta.url), { type: "module" });

/** A thread of Node. Its file lies beside the module; written as above it would be one more file to a bundler. */
export const thread = ({ Worker }: Threads): InstanceType<Threads["Worker"]> =>
  new Worker(new URL("samplez-worker.js", samplezFile(false) as URL));
