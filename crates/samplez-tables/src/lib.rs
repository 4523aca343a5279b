//! Tables for discrete Gaussian samplers, with certified bounds of their distance from D_{Z,σ,c}.
//!
//! Build the table of a law, read its bound, and give it to a sampler of `samplez-core`. Or bound the distance of any
//! published table from the law that it aims at.
//!
//! # Example
//!
//! ```
//! use samplez_core::{DiscreteGaussian, table::Table};
//! use samplez_tables::{CdtOptions, PlainTable, Whole, audit, build_cdt};
//!
//! let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
//! let table = build_cdt(&law, &CdtOptions { precision: 128, ..CdtOptions::default() })?;
//! assert!(table.bound().log2_sd < -123.0);
//!
//! // FrodoKEM-1344's table, against D_{Z,1.4}.
//! let entries = [18286, 14320, 6876, 2023, 364, 40, 2_u128].map(Whole::from).to_vec();
//! let frodo = PlainTable::new(&DiscreteGaussian::with_sigma("1.4".parse()?)?, &"frodo".parse()?, entries)?;
//! println!("{:?}", audit(&frodo).bound);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//!
//! | you need | use |
//! |---|---|
//! | a table for a sampler, with its [`Bound`](samplez_core::Bound) | [`build_cdt`], [`build_guided`], [`build_lazy`], [`build_pooled`], [`build_knuth_yao`], [`build_rejection`], [`build_ziggurat`], [`build_bernoulli`], [`build_convolution`] |
//! | the bound of a table from its integers alone | [`certify()`] and the other `certify_…` functions |
//! | a table in the form in which a scheme publishes it, and its audit | [`build_plain`], [`PlainTable`], [`audit`], [`audit_against`] |
//! | a table as Rust, C or CSV | [`emit`] |
//! | a table as a circuit, for masking, hardware or multi-party computation | [`circuit`] |
//! | probabilities, logarithms, quantiles, moments, entropy of D_{Z,σ,c} | [`Law`] |
//! | a rounded normal, a sum of laws, a law that is cut to a range or reduced modulo q | [`TargetLaw`] |
//! | exact samples from a table, of a Skellam or a discrete Laplace law | [`Remainder`], [`build_skellam`], [`build_laplace`] |
//!
//! Interval arithmetic over 64-bit limbs computes every bound, so the same parameters give the same table on every
//! machine. The crate is `no_std` with an allocator.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "progress")]
extern crate std;

mod bernoulli;
mod cdt;
mod certify;
pub mod circuit;
mod convolution;
mod density;
mod error;
mod fixed;
mod guided;
mod heights;
mod knuth_yao;
mod laplace;
mod law;
mod lazy;
mod limbs;
mod near;
mod normal;
mod plain;
mod pooled;
mod progress;
mod rejection;
mod remainder;
mod skellam;
mod wide;
mod ziggurat;

pub use bernoulli::{BernoulliOptions, build_bernoulli, certify_bernoulli};
pub use cdt::{CdtOptions, Rounding, build_cdt};
pub use certify::certify;
pub use convolution::{ConvolutionOptions, build_convolution, certify_convolution};
pub use error::BuildError;
pub use guided::{CdtGuidedOptions, build_guided, guide};
pub use heights::{ExactHeights, build_isochronous};
pub use knuth_yao::{KnuthYaoOptions, build_knuth_yao};
pub use laplace::{LaplaceDigits, build_laplace};
pub use law::{Law, Moments, TargetError, TargetLaw, Term, sigma};
pub use lazy::{build_lazy, parts};
pub use near::NearExponent;
pub use plain::{
    Audit, Entries, EntryRounding, Language, Line, ParseFormError, ParseWholeError, PlainError, PlainTable, Rest,
    TableForm, Uncovered, Whole, WrongEntry, audit, audit_against, build_plain, emit,
};
pub use pooled::build_pooled;
#[cfg(feature = "progress")]
pub use progress::watch;
pub use rejection::{RejectionOptions, build_rejection, certify_rejection};
pub use remainder::Remainder;
pub use skellam::{SkellamRemainder, build_skellam};
pub use wide::{Fraction, WideExponent, WidthForm, build_wide};
pub use ziggurat::{ZigguratOptions, build_ziggurat, certify_ziggurat};

/// The examples of README.md run too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
