//! Discrete Gaussian sampling over the integers, D_{Z,σ,c}: the core.
//!
//! This crate is `no_std`, needs no allocator and uses no floating point in any sampler.
//! Its root has
//!
//! - the exact parameters ([`DiscreteGaussian`], [`Width`], [`Rational`]);
//! - the declarations of a sampler about itself ([`Profile`]);
//! - the traits of samplers ([`Sampler`], [`Rounder`]);
//! - the interface for code built on a sampler ([`Noise`]).
//!
//! The modules have the bit layer ([`bits`]), the views of tables ([`table`]), the samplers ([`samplers`]) and the
//! machine's instructions ([`arch`]). With the feature `rand` samplers are distributions of that crate. Generators are
//! in `samplez-sources`, or are your own: any that implements `rand_core::Rng`. Tables are built by `samplez-tables`.
//! Most users need only the `samplez` crate, which re-exports all of this, chooses a sampler and fills arrays in
//! parallel.
//!
//! One sentence holds the plan: parameters → distribution → table → sampler ← bits ←
//! source ← entropy.
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
