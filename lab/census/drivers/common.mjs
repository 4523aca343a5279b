// What every JavaScript driver shares: see census.py. A maker takes the seed, or undefined, and returns a function that draws one integer.
import { writeFileSync } from "node:fs";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

export const SCALE = Number(process.env.CENSUS_SCALE ?? 1);
export const CENTER = Number(process.env.CENSUS_CENTER ?? 0);

export async function main(makers) {
  const [call, count, path, seed] = isMainThread ? process.argv.slice(2) : workerData;
  const draw = await makers[call](seed === "" ? undefined : Number(seed));
  if (!isMainThread) return parentPort.postMessage(Array.from({ length: 16 }, draw).join());
  draw();
  const integers = new Array(Number(count));
  const begin = process.cpuUsage();
  for (let i = 0; i < integers.length; i += 1) integers[i] = draw();
  console.log("seconds", process.cpuUsage(begin).user / 1e6);
  console.log("type", integers.every(Number.isInteger) ? typeof integers[0] : "number with fractions, rounded here");
  writeFileSync(path, integers.map((x) => `${BigInt(Math.round(x))}\n`).join(""));
  if (seed !== "") return undefined;
  const thread = () => new Promise((done) => { new Worker(process.argv[1], { workerData: process.argv.slice(2) }).on("message", done); });
  return console.log("thread", (await thread()) === (await thread()) ? "repeat" : "differ");
}
