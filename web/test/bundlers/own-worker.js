import { DiscreteGaussian } from "samplez";

self.onmessage = async ({ data: seed }) => {
  const d = await DiscreteGaussian.create({ sigma: "215", seed });
  self.postMessage(Array.from(d.fill(new Int16Array(8))));
};
