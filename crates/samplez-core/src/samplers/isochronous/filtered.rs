//! [`Isochronous`] whose close trials are decided exactly.

use super::refine::Refine;
use super::{BATCH, Isochronous};
use crate::arch::Backend;
use crate::bits::BitSource;
use crate::params::{DiscreteGaussian, ParamError};
use crate::profile::{Bound, Exactness, Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler};

/// [`Isochronous`] with exact trials: a trial that its fixed-point probability leaves undecided goes to a [`Refine`].
///
/// The distribution is D_{Z,σ,c}, conditioned on the profile's support: P(X = x)/P(support), with no other error, if the bits are
/// ideal and `R` is exact. The values outside the support have together a probability below 2^-104.
///
/// The stream is that of [`Isochronous`], except where a trial is close to its probability: there `R` draws as many bits
/// as it needs. This has a probability below 2^-49 for a single sample, and below 2^-35 for a batch of a fill.
///
/// Timing: as [`Isochronous`]. The time of a comparison by `R` may reveal the trial. Over all samples, time and value are
/// independent within 2^-48 a sample.
///
/// ```
/// use samplez_core::bits::{BitReader, BitSource};
/// use samplez_core::samplers::{CloseTrial, FilteredIsochronous, Refine};
/// use samplez_core::{DiscreteGaussian, Sampler};
/// use samplez_sources::{ChaCha20, Seed};
///
/// /// Trusts the fixed-point number, and is not exact. `samplez_tables::ExactHeights` is.
/// struct Estimate;
///
/// impl Refine for Estimate {
///     fn accepts<B: BitSource + ?Sized>(&self, trial: &CloseTrial, bits: &mut B) -> bool {
///         (u128::from(trial.prefix) << 64 | u128::from(bits.bits(64))) < trial.estimate
///     }
/// }
///
/// let law = DiscreteGaussian::with_sigma("16/5".parse()?)?;
/// let sampler = FilteredIsochronous::new(&law, Estimate)?;
/// assert_eq!(sampler.profile().support, -38..=39); // 12σ on each side
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// sampler.fill(&mut bits, &mut [0_i8; 1000])?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FilteredIsochronous<R> {
    trials: Isochronous,
    refine: R,
}

impl<R: Refine> FilteredIsochronous<R> {
    /// The distance from D_{Z,σ,c}, which is due to the values outside the support.
    pub const BOUND: Bound = Bound {
        log2_sd: -104.0,
        log2_renyi: [(2, -104.0), (256, -104.0), (513, -104.0)],
        log2_rinf: -104.0,
        log2_tail: -104.0,
    };

    /// Builds the sampler of this law. `refine` must decide for the same law.
    ///
    /// # Errors
    ///
    /// As [`Isochronous::new`].
    pub fn new(law: &DiscreteGaussian, refine: R) -> Result<Self, ParamError> {
        Ok(FilteredIsochronous { trials: Isochronous::new(law)?, refine })
    }

    /// [`Sampler::fill`] by this backend. A backend that is not available is the portable one.
    ///
    /// # Errors
    ///
    /// As [`Sampler::fill`].
    pub(crate) fn fill_on<T: Int, B: BitSource + ?Sized>(
        &self,
        backend: Backend,
        bits: &mut B,
        out: &mut [T],
    ) -> Result<(), RangeError> {
        self.trials.refined_fill(&self.refine, backend, bits, out)
    }
}

impl<R: Refine> Sampler for FilteredIsochronous<R> {
    const TIMING: Timing = Timing::Isochronous;
    const BATCH: usize = BATCH;

    fn profile(&self) -> Profile {
        Profile { exactness: Exactness::Within(Self::BOUND), ..self.trials.profile() }
    }

    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        self.trials.refined_sample(&self.refine, bits)
    }

    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        self.fill_on(Backend::current(), bits, out)
    }
}

#[cfg(test)]
mod tests;
