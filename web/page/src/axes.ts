/** Axes: scales, ticks at round numbers, and numbers as one reads them. */

/** The linear map of one range to another. */
export const linear = ([a, b]: readonly [number, number], [from, to]: readonly [number, number]) => (value: number): number =>
  from + ((value - a) / (b - a)) * (to - from);

/** Multiples of 1, 2 or 5 times a power of ten from `low` to `high`: about `count` of them, or fewer. */
export function nice(low: number, high: number, count: number, least = 0): number[] {
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(least, ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power);
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-12) + step * 1e-9; i++) ticks.push(i * step);
  return ticks;
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A number on an axis. */
export function numeral(value: number): string {
  const rounded = Number(value.toPrecision(12));
  const size = Math.abs(rounded);
  if (size !== 0 && (size >= 1e7 || size < 1e-4)) {
    const [digits = "", power = "0"] = rounded.toExponential().split("e");
    const raised = Array.from(power.replace("+", ""), (digit) => (digit === "-" ? "⁻" : RAISED[Number(digit)])).join("");
    return `${Number(Number(digits).toPrecision(4))}·10${raised}`.replace("-", "−");
  }
  return rounded.toLocaleString("en", { maximumSignificantDigits: 12 }).replace("-", "−");
}
