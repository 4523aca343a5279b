/** Pearson's χ² and its p-value. */

/** Cells with a smaller expectation are merged with their neighbours. */
const LEAST = 5;

export function chi2(counts: readonly number[], probabilities: readonly number[], total: number) {
  const cells: { seen: number; expected: number }[] = [];
  let open = { seen: 0, expected: 0 };
  counts.forEach((count, i) => {
    open.seen += count;
    open.expected += (probabilities[i] ?? 0) * total;
    if (open.expected >= LEAST) {
      cells.push(open);
      open = { seen: 0, expected: 0 };
    }
  });
  const last = cells.at(-1);
  if (last === undefined) return { statistic: 0, degrees: 0, p: 1 };
  last.seen += open.seen;
  last.expected += open.expected;
  const statistic = cells.reduce((sum, { seen, expected }) => sum + (seen - expected) ** 2 / expected, 0);
  const degrees = cells.length - 1;
  return { statistic, degrees, p: degrees === 0 ? 1 : upperGamma(degrees / 2, statistic / 2) };
}

/** Γ(a, x)/Γ(a): by its series below a + 1, by its continued fraction above. */
export function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1;
  const factor = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; n < 10_000 && term > sum * 1e-16; n++) {
      term *= x / (a + n);
      sum += term;
    }
    return Math.max(0, 1 - sum * factor);
  }
  // Lentz's method.
  let b = x + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let h = d;
  for (let n = 1; n < 10_000; n++) {
    const an = -n * (n - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    h *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return h * factor;
}

/** log Γ(a), by Stirling's series from 10 on. */
function logGamma(a: number): number {
  let shift = 0;
  for (; a < 10; a++) shift += Math.log(a);
  const r = 1 / (a * a);
  const series = (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r / 1680))) / a;
  return (a - 0.5) * Math.log(a) - a + 0.5 * Math.log(2 * Math.PI) + series - shift;
}
