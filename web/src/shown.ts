/** A value as an error shows it: of an object its type alone, for an array may hold samples. */
export function shown(value: unknown): string {
  if ((typeof value === "object" && value !== null) || typeof value === "function") {
    return Object.prototype.toString.call(value).slice(8, -1);
  }
  return String(value);
}
