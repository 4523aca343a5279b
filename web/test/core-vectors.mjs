// The integers of the small module beside those of the full package, in Node and in browsers.
// @ts-check

/** Recipes, the array, the address and the number of samples, and whether the full package is loaded for them. A table of few bits has the exact
 * remainder often.
 * @type {{ recipe: string, type: "Int8Array" | "Int16Array" | "Int32Array" | "BigInt64Array", first: bigint, count: number, loads: boolean }[]} */
export const CASES = [
  { recipe: "sigma=3.2", type: "Int8Array", first: 0n, count: 100_000, loads: false },
  { recipe: "sigma=20", type: "Int16Array", first: 8191n, count: 100_000, loads: false },
  { recipe: "s=8,center=1/3", type: "Int32Array", first: 2n ** 40n + 5n, count: 20_000, loads: false },
  { recipe: "sigma_squared=2500,center=-7/2", type: "BigInt64Array", first: 3n, count: 9000, loads: false },
  { recipe: "sigma=1/100,center=100", type: "Int8Array", first: 0n, count: 9000, loads: false },
  { recipe: "k_sigma2=20,center=-300,precision=200", type: "Int16Array", first: 1n, count: 9000, loads: false },
  { recipe: "sigma=318", type: "Int16Array", first: 5n, count: 100_000, loads: false },
  { recipe: "sigma=159,center=1/3", type: "Int16Array", first: 0n, count: 100_000, loads: false },
  { recipe: "sigma=2,center=1/3,method=knuth-yao-ct,precision=21", type: "Int8Array", first: 77n, count: 200_000, loads: true },
  { recipe: "sigma=20,method=cdt-lazy-ct,precision=27", type: "Int16Array", first: 0n, count: 300_000, loads: true },
];

/** The number of cases, those with other integers, and whether each loaded the full package.
 * @param {Pick<typeof import("../dist/core/index.js"), "CoreGaussian"> & { buildTable: (recipe: string) => Promise<Uint8Array> } & Pick<typeof import("../dist/index.js"), "DiscreteGaussian">} samplez */
export async function checkCore({ CoreGaussian, buildTable, DiscreteGaussian }, cases = CASES) {
  const [wrong, loads] = [/** @type {string[]} */ ([]), /** @type {boolean[]} */ ([])];
  for (const { recipe, type, first, count } of cases) {
    const make = () => /** @type {any} */ (new { Int8Array, Int16Array, Int32Array, BigInt64Array }[type](count));
    let isLoaded = false;
    const full = async () => ((isLoaded = true), { DiscreteGaussian });
    const core = await CoreGaussian.create({ table: await buildTable(recipe), seed: 42, full });
    // The planner prefers another method for a wide law.
    const [method = ""] = /,method=[^,]*/.exec(core.recipe) ?? [];
    const same = await DiscreteGaussian.create({ recipe: `${recipe.replace(/,method=[^,]*/, "")}${method},exact=true`, seed: 42 });
    const [ours, theirs] = [await core.fillAt(first, make()), same.fillAt(first, make())];
    if (String(ours) !== String(theirs)) wrong.push(recipe);
    loads.push(isLoaded);
  }
  return { count: cases.length, wrong, loads };
}
