//! Schemes over any sampler and any cryptographic source: BLISS, LP11 and Regev.
//!
//! **For research, teaching and reproducing papers, not for production.** Pass a scheme its noise, a sampler of the right
//! law as [`&dyn Noise`](samplez_core::Noise), and its randomness, any [`CryptoRng`](rand_core::CryptoRng). It refuses a
//! sampler of another law, or whose certificate does not allow the scheme's number of samples. A generator that is not
//! cryptographic does not compile.
//!
//! # Example
//!
//! ```
//! use samplez_core::samplers::DuWei5;
//! use samplez_schemes::bliss::{Profile, Set, Signer, SigningKey, Variant};
//! use samplez_sources::{ChaCha20, Seed};
//!
//! let mut rng = ChaCha20::new(&Seed::from_bytes([7; 32]));
//! let key = SigningKey::generate(Set::IV, Variant::B, &mut rng)?;
//! let noise = DuWei5::new(&Set::IV.demand().law)?;
//! let profile = Profile::Strongswan;
//! let (signature, attempts) = Signer::new(&key, profile, &noise)?.sign(b"a text", &mut rng)?;
//! key.public_key().verify(profile, b"a text", &signature)?;
//! assert!(key.public_key().verify(profile, b"a test", &signature).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | scheme |
//! |---|---|
//! | [`bliss`] | signatures \[DDLL13\], \[Duc14\]: classic and BLISS-B |
//! | [`lp11`] | encryption \[LP11\] over matrices and rings: against chosen plaintexts alone, with decryption failures |
//! | [`regev`] | encryption \[MR09\] of letters, over matrices: against chosen plaintexts alone, with decryption failures |
//! | [`Ring`] | Z_q\[x\]/(x^n + 1) with its transforms, for schemes of your own |
//!
//! `no_std` with an allocator.
//!
//! # Security
//!
//! The parameters are older than today's estimates of sieving. The lattice estimator gives BLISS about 2^104 to 2^112,
//! LP11 with n = 256 about 2^93, and Regev with the published sets about 2^65. Each set has its own estimate:
//! `set.parameters().security`, for Regev `set.security()`. LP11 and Regev withstand chosen plaintexts alone, and their
//! decryption fails now and then.
//!
//! BLISS's plain signer is variable-time. Keys have been recovered in practice from the cache traces of such a signer
//! (Flush, Gauss and Reload, CHES 2016: 450 signatures). [`bliss::IsochronousSigner`] leaves no such traces, but nobody
//! else has examined it. In production use ML-KEM, ML-DSA or FN-DSA.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod bliss;
mod chance;
mod demand;
mod encode;
mod error;
pub mod lp11;
mod modulus;
pub mod regev;
mod ring;
mod series;
mod wipe;

pub use demand::{Demand, Problem};
pub use error::Error;
pub use ring::Ring;

/// The examples of README.md run too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
