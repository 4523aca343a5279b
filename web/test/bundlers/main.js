// An application as one would write it: the package, its workers, its schemes, and a worker of its own.
import { DiscreteGaussian, fillParallel, verify } from "samplez";
import { Schemes } from "samplez/schemes";

const seed = Uint8Array.from({ length: 32 }, (_, i) => 7 * i);

async function run() {
  const d = await DiscreteGaussian.create({ sigma: "3.2", seed });
  const samples = d.fill(new Int16Array(100_000));
  const parallel = await fillParallel(new Int16Array(100_000), { sigma: "3.2", seed }, { workers: 2 });
  const wide = await fillParallel(new BigInt64Array(1000), { sigma: "1e15", seed }, { workers: 1 });
  const schemes = await Schemes.create();
  const { secretKey, publicKey } = schemes.bliss({ set: "I" }).keygen();
  const { consistent } = await verify(samples, { sigma: "3.2" });
  const own = new Worker(new URL("./own-worker.js", import.meta.url), { type: "module" });
  const fromOwn = await new Promise((resolve, reject) => {
    own.onmessage = ({ data }) => resolve(data);
    own.onerror = (event) => reject(new Error(`own worker: ${event.message}`));
    own.postMessage(seed);
  });
  return {
    head: Array.from(samples.subarray(0, 8)),
    parallel: samples.every((x, i) => x === parallel[i]),
    wide: Array.from(wide.subarray(0, 4), String),
    signed: publicKey.verify("a text", secretKey.sign("a text").signature),
    consistent,
    fromOwn,
  };
}

run().then(
  (result) => (document.body.dataset.result = JSON.stringify(result)),
  (error) => (document.body.dataset.result = JSON.stringify(`${error.message} ${error.cause ?? ""}`)),
);
