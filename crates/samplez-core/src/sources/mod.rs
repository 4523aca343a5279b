//! Random sources: the generators, and the seeds that feed them.
//!
//! `OS entropy → Seed → generator → BitReader → sampler`. Asking the operating system can
//! fail, and says so; a generator, once seeded, cannot.

mod chacha20;
mod os;
mod seed;

pub use chacha20::ChaCha20;
#[cfg(feature = "os")]
pub use os::{EntropyError, Os};
pub use seed::{ParseSeedError, Seed};
