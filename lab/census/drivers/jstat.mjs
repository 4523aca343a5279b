import jstat from "jstat";
import { main } from "./common.mjs";

const { jStat } = jstat;

main({
  normal: () => () => Math.round(jStat.normal.sample(0, 1)),
  poisson: () => () => jStat.poisson.sample(5) - jStat.poisson.sample(5),
});
