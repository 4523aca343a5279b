import * as R from "lib-r-math.js";
import { main } from "./common.mjs";

// A seed of R's set.seed; without one, the package starts as it does.
const seeded = (draw) => (seed) => { if (seed !== undefined) R.setSeed(seed); return draw; };

main({
  normal: seeded(() => Math.round(R.rnorm(1, 0, 1)[0])),
  geometric: seeded(() => R.rgeom(1, 1 - Math.exp(-1))[0] - R.rgeom(1, 1 - Math.exp(-1))[0]),
  poisson: seeded(() => R.rpois(1, 5)[0] - R.rpois(1, 5)[0]),
  binomial: seeded(() => R.rbinom(1, 20, 0.5)[0] - 10),
});
