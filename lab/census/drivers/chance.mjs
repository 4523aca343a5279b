import Chance from "chance";
import { CENTER, main, SCALE } from "./common.mjs";

main({
  normal: (seed) => {
    const chance = seed === undefined ? new Chance() : new Chance(seed);
    return () => Math.round(chance.normal({ mean: CENTER, dev: SCALE }));
  },
});
