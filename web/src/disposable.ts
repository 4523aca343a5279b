/// <reference lib="esnext.disposable" preserve="true" />
/** The method that `using` calls at the end of a block, also in engines without it. */

export const DISPOSE: typeof Symbol.dispose = Symbol.dispose ?? (Symbol.for("Symbol.dispose") as typeof Symbol.dispose);
