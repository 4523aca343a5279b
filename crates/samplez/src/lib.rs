//! Discrete Gaussian sampling over the integers, D_{Z,σ,c} ("SampleZ").
//!
//! P(X = x) is proportional to exp(-(x-c)²/(2σ²)). Each sampler's law is exact or certified: every sampler declares it
//! in its [`Profile`]. A bulk array of samples is a function of (sampler, seed, position): the same integers on one
//! thread or on many.
//!
//! - Bulk: [`Bulk::fill`] and [`Bulk::par_fill`], as below.
//! - Your own generator, constant-time noise: [`Stream::new(rng)`](Stream::new) of any [`rand_core::TryRng`], then [`fill`](Stream::fill). With
//!   the features `rand_core_06` and `rand_core_09` there are adapters in [`sources`].
//! - A static table in your program, without `std` or an allocator: `samplez table --emit rust`, over `samplez-core`.
//! - A centre and a width with each call: [`Stream::sample_each`] and [`Rounding`].
//!
//! Ternary secrets, centred binomials, TUniform: [`finite`], through the same streams and arrays. Skellam noise: [`skellam()`].
//!
//! # Example
//!
//! ```
//! use samplez::{Bulk, DiscreteGaussian, Recipe, Seed, Source};
//! use std::num::NonZeroUsize;
//!
//! let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
//! let built = Recipe::new(law).build()?; // by the method that the planner chooses
//! println!("{}: {}\n{}", built.method(), built.reason(), built.certificate());
//!
//! let bulk = Bulk::new(built.sampler(), Source::ChaCha20, Seed::from_os()?);
//! let mut noise = vec![0_i8; 1_000_000];
//! bulk.par_fill(0, &mut noise, NonZeroUsize::new(2).unwrap())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! One sample at a time goes through the traits:
//!
//! ```
//! use samplez::{BitReader, DiscreteGaussian, Sampler, Seed, samplers::Karney, sources::ChaCha20};
//! let sampler = Karney::new(&DiscreteGaussian::with_sigma("16/5".parse()?)?)?;
//! let mut bits = BitReader::new(ChaCha20::new(&Seed::from_os()?));
//! let x: i64 = sampler.sample(&mut bits);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(all(feature = "all-methods", feature = "big")), allow(dead_code))] // helpers of disabled features

#[cfg(feature = "big")]
mod big;
pub mod bindings;
mod bulk;
mod certificate;
mod each;
mod exact;
mod export;
mod measured;
mod method;
mod narrow;
mod octaves;
mod options;
mod order;
mod plan;
mod recipe;
mod recipe_text;
mod refused;
mod rounding;
#[cfg(feature = "schemes")]
pub mod schemes;
mod skellam;
mod stream;
mod table_errors;
mod table_sampler;

#[cfg(feature = "big")]
pub use big::BigGaussian;
pub use bulk::{Bulk, FillError};
pub use certificate::Certificate;
pub use method::Method;
pub use narrow::NarrowType;
pub use options::Options;
pub use plan::{Plan, Refusal};
pub use recipe::{Built, Recipe};
pub use refused::Refused;
pub use rounding::{RoundCenter, RoundError, RoundMethod, Rounding, Sigmas};
pub use skellam::skellam;
pub use stream::{Stream, StreamError};

pub use rand_core;
pub use samplez_core::bits::{BitReader, BitSource, CryptoBits, Failure, Fault};
pub use samplez_core::{
    Bound, DiscreteGaussian, Exactness, ExpCoin, FixedPoint, Int, Modulus, Noise, NoiseLaw, ParamError,
    ParseRationalError,
};
#[cfg(feature = "rand")]
pub use samplez_core::{FillIter, RandDistribution};
pub use samplez_core::{Profile, RangeError, Rational, Rounder, Sampler, Timing, Width, finite, samplers, uniform};
#[doc(inline)]
pub use samplez_sources as sources;
pub use samplez_sources::{EntropyError, Seed, Source};
pub use samplez_tables::Law;

/// Tables of probabilities: views, builders, certificates, audits and text.
pub mod tables {
    pub use crate::table_sampler::table_sampler;
    #[doc(inline)]
    pub use samplez_core::table::*;
    #[doc(inline)]
    pub use samplez_tables::*;
}

/// The documents' Rust examples run too.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../../../README.md")]
    struct Project;
    #[doc = include_str!("../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/book/rust.md")]
    struct Rust;
    #[doc = include_str!("../../../docs/book/names.md")]
    struct Names;
    #[doc = include_str!("../../../docs/book/constant-time.md")]
    struct ConstantTime;
    #[cfg(feature = "schemes")]
    #[doc = include_str!("../../../docs/book/schemes.md")]
    struct Schemes;
    #[cfg(feature = "schemes")]
    #[doc = include_str!("../../../docs/book/tutorial-cryptographer.md")]
    struct Cryptographer;
    #[doc = include_str!("../../../docs/book/tutorial-fhe.md")]
    struct Fhe;
}
