//! Statistical tests of integers that claim to be draws from D_{Z,σ,c}.
//!
//! Push your samples into a [`Verifier`], and read its [`Report`]: it rejects draws from another law, and draws that
//! depend on each other.
//!
//! # Example
//!
//! ```
//! use samplez_stats::Verifier;
//! use samplez_core::{DiscreteGaussian, Sampler, bits::BitReader};
//! use samplez_core::samplers::Karney;
//! use samplez_sources::{ChaCha20, Seed};
//! let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
//! let mut samples = vec![0_i32; 100_000];
//! let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
//! Karney::new(&law)?.fill(&mut bits, &mut samples)?;
//!
//! let mut verifier = Verifier::new(&law)?;
//! verifier.push(&samples);
//! assert!(verifier.finish()?.consistent);
//!
//! let mut other = Verifier::new(&DiscreteGaussian::with_sigma("3.3".parse()?)?)?;
//! other.push(&samples);
//! assert!(!other.finish()?.consistent);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | you need | use |
//! |---|---|
//! | a verdict on one stream of values | [`Verifier::push`], then [`Verifier::finish`] |
//! | several threads; streams that are judged together | [`Verifier::with_threads`], [`Verifier::merge`] |
//! | another law: a rounded normal, a law that is cut to a range or reduced modulo q | a [`TargetLaw`](samplez_tables::TargetLaw) in place of D_{Z,σ,c} |
//! | a stream that never ends: a verdict whenever you look, for a whole lifetime | [`Watch`] |
//! | the law of a sample, with its parameters | [`Identifier`] |
//! | two samples of one unknown law | [`Comparer`], see [below](#two-samples) |
//! | the deviations that would have been detected | [`Report::power`] |
//! | statistics of your own, judged together | [`Judge`] |
//!
//! Values may come in chunks of any size, and any number of them takes constant memory.
//!
//! # The families
//!
//! Each row is a family of tests with one verdict: its least p-value times the number of its tests (Bonferroni).
//!
//! | family | tests |
//! |---|---|
//! | chi-squared, G | Pearson's and the likelihood ratio (Williams-corrected) of the counts in intervals, merged until each expects 25 |
//! | sign | share of values above c among those that are not c |
//! | parity, low 4 bits | share of odd values; Pearson's for the residues mod 16 |
//! | P(X = 0) | share of zeros; of the integer nearest to c where 0 is more than σ away |
//! | mean … fourth moment | power sums about the exact mean, against the exact moments |
//! | range | the least and the largest value: too far out, or not far enough |
//! | x, \|x\|, x² at lags | sums of products of values that are 1 … 64, 128, 256 … 65536 places apart; \|x\| is about the mean |
//! | equal at lags | how many values are equal to the one so many places before |
//! | runs | how many runs there are of values on one side of the centre |
//! | stuck | the greatest number of values, in 64, that are equal to the one before |
//! | orderings of x, of \|x\| | Pearson's for the 75 orders, equality included, of four values 1 … 256 places apart |
//! | places of x, of \|x\| | means at all places modulo 2 … 65536: the sum of their squares, and the farthest of all |
//! | sums of 4096 | of x, \|x\| and x² over windows: the sum of their squares, and the farthest of all |
//! | Walsh, Fourier | the greatest and the least energy of coefficients of x and \|x\| in blocks of 1024 and 4096 |
//! | repeats | whether a sequence of values comes again, or one of \|x\|, forwards or backwards, whatever the distance; how many short ones do |
//! | too close | the lower tail of the χ² of counts in intervals: values dealt without replacement |
//! | birthdays | how many values equal one before, of a law with so many values that few should: values made from few points |
//! | trend and waves | sums of at most 4096 blocks of x and \|x\|: against a straight line, and the greatest energy of a wave |
//! | all lags | the farthest of the autocorrelations of x, \|x\|, x² and of a fixed sign for each value, at all lags of long windows |
//! | periods | the greatest energy of x and \|x\| at the harmonics of a period from 3 to 4096, and of one wave, in long windows |
//! | longest run | the run that is longest for its value |
//! | repeats at strides | whether a sequence comes again of which only each s-th value counts, s = 2 … 64 |
//! | digits at places | Pearson's for homogeneity of the places modulo 2 … 16, of the last six bits |
//! | sums of digits | Pearson's for sums of 2, 4 … 32 values modulo 16, against the convolution of the values' own digits |
//! | parities | how many sums modulo 2 are odd: of one of the last two bits, or their sum, of two or three values, or of the last bits of four |
//! | halves | Pearson's for homogeneity of the two halves, on either side |
//!
//! All expectations are the discrete law's own, never those of the continuous Gaussian. A sum is compared to a normal
//! variable after a correction for its skewness. A χ² statistic is compared to its asymptotic law, and a sum of squares
//! to the multiple of χ² with the same mean and variance. `range`, `stuck`, `birthdays` and `repeats` are bounds that hold
//! for every n. A test that would be wrong at this number of values is not applicable, and reports what it needs.
//!
//! The tests of order see cells of values, at most 1024 for the law's range: each integer up to σ of about 54. Some
//! look at all values: `x` at lags up to 16, equality at lag 1, `runs`, `stuck`, `places`, `sums`, `repeats`, `trend
//! and waves` and `longest run`. The others look at a subsample of windows of 4096 values. It has the first 32 windows,
//! and one in 32 of the others, by a hash of its number. Long windows have 2^18 values. The tests include the
//! first two, and one of each 16 that follow. A shorter stream is one window. After the first 2^24 values, a long window has
//! 2^20, and the tests include one of each 32. They report the windows of one length: the length that covers more values.
//!
//! A report is meant to be the same to the last bit on every machine: the only inexact functions used are those of
//! `libm`. Tests compare x86-64 with WebAssembly.
//!
//! # Two samples
//!
//! A [`Comparer`] judges two samples of one unknown law. Take the number of times that each value came in both
//! together. Given these, every way to deal the values out to the two is equally likely, and the tests are of this
//! deal:
//!
//! | family | tests |
//! |---|---|
//! | chi-squared, low 4 bits | Pearson's for homogeneity, of counts in intervals and of residues mod 16, merged until the smaller sample expects 25 |
//! | Kolmogorov-Smirnov | the greatest distance of the two distribution functions; an upper bound for discrete laws |
//! | mean … fourth moment | sums over one sample of powers about the mean of all, against draws without replacement |
//! | range | how many values of one lie beyond all of the other: a bound for every n |
//! | too close | the lower tail of the χ² for homogeneity |
//! | in both | sequences that come in both, in order or by their magnitudes in either direction; the same counts throughout |
//! | equal places | x, \|x\|, signs and equality at the same place of both, and up to 16 places apart, of the first 2^20 values |
//!
//! The families of order, of each sample by itself, come beside them, with the shares of its own cells in place of the
//! law's masses. These shares change a statistic's mean and cumulants. Where that is not on the safe side, it is
//! corrected. The means at places and of windows lose one degree of freedom, the number of equal pairs all that is
//! linear.
//!
//! # Error of the first kind
//!
//! The verdict rejects where Holm's correction over the applicable families gives a p-value below [`ALPHA`]. So ideal
//! values are rejected with probability about 1e-6, for any dependence between the tests. It is "about", since p-values
//! that far out rest on approximations. Pearson's are the worst of them. With three cells, two of which expect 25
//! values, it exceeds its nominal 4e-8 by a factor of 18. With 40 cells the factor is 1.1 (from exact Poisson tails).
//! So a law on a handful of values is rejected with probability up to some 2.5e-6.
//!
//! Sums have the mean, the variance and the third cumulant that the law gives them, exactly. For products of values so
//! many places apart the third cumulants add up, because products that share a value are uncorrelated. For pairs of
//! equal values the cumulants of chains are added, which a test compares with all short sequences. The fourth cumulant
//! of a sum decides whether a test applies. If it would change the p-value at the family's level by a factor above 2 or
//! so, the row reports how many values it needs.
//!
//! The families of slow and far faults take the greatest of many statistics, times their number. Normal approximations are worse
//! that far out, so these families require five times as many values. Their third cumulants are 0, or known. A wave, a trend
//! and a lag about the window's own mean do not depend on the law's mean. Counts lie on a lattice. For a statistic that is too
//! small, `too close` and `halves` add half the diagonal of its cells, which makes these tails bounds. The upper tail of `halves` is
//! Pearson's, asymptotic. All energies of a window grow with the sum of its squares. The χ² variable of a period allows for this:
//! it has fewer degrees of freedom where values are rare.

