/** The name of a value's type, from any realm. */
export const kind = (value: unknown): string => (value ?? undefined) === undefined ? `${value}` : Object.prototype.toString.call(value).slice(8, -1);

/** The name of a typed array's type, from any realm; an empty text for other values. */
export const viewKind = (value: unknown): string => (ArrayBuffer.isView(value) ? kind(value) : "");

/** Whether it is bytes, from any realm. */
export const isBytes = (value: unknown): value is Uint8Array => viewKind(value) === "Uint8Array";

/** A value as an error shows it: of an object its type alone, for an array may hold samples. */
export function shown(value: unknown): string {
  const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
  return isObject ? kind(value) : String(value);
}

/** The message of an error, from any realm. */
export function messageOf(cause: unknown): string {
  const message = typeof cause === "object" && cause !== null && "message" in cause ? cause.message : undefined;
  return typeof message === "string" ? message : String(cause);
}
