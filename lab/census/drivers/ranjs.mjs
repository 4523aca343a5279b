import * as module from "ranjs";
import { main } from "./common.mjs";

const ran = module.default ?? module;
const from = (Law, seed, ...parameters) => { const law = new Law(...parameters); return seed === undefined ? law : law.seed(seed); };

main({
  normal: (seed) => { const law = from(ran.dist.Normal, seed, 0, 1); return () => Math.round(law.sample()); },
  geometric: (seed) => { const law = from(ran.dist.Geometric, seed, 1 - Math.exp(-1)); return () => law.sample() - law.sample(); },
  skellam: (seed) => { const law = from(ran.dist.Skellam, seed, 5, 5); return () => law.sample(); },
  binomial: (seed) => { const law = from(ran.dist.Binomial, seed, 20, 0.5); return () => law.sample() - 10; },
});