#![forbid(unsafe_code)]

mod beside;
mod birthdays;
mod cells;
mod coding;
mod comparer;
mod comparison;
mod dependence;
mod digits;
mod family;
mod far;
mod gamma;
mod group;
mod halves;
mod histogram;
mod identify;
mod judge;
mod order;
mod pvalue;
mod report;
mod summary;
mod sums;
mod tally;
mod target;
mod threads;
mod verifier;
mod watch;

pub use comparer::Comparer;
pub use identify::{Candidate, Estimate, Identification, Identifier};
pub use judge::{Judge, Sum};
pub use report::{Comparison, Power, Report, Test, Verdict, VerifyError};
pub use verifier::Verifier;
pub use watch::{Evidence, Watch, WatchError};

/// The probability with which ideal values are rejected, over the whole family of tests.
pub const ALPHA: f64 = 1e-6;

/// Every cell of a χ² test, and each side of a yes-or-no count, expects at least this many values.
pub(crate) const MIN_EXPECTATION: f64 = 25.0;

/// The most shares of [`Verifier::with_share`] that have tests: the first, and one for each test of order that can be elsewhere.
pub const MAX_SHARES: usize = 8;

/// The least number of values for a verdict.
pub const MIN_SAMPLES: u64 = 100;

/// The χ² test has at most this many intervals, besides the two tails.
const MAX_BINS: u64 = 4096;

/// A range of at most this many integers is counted value by value.
const MAX_DIRECT: u64 = 1 << 18;

/// Values that are handled at once.
const BLOCK: usize = 1024;

/// x^k by multiplication alone: `powi` need not be the same on every machine.
fn power(x: f64, k: usize) -> f64 {
    (0..k).fold(1.0, |product, _| product * x)
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
