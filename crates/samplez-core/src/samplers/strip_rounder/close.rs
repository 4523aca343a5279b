//! The decision of trials that are close to their goals, and the values beyond the last strip.

use super::width::StripWidth;
use crate::arch::isochronous::Trial;
use crate::bits::BitSource;
use crate::params::FixedPoint;
use crate::samplers::{CloseTrial, Refine};

/// Decides the close trials of calls.
pub(super) trait Settle {
    /// z, less ⌊c⌋, of a close trial of the call with this number, if the trial is accepted. That is public from here on.
    fn settle<B: BitSource + ?Sized>(&self, call: usize, trial: &Trial, bits: &mut B) -> Option<i64>;
}

/// The goal of a trial with 64 further bits.
fn estimate(trial: &Trial) -> u128 {
    u128::from(trial.goal) << 64 | u128::from(trial.next)
}

/// Compares 64 more bits with the fixed-point number.
pub(super) struct Estimate;

impl Settle for Estimate {
    #[inline]
    fn settle<B: BitSource + ?Sized>(&self, _: usize, trial: &Trial, bits: &mut B) -> Option<i64> {
        let number = u128::from(trial.rest) << 64 | u128::from(bits.bits(64));
        let accepted = bits.declassify((number < estimate(trial)).into()) != 0;
        accepted.then_some(trial.value.into())
    }
}

/// Decides by a [`Refine`] of the call. The last strip stands for all values from its own on.
pub(super) struct Exactly<'a, F> {
    /// S in units of 2^-32.
    pub(super) height: u64,
    pub(super) shift: u32,
    /// How many strips there are.
    pub(super) count: u64,
    pub(super) calls: &'a [(FixedPoint, StripWidth)],
    /// The `Refine` of a call.
    pub(super) refine: &'a F,
}

impl<R: Refine, F: Fn(usize) -> R> Settle for Exactly<'_, F> {
    #[cold]
    #[inline(never)]
    fn settle<B: BitSource + ?Sized>(&self, call: usize, trial: &Trial, bits: &mut B) -> Option<i64> {
        let (center, width) = self.calls[call];
        let (mut value, mut places) = (i64::from(trial.value), 63);
        // x of z = x + 1 or -x.
        let x = if value > 0 { value - 1 } else { -value };
        if x as u64 >> self.shift == self.count - 1 {
            // Here the probability is below 2^-87.
            if trial.rest > 0 {
                return None;
            }
            let strips = zeros(bits);
            let step = i64::from(strips) << self.shift;
            value += if value > 0 { step } else { -step };
            places = 64 + strips;
        }
        let close = CloseTrial {
            value: center.floor() + value,
            height: self.height,
            lift: width.lift - (1 << 55),
            prefix: trial.rest,
            places,
            estimate: if places > 63 { 0 } else { estimate(trial) },
        };
        let accepted = (self.refine)(call).accepts(&close, bits);
        let accepted = bits.declassify(accepted.into()) != 0;
        accepted.then_some(value)
    }
}

/// n with probability 2^-(n + 1).
fn zeros<B: BitSource + ?Sized>(bits: &mut B) -> u32 {
    let mut zeros = 0;
    loop {
        let some = bits.bits(64).leading_zeros();
        zeros += some;
        // So many zeros that only a faulty source has them.
        if some < 64 || zeros > 1 << 14 {
            return zeros;
        }
    }
}

#[cfg(test)]
mod tests;
