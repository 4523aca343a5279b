//! Exact decisions of trials by [`FilteredIsochronous`] and [`StripRounder`](samplez_core::samplers::StripRounder).
//!
//! Proofs: docs/proofs/isochronous.md, docs/proofs/strip-rounder.md.

mod double;

use crate::density::Exponent;
use crate::fixed::{Constant, Interval, Natural, add, exp_neg, sub};
use alloc::vec::Vec;
use core::cmp::Ordering;
use double::Double;
use samplez_core::bits::BitSource;
use samplez_core::samplers::{CloseTrial, FilteredIsochronous, Refine};
use samplez_core::{DiscreteGaussian, ParamError, Rational};

/// Compares uniform numbers with 2^-L·S·exp(-(x - c)²/2σ²) exactly.
///
/// σ has any of its forms and the centre is rational, or σ is
/// rational and the centre is a double.
///
/// The number's bits are drawn by 64 until the numbers that begin with them lie all on one side. The probability is
/// computed by interval arithmetic with 256, 512 and 16,384 bits, as many as the comparison needs. One that needs more, which
/// has a probability below 2^-16000, [condemns](BitSource::condemn) the source.
///
/// The comparison runs in variable time, and leaves its numbers on the stack.
#[derive(Clone, Copy, Debug)]
pub struct ExactHeights {
    of: Of,
}

#[derive(Clone, Copy, Debug)]
enum Of {
    Law(Exponent),
    Double(Double),
}

impl ExactHeights {
    /// Comparisons for this law.
    pub fn new(law: &DiscreteGaussian) -> Self {
        ExactHeights { of: Of::Law(Exponent::new(law)) }
    }

    /// Comparisons for this σ and the exact value of this double as the centre. Returns `None` unless σ > 0 and |c| < 2^62.
    ///
    /// ```
    /// use samplez_tables::ExactHeights;
    /// let sigma = "3.2".parse()?;
    /// assert!(ExactHeights::with_f64_center(sigma, -1e-300).is_some());
    /// assert!(ExactHeights::with_f64_center(sigma, f64::NAN).is_none());
    /// # Ok::<(), samplez_core::ParseRationalError>(())
    /// ```
    pub fn with_f64_center(sigma: Rational, center: f64) -> Option<Self> {
        Some(ExactHeights { of: Of::Double(Double::new(sigma, center)?) })
    }

    /// (x - c)²/2σ².
    fn exponent<const N: usize>(&self, x: i64) -> Option<Interval<N>> {
        match &self.of {
            Of::Law(exponent) => {
                let (side, distance) = exponent.locate(x);
                Some(exponent.at_mode()?.add(&exponent.gap(side, 0, distance.into())?))
            }
            Of::Double(double) => double.exponent(x),
        }
    }

    /// Compares the uniform number that begins with the prefix and these words with the probability, by intervals of 5, 9 or 257 words.
    /// Returns `Equal` if further bits of the number decide, and `None` if further digits of the probability do.
    #[cold]
    fn compare_by(&self, limbs: usize, trial: &CloseTrial, words: &[u64]) -> Option<Ordering> {
        match limbs {
            5 => self.compare::<5>(trial, words),
            9 => self.compare::<9>(trial, words),
            _ => self.compare::<257>(trial, words),
        }
    }

    fn compare<const N: usize>(&self, trial: &CloseTrial, words: &[u64]) -> Option<Ordering> {
        let [low, high] = ends::<N>(trial.prefix, trial.places, words)?;
        let mut exponent = self.exponent::<N>(trial.value)?;
        if trial.lift > 0 {
            let lift = Natural::new(trial.lift.into()).over::<N>(&[1 << 55])?;
            exponent = exponent.add(&lift.mul(&Constant::LN_2.to()));
        }
        let mut height = exp_neg::<N>(&exponent).times(trial.height);
        height.shift += 32;
        let height: Interval<N> = height.fixed();
        let height_end = height.hi()?;
        let reaches = |a: &[u64; N], b: &[u64; N]| sub(a, b).is_some();
        if reaches(&height.lo, &high) {
            Some(Ordering::Less)
        } else if reaches(&low, &height_end) {
            Some(Ordering::Greater)
        } else if reaches(&height.lo, &low) && reaches(&high, &height_end) {
            Some(Ordering::Equal)
        } else {
            None
        }
    }
}

impl Refine for ExactHeights {
    fn accepts<B: BitSource + ?Sized>(&self, trial: &CloseTrial, bits: &mut B) -> bool {
        let mut words = Vec::new();
        for limbs in [5, 9, 257] {
            while let Some(order) = self.compare_by(limbs, trial, &words) {
                if order != Ordering::Equal {
                    return order == Ordering::Less;
                }
                words.push(bits.bits(64));
            }
        }
        bits.condemn();
        false
    }
}

/// The least and the greatest number below 1 that begin with this prefix of `places` bits and these words, the latter an upper
/// end. `None` if they leave fewer than 64 bits of the fraction.
pub(crate) fn ends<const N: usize>(prefix: u64, places: u32, words: &[u64]) -> Option<[[u64; N]; 2]> {
    let unit = (64 * (N - 2)).checked_sub(places as usize + 64 * words.len())?;
    let (mut low, mut step) = ([0; N], [0; N]);
    let mut rest = prefix;
    // Of more than 64 bits the first are zeros.
    let zeros = places.saturating_sub(1) / 64;
    let places = places - 64 * zeros;
    for (limb, word) in low[..N - 1].iter_mut().rev().skip(zeros as usize).zip(words.iter().chain([&0])) {
        // `places` bits, and the others from the next word.
        *limb = rest << (64 - places) | word.checked_shr(places).unwrap_or(0);
        rest = *word;
    }
    step[1 + unit / 64] = 1 << (unit % 64);
    Some([low, add(&low, &step)])
}

/// Builds the isochronous sampler of a law with exact trials: its law is D_{Z,σ,c} conditioned on the profile's support.
///
/// # Errors
///
/// As [`Isochronous::new`](samplez_core::samplers::Isochronous::new).
///
/// ```
/// use samplez_core::bits::BitReader;
/// use samplez_core::{DiscreteGaussian, Sampler, Width};
/// use samplez_sources::{ChaCha20, Seed};
/// use samplez_tables::build_isochronous;
/// let law = DiscreteGaussian::new("1/3".parse()?, Width::S("8.35".parse()?))?;
/// let sampler = build_isochronous(&law)?;
/// let mut out = [0_i8; 1000];
/// sampler.fill(&mut BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32]))), &mut out)?;
/// assert!(out.iter().all(|x| sampler.profile().support.contains(&(*x).into())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build_isochronous(law: &DiscreteGaussian) -> Result<FilteredIsochronous<ExactHeights>, ParamError> {
    FilteredIsochronous::new(law, ExactHeights::new(law))
}

#[cfg(test)]
mod tests;
