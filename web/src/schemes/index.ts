export type { Seed } from "../options.js";
export type { Bliss, BlissOptions, BlissPublicKey, BlissSecretKey, Signed } from "./bliss.js";
export type { DecryptionKey, Encryption, EncryptionKey, Lp11Options, RegevOptions } from "./encryption.js";
export type { Keys, Noise, Seeded } from "./scheme.js";
export { Schemes, type SchemeSet } from "./schemes.js";
export { SamplezError, type ErrorKind } from "../errors.js";
