import laws from "probability-distributions";
import { CENTER, main, SCALE } from "./common.mjs";

main({
  normal: () => () => Math.round(laws.rnorm(1, CENTER, SCALE)[0]),
});
