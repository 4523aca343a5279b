import * as R from "lib-r-math.js";
import { CENTER, main, SCALE } from "./common.mjs";

// A seed of R's set.seed; without one, the package starts as it does.
const seeded = (draw) => (seed) => { if (seed !== undefined) R.setSeed(seed); return draw; };

main({
  normal: seeded(() => Math.round(R.rnorm(1, CENTER, SCALE)[0])),
  geometric: seeded(() => R.rgeom(1, -Math.expm1(-1 / SCALE))[0] - R.rgeom(1, -Math.expm1(-1 / SCALE))[0]),
  poisson: seeded(() => R.rpois(1, 5)[0] - R.rpois(1, 5)[0]),
  binomial: seeded(() => R.rbinom(1, 20, 0.5)[0] - 10),
});
