/** The handle of a scheme or a key in the module. */

import { SamplezError } from "../errors.js";
import type { Instance } from "./instance.js";

const forgotten = new FinalizationRegistry<() => void>((close) => close());

/** A number that stands for an object in the module, until it is closed or, with its owner, forgotten. */
export class Handle {
  readonly instance: Instance;
  readonly #number: number;
  readonly #what: string;
  #open = true;

  constructor(instance: Instance, number: number, what: string) {
    this.instance = instance;
    this.#number = number;
    this.#what = what;
    forgotten.register(this, () => instance.close(number), this);
  }

  get number(): number {
    if (!this.#open) throw new SamplezError("disposed", `this ${this.#what} has been disposed of`);
    return this.#number;
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    forgotten.unregister(this);
    this.instance.close(this.#number);
  }
}
