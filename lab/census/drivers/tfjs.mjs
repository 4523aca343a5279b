import "@tensorflow/tfjs-backend-cpu";
import * as tf from "@tensorflow/tfjs-core";
import { CENTER, main, SCALE } from "./common.mjs";

// A seed starts each array anew, so every array after the first has the next seed.
const drawn = (law) => async (seed) => {
  tf.env().set("IS_TEST", true);
  await tf.setBackend("cpu");
  let next = seed;
  let array = [];
  let at = 0;
  return () => {
    if (at === array.length) {
      array = law(next).dataSync();
      next = next === undefined ? undefined : next + 1;
      at = 0;
    }
    at += 1;
    return Math.round(array[at - 1]);
  };
};

main({
  normal: drawn((seed) => tf.randomNormal([200_000], CENTER, SCALE, "float32", seed)),
});
