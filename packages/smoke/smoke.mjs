// Draws the vectors of a file such as kat/recipes.csv from the installed package.

import { readFileSync } from "node:fs";
import { DiscreteGaussian } from "samplez";

const rows = readFileSync(process.argv[2], "utf8").trim().split("\n").slice(1);
for (const row of rows) {
  const [recipe, source, seed, samples] = row.split(",");
  const gaussian = await DiscreteGaussian.create({ recipe, source, seed: seed.length === 64 ? seed : BigInt(seed) });
  const drawn = [...gaussian.fill(new Int32Array(16))].join(" ");
  if (drawn !== samples) throw new Error(`${row}: drew ${drawn}`);
}
console.log(rows.length, "rows");
