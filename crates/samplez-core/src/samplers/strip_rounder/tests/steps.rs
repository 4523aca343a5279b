//! For the tests: single calls as the documentation of [`StripRounder`] describes them, with their public outcomes.

use super::super::{StripRounder, StripWidth};
use crate::arch::Backend;
use crate::bits::BitSource;
use crate::fixtures::Tape;
use crate::params::FixedPoint;

/// How far a close trial is from its goal, at most.
pub(in super::super) fn margin(goal: u64) -> u64 {
    (goal >> 51) + 1
}

/// Whether this trial of a call is close to its goal, and the call's sample, if it is accepted.
pub(in super::super) fn tried(
    rounder: &StripRounder,
    (center, width): (FixedPoint, StripWidth),
    [word, low]: [u64; 2],
    bits: &mut Tape,
) -> (bool, Option<i64>) {
    let (z, rest, goal, next) = rounder.trial(width, center.fraction(), word, low);
    let is_open = rest.abs_diff(goal) <= margin(goal);
    let wide = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
    let is_accepted = if is_open { wide(rest, bits.bits(64)) < wide(goal, next) } else { rest < goal };
    (is_open, is_accepted.then_some(center.floor() + z))
}

/// Whether this backend has the trials of a round in one register.
pub(in super::super) fn has_rounds(backend: Backend) -> bool {
    backend > Backend::Scalar
}

/// A call by this backend: trial after trial, after the words of their round.
pub(in super::super) fn round(
    rounder: &StripRounder,
    backend: Backend,
    call: (FixedPoint, StripWidth),
    bits: &mut Tape,
) -> i64 {
    loop {
        let words = [(); 4].map(|()| bits.bits(64));
        let lows = [(); 4].map(|()| if rounder.shape().0 > 0 { bits.bits(32) } else { 0 });
        let mut is_one_by_one = !has_rounds(backend);
        for i in 0..4 {
            let (is_open, sample) = tried(rounder, call, [words[i], lows[i]], bits);
            let is_last = sample.is_some();
            if !is_one_by_one && (is_open || is_last) {
                bits.outcomes.extend([1 << i, u32::from(is_open) << i]);
            }
            is_one_by_one |= is_open;
            if is_one_by_one {
                bits.outcomes.extend([u32::from(is_open), is_last.into()]);
            }
            if let Some(z) = sample {
                return z;
            }
        }
        if !is_one_by_one {
            bits.outcomes.push(0);
        }
    }
}
