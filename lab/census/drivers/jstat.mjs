import jstat from "jstat";
import { CENTER, main, SCALE } from "./common.mjs";

const { jStat } = jstat;

main({
  normal: () => () => Math.round(jStat.normal.sample(CENTER, SCALE)),
  poisson: () => () => jStat.poisson.sample(5) - jStat.poisson.sample(5),
});
