import binomial from "@stdlib/random-base-binomial";
import geometric from "@stdlib/random-base-geometric";
import ziggurat from "@stdlib/random-base-improved-ziggurat";
import normal from "@stdlib/random-base-normal";
import poisson from "@stdlib/random-base-poisson";
import { CENTER, main, SCALE } from "./common.mjs";

const from = (module, seed, ...parameters) => module.factory(...parameters, seed === undefined ? {} : { seed });

main({
  normal: (seed) => { const draw = from(normal, seed, CENTER, SCALE); return () => Math.round(draw()); },
  ziggurat: (seed) => { const draw = from(ziggurat, seed); return () => Math.round(draw()); },
  geometric: (seed) => { const draw = from(geometric, seed, -Math.expm1(-1 / SCALE)); return () => draw() - draw(); },
  poisson: (seed) => { const draw = from(poisson, seed, 5); return () => draw() - draw(); },
  binomial: (seed) => { const draw = from(binomial, seed, 20, 0.5); return () => draw() - 10; },
});
