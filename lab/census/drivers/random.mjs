import { Random } from "random";
import { main } from "./common.mjs";

const from = (seed) => (seed === undefined ? new Random() : new Random(seed));

main({
  normal: (seed) => { const draw = from(seed).normal(0, 1); return () => Math.round(draw()); },
  geometric: (seed) => { const draw = from(seed).geometric(1 - Math.exp(-1)); return () => draw() - draw(); },
  poisson: (seed) => { const draw = from(seed).poisson(5); return () => draw() - draw(); },
  binomial: (seed) => { const draw = from(seed).binomial(20, 0.5); return () => draw() - 10; },
});
