//! Samplers of the discrete Gaussian over the integers, D_{Z,σ,c}, without `std`, an allocator or floating point.
//!
//! Use this crate on a microcontroller, over a static table, or to write code that works with any sampler. Most programs
//! need only the crate `samplez`, which re-exports it, chooses a sampler and fills arrays in parallel.
//!
//! # Example
//!
//! ```
//! use samplez_core::{DiscreteGaussian, Sampler, bits::BitReader, samplers::Karney};
//! use samplez_sources::{ChaCha20, Seed};
//!
//! let law = DiscreteGaussian::with_sigma("16/5".parse()?)?;
//! let sampler = Karney::new(&law)?;
//! let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([7; 32])));
//! let x = sampler.sample(&mut bits);
//! assert!(x.abs() < 60);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//!
//! | you need | use |
//! |---|---|
//! | exact parameters | [`DiscreteGaussian`], [`Width`], [`Rational`]; [`FixedPoint`] for the centre of a call |
//! | a sampler | [`samplers`]; [`CdtTable::from_slice`](table::CdtTable::from_slice) for a table in a `static` |
//! | code over any sampler | the traits [`Sampler`] and [`Rounder`]; [`Noise`] for a sampler that is chosen at run time |
//! | a sampler's distance from D_{Z,σ,c}, its timing, memory and bits | [`Profile`], [`Bound`] |
//! | bits from your generator | [`BitReader`](bits::BitReader) over any `rand_core::Rng`; the generators are in `samplez-sources` |
//! | tables | views in [`table`]; `samplez-tables` builds them |
//! | other noise: ternary, centred binomial, TUniform | [`finite`] |
//! | coins of probability e^(-x/f), uniform residues, residues of samples | [`ExpCoin`], [`uniform`], [`Modulus`] |
//! | samplers as distributions of the crate `rand` | the feature `rand` |
//! | the machine's vector instructions | [`arch`] |
//!
//! Samples flow in this order: entropy → source → bits → sampler ← table ← distribution ← parameters.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]

#[cfg(any(test, feature = "testing"))]
extern crate std;

/// A method that tests and the laboratory see (feature `testing`), and otherwise this crate alone.
macro_rules! for_tests {
    ($(#[$attribute:meta])* const fn $($rest:tt)*) => {
        #[cfg(feature = "testing")]
        $(#[$attribute])*
        pub const fn $($rest)*
        #[cfg(not(feature = "testing"))]
        $(#[$attribute])*
        pub(crate) const fn $($rest)*
    };
    ($(#[$attribute:meta])* fn $($rest:tt)*) => {
        #[cfg(feature = "testing")]
        $(#[$attribute])*
        pub fn $($rest)*
        #[cfg(not(feature = "testing"))]
        $(#[$attribute])*
        pub(crate) fn $($rest)*
    };
}

#[allow(unsafe_code)] // calls of code compiled for instructions that were detected
pub mod arch;
pub mod bits;
mod coins;
#[cfg(feature = "rand")]
mod distribution;
pub mod finite;
#[cfg(test)]
mod fixtures;
mod noise;
mod params;
mod product;
mod profile;
mod residues;
mod sampler;
pub mod samplers;
pub mod table;
#[cfg(feature = "testing")]
pub mod testing;
pub mod uniform;

pub use coins::ExpCoin;
#[cfg(feature = "rand")]
pub use distribution::{FillIter, RandDistribution, SupportError};
pub use noise::Noise;
pub use params::{DiscreteGaussian, FixedPoint, NoiseLaw, ParamError, ParseRationalError, Rational, Width};
pub use profile::{Bound, Exactness, Profile, Timing};
pub use residues::Modulus;
pub use sampler::{Int, RangeError, Rounder, Sampler, Slots};

/// The examples of README.md run too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
