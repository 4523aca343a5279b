import binomial from "@stdlib/random-base-binomial";
import geometric from "@stdlib/random-base-geometric";
import ziggurat from "@stdlib/random-base-improved-ziggurat";
import normal from "@stdlib/random-base-normal";
import poisson from "@stdlib/random-base-poisson";
import { main } from "./common.mjs";

const from = (module, seed, ...parameters) => module.factory(...parameters, seed === undefined ? {} : { seed });

main({
  normal: (seed) => { const draw = from(normal, seed, 0, 1); return () => Math.round(draw()); },
  ziggurat: (seed) => { const draw = from(ziggurat, seed); return () => Math.round(draw()); },
  geometric: (seed) => { const draw = from(geometric, seed, 1 - Math.exp(-1)); return () => draw() - draw(); },
  poisson: (seed) => { const draw = from(poisson, seed, 5); return () => draw() - draw(); },
  binomial: (seed) => { const draw = from(binomial, seed, 20, 0.5); return () => draw() - 10; },
});
