export type { Seed } from "../options.js";
export type { Bliss, BlissKeys, BlissOptions, BlissPublicKey, BlissSecretKey, Signed } from "./bliss.js";
export type { DecryptionKey, Encryption, EncryptionKey, EncryptionKeys, Lp11Options, RegevOptions } from "./encryption.js";
export type { Bytes } from "./instance.js";
export type { Noise, SchemeOptions, Seeded } from "./scheme.js";
export { Schemes, type SchemeSet } from "./schemes.js";
export { SamplezError, type ErrorKind } from "../errors.js";
