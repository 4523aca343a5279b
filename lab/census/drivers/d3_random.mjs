import * as d3 from "d3-random";
import { main } from "./common.mjs";

const source = (seed) => (seed === undefined ? Math.random : d3.randomLcg(seed));

main({
  normal: (seed) => { const draw = d3.randomNormal.source(source(seed))(0, 1); return () => Math.round(draw()); },
  geometric: (seed) => { const draw = d3.randomGeometric.source(source(seed))(1 - Math.exp(-1)); return () => draw() - draw(); },
  poisson: (seed) => { const draw = d3.randomPoisson.source(source(seed))(5); return () => draw() - draw(); },
  binomial: (seed) => { const draw = d3.randomBinomial.source(source(seed))(20, 0.5); return () => draw() - 10; },
});
