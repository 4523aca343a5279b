//! Certified tables for discrete Gaussian samplers: interval arithmetic, table building, bounds.
//!
//! - [`Law`] evaluates D_{Z,σ,c} from its exact parameters: probabilities and their logarithms, quantiles, moments, entropy.
//! - [`TargetLaw`] evaluates other targets: the rounded normal, laws that are cut to a range, laws modulo q.
//! - [`build_cdt`] makes the inversion table of a [`Cdt`](samplez_core::samplers::Cdt) sampler
//!   at any precision up to 256 bits, and attaches its [`Bound`](samplez_core::Bound).
//! - [`build_plain`] makes tables in the forms in which schemes publish theirs. [`audit`] bounds the distance of any
//!   such table from the law aimed at.
//! - [`certify()`] computes that bound from the integers of any such table.
//!
//! Everything that a promise rests on is computed in fixed-point interval arithmetic over
//! 64-bit limbs; the same parameters give the same table on every machine.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "progress")]
extern crate std;

mod bernoulli;
mod cdt;
mod certify;
mod convolution;
mod density;
mod error;
mod fixed;
mod guided;
mod heights;
mod knuth_yao;
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
pub use law::{Law, Moments, TargetError, TargetLaw};
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
