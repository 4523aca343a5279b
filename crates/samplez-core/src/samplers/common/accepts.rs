//! The outcome of a trial by one word.

use crate::arch::strips::Trial;
use crate::bits::BitSource;

/// Whether the trial is accepted, for which 64 more bits are drawn if it is at its goal. Both are public.
#[inline(always)]
pub(in crate::samplers) fn accepts<B: BitSource + ?Sized>(trial: &Trial, bits: &mut B) -> bool {
    let accepted = if bits.declassify(u32::from(trial.rest != trial.goal)) != 0 {
        trial.rest < trial.goal
    } else {
        bits.bits(64) < trial.next
    };
    bits.declassify(u32::from(accepted)) != 0
}
