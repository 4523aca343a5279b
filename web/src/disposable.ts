/// <reference lib="esnext.disposable" preserve="true" />
/** What `using` calls at the end of a block, also in engines that do not know it yet. */

export const DISPOSE: typeof Symbol.dispose = Symbol.dispose ?? (Symbol.for("Symbol.dispose") as typeof Symbol.dispose);
