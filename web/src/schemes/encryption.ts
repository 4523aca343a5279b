/** LP11 and Regev: encryption, against chosen plaintexts alone, that now and then decrypts wrongly. */

import { checkOptions } from "../options.js";
import { Handle } from "./handle.js";
import { bytesOf, type Instance } from "./instance.js";
import { Key, Scheme, seedOf, type Keys, type SchemeOptions, type Seeded } from "./scheme.js";

/** LP11's options: a set over matrices or over rings. */
export interface Lp11Options extends SchemeOptions {
  set: "matrix-128" | "matrix-192" | "matrix-256" | "matrix-320" | "ring-256" | "ring-512";
}

/** The options of Regev's encryption: a set. */
export interface RegevOptions extends SchemeOptions {
  /** The last is inferred: it fits the noise of [JSDGS17], which does not name its set. */
  set: "mr09-136" | "mr09-166" | "mr09-192" | "mr09-214" | "mr09-233" | "mr09-233-t40" | "jsdgs17-256";
}

/** LP11 or Regev with a set and its noise. */
export class Encryption extends Scheme {
  constructor(instance: Instance, scheme: "lp11" | "regev", options: Lp11Options | RegevOptions) {
    checkOptions("options", options, ["set", "noise"]);
    const { set, ...rest } = options;
    super(instance, scheme, set, rest);
  }

  /** New keys. */
  keygen(options: Seeded = {}): Keys<DecryptionKey, EncryptionKey> {
    const [secret, open] = this.handle.instance.keygen(this.handle.number, seedOf(arguments, 1, options));
    return { secretKey: new DecryptionKey(this.#hold(secret)), publicKey: new EncryptionKey(this.#hold(open), this.handle) };
  }

  readSecretKey(bytes: Uint8Array): DecryptionKey {
    const [key] = this.handle.instance.read(this.handle.number, true, bytesOf("key", bytes));
    return new DecryptionKey(this.#hold(key));
  }

  readPublicKey(bytes: Uint8Array): EncryptionKey {
    const [key] = this.handle.instance.read(this.handle.number, false, bytesOf("key", bytes));
    return new EncryptionKey(this.#hold(key), this.handle);
  }

  #hold(number: number | undefined): Handle {
    return new Handle(this.handle.instance, number!, "key");
  }
}

/** A public key: it encrypts. */
export class EncryptionKey extends Key {
  readonly #scheme: Handle;

  constructor(handle: Handle, scheme: Handle) {
    super(handle);
    this.#scheme = scheme;
  }

  /** Encrypts a message of any length, which the ciphertext reveals; a text stands for its UTF-8. */
  encrypt(message: Uint8Array | string, options: Seeded = {}): Uint8Array {
    const seed = seedOf(arguments, 2, options);
    const { instance, number } = this.handle;
    return instance.encrypt(this.#scheme.number, number, bytesOf("message", message), seed);
  }
}

/** A secret key: it decrypts. */
export class DecryptionKey extends Key {
  constructor(handle: Handle) {
    super(handle);
  }

  /** Decrypts. Each bit or letter is wrong with the set's rate of failure, silently. */
  decrypt(ciphertext: Uint8Array): Uint8Array {
    return this.handle.instance.decrypt(this.handle.number, bytesOf("ciphertext", ciphertext));
  }
}
