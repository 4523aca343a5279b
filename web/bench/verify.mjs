// `verify` in Node beside the command on the same integers, in turns: values per microsecond of processor time, medians. The command,
// which SAMPLEZ names, reads them from a file.
// @ts-check

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DiscreteGaussian, verify } from "../dist/index.js";

const SAMPLEZ = process.env["SAMPLEZ"] ?? "samplez";
const COUNT = Number(process.argv[2] ?? 2e7);
const ROUNDS = 7;
const file = join(tmpdir(), `samplez-verify-${process.pid}.raw`);

/** Of this process and of those that it ran, in microseconds. The kernel tells both. */
const spent = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** Seconds of processor time of a program: what `time -p` says. @param {string[]} args */
function command(args) {
  const { stderr, status } = spawnSync("bash", ["-c", 'time -p "$@" > /dev/null', "bash", SAMPLEZ, ...args], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return ["user", "sys"].reduce((sum, name) => sum + Number(stderr.match(new RegExp(`^${name} (.*)$`, "m"))?.[1]), 0);
}

const median = (/** @type {number[]} */ values) => values.sort((a, b) => a - b)[values.length >> 1] ?? NaN;

for (const [sigma, array, dtype] of /** @type {const} */ ([["3.2", Int8Array, "i8"], ["215", Int16Array, "i16"], ["1e6", Int32Array, "i32"], ["1e12", BigInt64Array, "i64"]])) {
  const d = await DiscreteGaussian.create({ sigma, seed: 1 });
  const samples = d.fill(/** @type {any} */ (new array(COUNT)));
  writeFileSync(file, new Uint8Array(samples.buffer));
  const [ours, theirs] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const before = spent();
      assert.ok((await verify(samples, { sigma })).consistent);
      ours.push(COUNT / (spent() - before));
      theirs.push(COUNT / (1e6 * command(["verify", file, "--dtype", dtype, "--sigma", sigma, "--quiet"])));
    }
  } finally {
    rmSync(file);
  }
  const ratio = median(ours.map((rate, i) => rate / (theirs[i] ?? NaN)));
  console.log(`sigma = ${sigma}, ${dtype}: Node ${median(ours).toFixed(1)}, the command ${median(theirs).toFixed(1)} million values a second, ratio ${ratio.toFixed(2)}`);
}
