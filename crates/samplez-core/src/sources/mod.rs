//! Random sources: the generators, and the seeds that feed them.
//!
//! `OS entropy → Seed → generator → BitReader → sampler`. Asking the operating system can
//! fail, and says so; a generator, once seeded, cannot.

mod aes256;
mod chacha20;
mod ctr_df;
mod ctr_drbg;
mod drbg;
mod hash_drbg;
mod os;
mod seed;

pub use aes256::{Aes256, Aes256Soft, Cipher};
pub use chacha20::ChaCha20;
pub use ctr_drbg::{CtrDrbg, CtrDrbgAes256, CtrDrbgAes256Soft};
pub use drbg::{Drbg, DrbgError, DrbgStream, Mechanism, Reseeding, ReseedingError};
pub use hash_drbg::{Hash, HashDrbg, HashDrbgSha256, HashDrbgSha512, Sha256, Sha512};
#[cfg(feature = "os")]
pub use os::{EntropyError, Os};
pub use seed::{ParseSeedError, Seed};
