// The command's integers with parameters beyond 64 bits, drawn by any copy of the package, in Node and in browsers.
// @ts-check

import { sha256 } from "./verify-vectors.mjs";

/** Distributions, and the SHA-256 of what `samplez sample` prints of them with the seed 42. test/big.test.mjs runs the command.
 * @type {{ name: string, law: any, source: import("../dist/index.js").SourceName, count: number, sha256: string }[]} */
export const CASES = [
  { name: "one word above 2^26", law: { sigma: "67108865", center: "1e25" }, source: "chacha20", count: 1300, sha256: "0373f608ce7e310345e060948280a8653e1f2b329de836be596dea6ed665c1e6" },
  { name: "flooding", law: { sigma: "1e30", center: "1/3" }, source: "chacha20", count: 9000, sha256: "41bb46477a4634cbbf439cd1b0387c81dc83542f40ced129dcf36bfd0e6db8e4" },
  { name: "a far centre", law: { sigma: "1e150", center: "-1e200" }, source: "chacha20", count: 700, sha256: "bd295194bafc497161e629d35895acd89be0b7fe2c5b3b27fd640571c95cf801" },
  { name: "2^512", law: { sigma: 2n ** 512n }, source: "chacha20", count: 513, sha256: "05148a362c4cdb18d464291f2c26c2bf0235e9ba54a22b290f735ec5e5521354" },
  { name: "the widest", law: { sigma: 2n ** 4095n }, source: "chacha20", count: 20, sha256: "70f8153d3b2c8519723a1f7e3db31c6d484f32b0af52cf4eac6d8312a165595f" },
  { name: "a variance", law: { sigmaSquared: "1e60" }, source: "chacha20", count: 600, sha256: "9ec3f5471167638a0dde378e6d82033dbd826ed1dfab38d5fa0959efa39af184" },
  { name: "k", law: { kSigma2: "1e25", center: "1e-20" }, source: "chacha20", count: 600, sha256: "88524e1212649bdaaf04e993a2f9333571df547bb60c59abe098ccf8155d064d" },
  { name: "s", law: { s: 1e+300, center: -0.5 }, source: "chacha20", count: 600, sha256: "cbc7973c8525d2c77e41d979a32d377b56cd518c8e2a3282a69a883cf5db9749" },
  { name: "another source", law: { sigma: "1e20" }, source: "hash-drbg-sha512", count: 600, sha256: "f9325350bc60643d103a7e20142a5831d4f69a8339b9d911abd21fdb2229b907" },
  { name: "small, far", law: { sigma: "3.2", center: "1e30" }, source: "chacha20", count: 9000, sha256: "8cb52e90d71054ee9e6e832e55d0c6206e9c83623cbb3af3695d57e2ad0a6dd4" },
  { name: "small, between integers", law: { sigma: "3.2", center: "100000000000000000000.25" }, source: "chacha20", count: 600, sha256: "32f88bc26c9e9ce9d2e57115afc7c05fadc576cc868971f7e036609b52190c26" },
  { name: "some", law: { sigma: "40", center: "1e30" }, source: "chacha20", count: 9000, sha256: "5e19bbfedff8a4c9b9eba3dba43ccf36593848cf1c44192e9ad9772d7ef1add9" },
  { name: "more", law: { sigma: "1000", center: "-1e30" }, source: "chacha20", count: 9000, sha256: "83e7162977807bb6a9faf0863e7ba05ce9c7ffbbe70b20c3c05d8ce414cc4336" },
  { name: "many", law: { sigma: "60000000", center: "1e25" }, source: "chacha20", count: 1000, sha256: "b21962e636c0512018b55bcdad251a3c14506004ac97dc4cb9e51856f44ce33f" },
  { name: "a computed double", law: { sigma: 2.5, center: 1.4901161193847656e-8 }, source: "chacha20", count: 9000, sha256: "d0c83ba626c7d92a608922783fb09c0f35e4d5ad5173151cb0ce8797d91f5c58" },
  { name: "the smallest double", law: { sigma: 100.1, center: 5e-324 }, source: "chacha20", count: 9000, sha256: "3ffd00e47b71e082ed56d555220603985a5caf50839e369c0f29f15d8f7bae45" },
  { name: "long", law: { sigma: "3.14159265358979323846264338327950288" }, source: "chacha20", count: 9000, sha256: "0b59d5b11c41177e20864ada591fb196866e96e053156c8065da3a7c8282cdcd" },
  { name: "long s", law: { s: "1234.5678901234567890123456789" }, source: "chacha20", count: 600, sha256: "5a50857fddcda5f28c741dfcd0c4c335201e5c628a483113d3764e20a0b5cf4d" },
  { name: "the narrowest", law: { sigma: "8.673617379884035472059622406959533691406250e-19", center: "1e-40" }, source: "chacha20", count: 600, sha256: "8cdcdb341dce43be80e201db68e01242eb8877456f43d525358e580b208b86f6" },
  { name: "tiny", law: { sigmaSquared: "1e-18", center: "1000000000000000000000000000000.5" }, source: "chacha20", count: 600, sha256: "442cff53a7ffdc1787da64b61e46544b9f9252a0007bc2a3bed7bc598fa7c14a" },
];

/** Integers as the command prints them. @param {readonly bigint[]} integers */
export const lines = (integers) => integers.map((x) => `${x}\n`).join("");

/** The number of cases, and the names of those with other integers.
 * @param {Pick<typeof import("../dist/index.js"), "BigGaussian">} samplez */
export async function checkBig({ BigGaussian }, cases = CASES) {
  const wrong = [];
  for (const { name, law, source, count, sha256: want } of cases) {
    const big = await BigGaussian.create({ ...law, source, seed: 42 });
    if ((await sha256(lines(big.draw(count)))) !== want) wrong.push(name);
  }
  return { count: cases.length, wrong };
}
