//! Random generators for discrete Gaussian sampling, and the seeds that feed them.
//!
//! Take a [`Seed`] from the operating system, and make a generator of it. A sampler of `samplez-core` takes any generator
//! of this crate, or any other that implements [`rand_core::Rng`].
//!
//! # Example
//!
//! ```
//! use rand_core::Rng;
//! use samplez_sources::{ChaCha20, Seed};
//!
//! let mut rng = ChaCha20::new(&Seed::from_bytes([7; 32])); // with the feature `os`: Seed::from_os()?
//! let mut bytes = [0; 32];
//! rng.fill_bytes(&mut bytes);
//! assert_ne!(bytes, [0; 32]);
//! ```
//!
//! | you need | use |
//! |---|---|
//! | the default for noise and schemes | [`ChaCha20`] |
//! | noise in bulk, on a processor with AES instructions | [`Aes256Ctr`] |
//! | a generator of SP 800-90A | [`DrbgStream`] over [`CtrDrbgAes256`], [`HashDrbgSha256`] or [`HashDrbgSha512`]; [`Reseeding`] adds entropy |
//! | the operating system's generator for every bit | `Os` (feature `os`) |
//! | entropy of your own, watched by health tests | [`HealthTested`] |
//! | any source by its name | `Source` (feature `std`) |
//! | a generator of the literature that is not cryptographic | `Source::Isaac64` and the three after it (feature `std`) |
//!
//! A request to the operating system can fail, and returns an error. A generator, once seeded, cannot fail. The crate
//! is `no_std` and without an allocator, except for two features. `os` adds the operating system's entropy. `std`
//! adds entropy from files and devices, and the list of all sources by name.
//!
//! # From a seed to a state
//!
//! Part of the stream, like the generators themselves:
//!
//! | generator | what becomes of the seed's 32 bytes | cryptographic |
//! |---|---|---|
//! | [`ChaCha20`], [`ChaCha12`], [`ChaCha8`], [`Salsa20`], [`Salsa12`], [`Salsa8`] | the key; nonce and 64-bit counter 0 | yes |
//! | [`Aes256Ctr`] | the key; the counter block 0 | yes |
//! | [`Aes128Ctr`] | the first 16 bytes are the key, the others are ignored; the counter block 0 | yes |
//! | [`DrbgStream`] over [`CtrDrbgAes256`], [`HashDrbgSha256`], [`HashDrbgSha512`] | the entropy input; nonce of 16 zero bytes, no personalization | yes |
//! | [`Source::Isaac64`] | four words in `randrsl`, then Jenkins' `randinit(TRUE)` | no |
//! | [`Source::Kiss64`] | x, c, y, z | no |
//! | [`Source::GlibcRandom`] | the first 4 bytes go to `srandom`; the others are ignored | no |
//! | [`Source::PosixRand`] | the first 4 bytes go to `srand`; the others are ignored | no |
//!
//! Numbers are little-endian everywhere. A generator of 15 or 31 bits gives all of them to the
//! stream, without gaps.
//!
//! The last four are for comparison with the literature; [`Source::seeded`] makes them. The others, except the bare [`Drbg`], are
//! [`rand_core::SeedableRng`] too: `from_seed` takes the bytes of the seed, and
//! `seed_from_u64` is [`Seed::from_number`].
//!
//! Cryptographic generators implement [`rand_core::CryptoRng`], the others do not.
//! [`CryptoBits`](samplez_core::bits::CryptoBits) requires it.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(feature = "std"), allow(rustdoc::broken_intra_doc_links))] // links to items that features add
#![deny(unsafe_code)]

#[cfg(any(test, feature = "std"))]
extern crate std;

#[cfg_attr(not(feature = "testing"), allow(unreachable_pub))]
mod aes256;
mod aes_ctr;
mod aes_fast;
#[allow(unsafe_code)] // calls of code compiled for instructions that the build has, and of `pthread_atfork`
mod arch;
mod bytes;
mod chacha;
mod chacha_wide;
mod ctr_df;
#[cfg_attr(not(feature = "testing"), allow(unreachable_pub))]
mod ctr_drbg;
mod drbg;
mod file;
mod file_error;
#[cfg(any(test, feature = "std", feature = "testing"))]
#[cfg_attr(not(feature = "testing"), allow(unreachable_pub))]
mod glibc_random;
mod hash_drbg;
mod health;
mod insecure;
#[cfg(any(test, feature = "std", feature = "testing"))]
#[cfg_attr(not(feature = "testing"), allow(unreachable_pub))]
mod isaac64;
mod keystream;
#[cfg(any(test, feature = "std", feature = "testing"))]
#[cfg_attr(not(feature = "testing"), allow(unreachable_pub))]
mod kiss64;
#[cfg(any(feature = "rand_core_06", feature = "rand_core_09"))]
mod older;
mod os;
#[cfg(any(test, feature = "std", feature = "testing"))]
mod packed;
#[cfg(any(test, feature = "std", feature = "testing"))]
#[cfg_attr(not(feature = "testing"), allow(unreachable_pub))]
mod posix_rand;
mod salsa;
mod seed;
mod seedable;
mod self_test;
#[cfg(feature = "std")]
mod source;

pub use aes_ctr::{Aes128Ctr, Aes256Ctr};
#[cfg(feature = "std")]
pub use arch::fork::forks;
pub use chacha::{ChaCha8, ChaCha12, ChaCha20};
pub use ctr_drbg::CtrDrbgAes256;
pub use drbg::{Drbg, DrbgError, DrbgStream, Reseeding, ReseedingError};
#[cfg(feature = "std")]
pub use file::{Device, EntropyFile};
#[cfg(feature = "std")]
pub use file_error::{FileError, FileErrorKind};
pub use hash_drbg::{HashDrbgSha256, HashDrbgSha512};
pub use health::{HealthAlarm, HealthParamError, HealthTest, HealthTested, HealthTestedError, HealthTests};
#[cfg(feature = "std")]
pub use insecure::{Insecure, InsecureSeed, insecure_time_seed};
#[cfg(any(feature = "rand_core_06", feature = "rand_core_09"))]
pub use older::OlderError;
#[cfg(feature = "rand_core_06")]
pub use older::RandCore06;
#[cfg(feature = "rand_core_09")]
pub use older::RandCore09;
#[cfg(feature = "os")]
pub use os::{EntropyError, Os, SystemError};
pub use salsa::{Salsa8, Salsa12, Salsa20};
pub use seed::{ParseSeedError, Seed};
pub use self_test::{SelfTestError, self_test};
#[cfg(feature = "std")]
pub use source::{CryptoGenerator, Generator, SeededGenerator, Source, UnknownSource};

// For tests: no part of the public interface.
#[cfg(feature = "testing")]
pub use aes256::{Aes256, Aes256Soft, Cipher};
#[cfg(feature = "testing")]
pub use ctr_drbg::{CtrDrbg, CtrDrbgAes256Soft};
#[cfg(feature = "testing")]
pub use drbg::Mechanism;
#[cfg(feature = "testing")]
pub use glibc_random::GlibcRandom;
#[cfg(feature = "testing")]
pub use hash_drbg::{Hash, HashDrbg, Sha256, Sha512};
#[cfg(feature = "testing")]
pub use isaac64::Isaac64;
#[cfg(feature = "testing")]
pub use kiss64::Kiss64;
#[cfg(feature = "testing")]
pub use posix_rand::PosixRand;

/// The examples of README.md run too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
