import * as d3 from "d3-random";
import { CENTER, main, SCALE } from "./common.mjs";

const source = (seed) => (seed === undefined ? Math.random : d3.randomLcg(seed));

main({
  normal: (seed) => { const draw = d3.randomNormal.source(source(seed))(CENTER, SCALE); return () => Math.round(draw()); },
  geometric: (seed) => { const draw = d3.randomGeometric.source(source(seed))(-Math.expm1(-1 / SCALE)); return () => draw() - draw(); },
  poisson: (seed) => { const draw = d3.randomPoisson.source(source(seed))(5); return () => draw() - draw(); },
  binomial: (seed) => { const draw = d3.randomBinomial.source(source(seed))(20, 0.5); return () => draw() - 10; },
});
