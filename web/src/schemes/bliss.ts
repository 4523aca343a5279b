/** BLISS: signatures. */

import { checkOptions } from "../options.js";
import { Handle } from "./handle.js";
import { bytesOf, type Instance } from "./instance.js";
import { Key, Scheme, seedOf, type Keys, type SchemeOptions, type Seeded } from "./scheme.js";

/** BLISS's options: a set of its paper, and the choices that the paper leaves open. */
export interface BlissOptions extends SchemeOptions {
  set: "0" | "I" | "II" | "III" | "IV";
  /** Which signer keys are made for; `"b"` (BLISS-B) if absent. */
  variant?: "classic" | "b" | undefined;
  /** How signatures are made and written where the paper leaves it open; `"strongswan"` if absent. Signatures of one profile are
   * none under another. */
  profile?:
    | "strongswan"
    | "strongswan-sha2-384"
    | "strongswan-sha2-256"
    | "strongswan-sha3-512"
    | "strongswan-sha3-384"
    | "strongswan-sha3-256"
    | "sri"
    | "hila";
  /** `"isochronous"` (if absent): without a timing leak in native code, over noise that has none; here with no such promise. `"plain"`:
   * over any noise, and variable in time. Both make the same signatures, though other ones from the same seed. */
  signer?: "isochronous" | "plain" | undefined;
}

/** A signature. */
export interface Signed {
  readonly signature: Uint8Array;
  /** How many attempts it took: all but the last were rejected. */
  readonly attempts: number;
}

/** BLISS with a set, a variant, a profile and its noise. */
export class Bliss extends Scheme {
  readonly variant: "classic" | "b";
  readonly profile: string;
  readonly signer: "isochronous" | "plain";

  constructor(instance: Instance, options: BlissOptions) {
    checkOptions("options", options, ["set", "variant", "profile", "signer", "noise"]);
    const { set, variant = "b", profile = "strongswan", signer = "isochronous", ...rest } = options;
    super(instance, "bliss", set, { ...rest, variant, profile, signer });
    this.signer = signer;
    this.variant = variant;
    this.profile = profile;
  }

  /** New keys. */
  keygen(options: Seeded = {}): Keys<BlissSecretKey, BlissPublicKey> {
    return this.#keys(this.handle.instance.keygen(this.handle.number, seedOf(arguments, 1, options)));
  }

  /** The keys that a secret key's bytes are of. */
  readSecretKey(bytes: Uint8Array): Keys<BlissSecretKey, BlissPublicKey> {
    return this.#keys(this.handle.instance.read(this.handle.number, true, bytesOf("key", bytes)));
  }

  readPublicKey(bytes: Uint8Array): BlissPublicKey {
    const [key] = this.handle.instance.read(this.handle.number, false, bytesOf("key", bytes));
    return new BlissPublicKey(new Handle(this.handle.instance, key!, "key"));
  }

  #keys([secret, open]: number[]): Keys<BlissSecretKey, BlissPublicKey> {
    const publicKey = new BlissPublicKey(new Handle(this.handle.instance, open!, "key"));
    return { secretKey: new BlissSecretKey(new Handle(this.handle.instance, secret!, "key"), this.handle), publicKey };
  }
}

/** A signing key: it signs. */
export class BlissSecretKey extends Key {
  readonly #scheme: Handle;

  constructor(handle: Handle, scheme: Handle) {
    super(handle);
    this.#scheme = scheme;
  }

  /** Signs a message; a text stands for its UTF-8. */
  sign(message: Uint8Array | string, options: Seeded = {}): Signed {
    const seed = seedOf(arguments, 2, options);
    const { handle } = this;
    const { bytes, attempts } = handle.instance.sign(this.#scheme.number, handle.number, bytesOf("message", message), seed);
    return { signature: bytes, attempts };
  }
}

/** A public key: it verifies. */
export class BlissPublicKey extends Key {
  constructor(handle: Handle) {
    super(handle);
  }

  /** Whether it is a signature of this message by the secret key. Bytes that are no signature at all are an error. */
  verify(message: Uint8Array | string, signature: Uint8Array): boolean {
    const { instance, number } = this.handle;
    return instance.verify(number, bytesOf("message", message), bytesOf("signature", signature));
  }
}
