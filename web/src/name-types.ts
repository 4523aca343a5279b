// Written by `cargo tools gen-docs`.

/** The name of a method. */
export type MethodName =
  | "karney"
  | "cdt"
  | "cdt-guided"
  | "cdt-ct"
  | "cdt-lazy-ct"
  | "isochronous"
  | "knuth-yao"
  | "knuth-yao-compact"
  | "knuth-yao-ct"
  | "ziggurat"
  | "rejection"
  | "rejection-table"
  | "bernoulli"
  | "convolution"
  | "convolution-ct"
  | "du-wei-4"
  | "du-wei-5"
  | "du-wei-5-ky"
  | "cks"
  | "wide";

/** The name of a method that takes a centre with each sample. */
export type RoundMethodName =
  | "auto"
  | "karney"
  | "strips";

/** The name of a source. */
export type SourceName =
  | "chacha20"
  | "chacha12"
  | "chacha8"
  | "salsa20"
  | "salsa12"
  | "salsa8"
  | "aes256-ctr"
  | "aes128-ctr"
  | "ctr-drbg-aes256"
  | "ctr-drbg-aes256-soft"
  | "hash-drbg-sha256"
  | "hash-drbg-sha512"
  | "isaac64"
  | "kiss64"
  | "glibc-random"
  | "posix-rand"
  | "os";
