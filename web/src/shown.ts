/** The name of a value's type. */
export const kind = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** A value as an error shows it: of an object its type alone, for an array may hold samples. */
export function shown(value: unknown): string {
  const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
  return isObject ? kind(value) : String(value);
}
