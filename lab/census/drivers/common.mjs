// What every JavaScript driver shares: see census.py. A maker takes the seed, or undefined, and returns a function that draws one integer.
import { writeFileSync } from "node:fs";

export function main(makers) {
  const [call, count, path, seed] = process.argv.slice(2);
  const draw = makers[call](seed === "" ? undefined : Number(seed));
  draw();
  const integers = new Array(Number(count));
  const begin = process.cpuUsage();
  for (let i = 0; i < integers.length; i += 1) integers[i] = draw();
  console.log("seconds", process.cpuUsage(begin).user / 1e6);
  console.log("type", integers.every(Number.isInteger) ? typeof integers[0] : "number with fractions, rounded here");
  writeFileSync(path, integers.map((x) => `${Math.round(x) || 0}\n`).join(""));
}
