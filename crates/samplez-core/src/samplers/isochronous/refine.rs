//! The decision of trials that are close to their goals.

use super::Strips;
use crate::arch::isochronous::Trial;
use crate::bits::BitSource;

/// A trial that fixed-point numbers leave undecided: [`FilteredIsochronous`](super::FilteredIsochronous) or
/// [`StripRounder`](crate::samplers::StripRounder) proposes a value x and accepts it if a uniform number is below
/// 2^-L·S·exp(-(x - c)²/2σ²). The first bits of the number are known.
#[derive(Clone, Copy, Debug)]
pub struct CloseTrial {
    /// x.
    pub value: i64,
    /// S in units of 2^-32.
    pub height: u64,
    /// L in units of 2^-55: the probability has the factor 2^-L. It is 0 for [`FilteredIsochronous`](super::FilteredIsochronous).
    pub lift: u64,
    /// The first bits of the uniform number: it is from `prefix` to `prefix` + 1 in units of 2^-`places`.
    pub prefix: u64,
    /// At least 57. If it exceeds 63, `prefix` is 0.
    pub places: u32,
    /// 2^-L·S·exp(-(x - c)²/2σ²) in units of 2^-(`places` + 64), with a relative error below 2^-51. It is 0 if `places` exceeds 63.
    pub estimate: u128,
}

/// Exact comparisons with 2^-L·S·exp(-(x - c)²/2σ²), for one σ and c.
pub trait Refine {
    /// Whether the trial's uniform number is below 2^-L·S·exp(-(x - c)²/2σ²). The bits of this source continue the number
    /// behind its prefix. The comparison draws as many words of 64 bits as it needs, and the highest bit of a word is the first.
    fn accepts<B: BitSource + ?Sized>(&self, trial: &CloseTrial, bits: &mut B) -> bool;
}

/// Compares 64 more bits with the fixed-point number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Estimate;

impl Refine for Estimate {
    #[inline(always)]
    fn accepts<B: BitSource + ?Sized>(&self, trial: &CloseTrial, bits: &mut B) -> bool {
        (u128::from(trial.prefix) << 64 | u128::from(bits.bits(64))) < trial.estimate
    }
}

/// How a law's close trials are decided.
pub(super) struct Closing<'a, R> {
    pub(super) refine: &'a R,
    pub(super) floor: i64,
    /// S in units of 2^-32.
    pub(super) height: u64,
}

impl<R: Refine> Closing<'_, R> {
    /// Whether this trial, which is close, is accepted. Not inlined: it would take registers of the others.
    #[cold]
    #[inline(never)]
    pub(super) fn accepts<B: BitSource + ?Sized>(&self, strips: &Strips, trial: Trial, bits: &mut B) -> bool {
        let trial = CloseTrial {
            value: self.floor + i64::from(trial.value),
            height: self.height,
            lift: 0,
            prefix: trial.rest,
            places: 63 - strips.inner,
            estimate: u128::from(trial.goal) << 64 | u128::from(trial.next),
        };
        self.refine.accepts(&trial, bits)
    }
}
