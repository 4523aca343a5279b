//! Discrete Gaussian sampling over the integers, D_{Z,σ,c} ("SampleZ"): P(X = x) ∝ exp(-(x-c)²/(2σ²)).
//!
//! To fill arrays from a seed on all cores, build a [`Recipe`] and call [`Bulk::par_fill`]. To draw from your own
//! generator, wrap it in a [`Stream`] and call [`Stream::fill`]. For a static table without `std` or an allocator, print
//! it with `samplez table --emit rust` and draw with `samplez-core`. For a centre and a width with each call, pass both to
//! [`Stream::sample_each`].
//!
//! # Example
//!
//! ```
//! use samplez::{Bulk, DiscreteGaussian, Recipe, Seed, Sigmas, Source, Stream};
//! use std::num::NonZeroUsize;
//!
//! let law = DiscreteGaussian::with_sigma("3.2".parse()?)?; // 3.2 is 16/5, exactly
//! let built = Recipe::new(law).build()?; // by the method that the planner chooses
//! println!("{}: {}\n{}", built.recipe(), built.reason(), built.certificate());
//!
//! // Bulk: the same seed gives the same integers, on one thread or on many.
//! let bulk = Bulk::new(built.sampler(), Source::ChaCha20, Seed::from_os()?);
//! let mut noise = vec![0_i8; 1_000_000];
//! bulk.par_fill(0, &mut noise, NonZeroUsize::new(2).unwrap())?;
//!
//! // Your own generator: any `rand_core::TryRng`.
//! let mut stream = Stream::new(Source::ChaCha20.open(&Seed::from_os()?)?);
//! stream.fill(built.sampler(), &mut noise[..1024])?;
//!
//! // A centre with each call.
//! let mut out = [0; 2];
//! stream.sample_each(Sigmas::One("3.2".parse()?), &[0.25, -7.5], &mut out)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//!
//! | you need | use |
//! |---|---|
//! | arrays whose samples have addresses, progress, parts in order | [`Bulk`]: [`fill`](Bulk::fill), [`par_fill`](Bulk::par_fill), [`blocks`](Bulk::blocks) |
//! | one stream from any generator, also one that may fail | [`Stream`]; adapters for `rand_core` 0.6 and 0.9, `RandCore06` and `RandCore09` (features `rand_core_06`, `rand_core_09`) |
//! | a choice of method, limits of memory or time, exactness, constant time | [`Recipe`] and [`Options`]: `"sigma=3.2,constant_time=true".parse::<Recipe>()` |
//! | the distance from D_{Z,σ,c}, timing, memory, bits | [`Certificate`], and [`Profile`] for programs |
//! | a centre with each call | [`Stream::sample_each`] for arrays, [`Rounding`] for single calls |
//! | one sampler by its name, one sample at a time | `samplez_core::samplers`, with the traits [`Sampler`] and [`Rounder`] |
//! | probabilities, tails, quantiles | [`Law`] |
//! | tables: building, auditing, printing | the crate `samplez-tables`; [`table_sampler`] for a sampler over your own |
//! | σ or c beyond 64 bits | `BigGaussian` (feature `big`, on by default) |
//! | ternary secrets, centred binomials, TUniform | [`Ternary`], [`SparseTernary`], [`CenteredBinomial`], [`TUniform`] |
//! | Skellam and discrete Laplace noise | `"skellam=5/2".parse::<Recipe>()` ([all laws](Recipe#impl-FromStr-for-Recipe)) |
//! | residues modulo q | [`Modulus`] |
//! | samplers as distributions of the crate `rand` | `RandDistribution` (feature `rand`) |
//! | BLISS, LP11 and Regev, for research and teaching | the crate `samplez-schemes`; `schemes` for their noise (feature `schemes`) |
//! | vectors of lattices, trapdoors | the crate `samplez-lattice` |
//!
//! Every sampler is exact, or certified to be within a bound of D_{Z,σ,c}. Its [`Profile`] declares which.
//!
//! One sample at a time goes through the traits:
//!
//! ```
//! use samplez::{BitReader, DiscreteGaussian, Sampler, Seed};
//! use samplez_core::samplers::Karney;
//! use samplez_sources::ChaCha20;
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
#[doc(hidden)]
pub mod bindings;
mod bulk;
mod certificate;
mod each;
mod exact;
mod export;
mod kept;
mod laplace;
mod law;
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
mod samples;
#[cfg(feature = "schemes")]
pub mod schemes;
mod skellam;
mod stream;
mod sum_text;
mod table_errors;
mod table_sampler;
mod timing;
mod words;

#[cfg(feature = "big")]
pub use big::{BigGaussian, Folding};
pub use bulk::{Bulk, FillError};
pub use certificate::Certificate;
pub use method::Method;
pub use narrow::NarrowType;
pub use options::Options;
pub use plan::{NoMethod, Plan, Refusal};
pub use recipe::{Built, Recipe};
pub use refused::{Refused, RefusedKind};
pub use rounding::{RoundCenter, RoundError, RoundMethod, Rounding, Sigmas};
pub use samples::Samples;
pub use stream::{Stream, StreamError};

pub use rand_core;
pub use samplez_core::bits::{BitReader, BitSource, CryptoBits, Failure, Fault};
pub use samplez_core::finite::{CenteredBinomial, SparseTernary, TUniform, Ternary};
pub use samplez_core::{
    Bound, DiscreteGaussian, Exactness, ExpCoin, FixedPoint, Int, Modulus, Noise, NoiseLaw, ParamError,
    ParseRationalError,
};
#[cfg(feature = "rand")]
pub use samplez_core::{FillIter, RandDistribution};
pub use samplez_core::{Profile, RangeError, Rational, Rounder, Sampler, Timing, Width};
#[cfg(feature = "rand_core_06")]
pub use samplez_sources::RandCore06;
#[cfg(feature = "rand_core_09")]
pub use samplez_sources::RandCore09;
pub use samplez_sources::{EntropyError, Seed, Source};
pub use samplez_tables::Law;
pub use table_sampler::table_sampler;

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
    #[cfg(feature = "schemes")]
    #[doc = concat!("```\n", include_str!("../examples/own_scheme.rs"), "```")]
    struct OwnScheme;
    #[cfg(feature = "schemes")]
    #[doc = concat!("```\n", include_str!("../examples/ntru_keys.rs"), "```")]
    struct NtruKeys;
    #[doc = include_str!("../../../docs/book/tutorial-fhe.md")]
    struct Fhe;
}
