// What each engine runs: the page's benchmark, and the plain sampler in the same way.
// @ts-check

/** @typedef {{ method: string, sigma: string, rate: number | null, refusal: string | null }} Row */

/** @param {string} root  where the site is @param {number} milliseconds @returns {Promise<Row[]>} */
export async function measure(root, milliseconds) {
  const { benchmark, PAPER_SIGMAS } = await import(`${root}page/src/benchmark.js`);
  const { plain } = await import(root.startsWith("file:") ? "./plain.mjs" : `${root}bench/plain.mjs`);
  /** @type {Row[]} */
  const rows = [];
  for await (const row of benchmark(milliseconds)) rows.push(row);
  for (const sigma of PAPER_SIGMAS) {
    const fill = plain(Number(sigma));
    const out = new Int16Array(65_536);
    let best = 0;
    const start = performance.now();
    for (let now = start; now - start < 1.5 * milliseconds; ) {
      const from = now;
      let rounds = 0;
      do {
        fill(out);
        rounds++;
        now = performance.now();
      } while (now - from < 4);
      best = Math.max(best, (rounds * out.length) / (now - from));
    }
    const variance = out.reduce((sum, x) => sum + x * x, 0) / out.length;
    if (Math.abs(variance / Number(sigma) ** 2 - 1) > 0.1) throw new Error(`plain: the variance is ${variance}`);
    rows.push({ method: "plain JavaScript", sigma, rate: best, refusal: null });
  }
  return rows;
}
