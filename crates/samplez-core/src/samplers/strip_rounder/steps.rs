//! For the tests: single calls as the documentation of [`StripRounder`] describes them, with their public outcomes.

use super::{StripRounder, StripWidth};
use crate::arch::Backend;
use crate::bits::BitSource;
use crate::fixtures::Tape;
use crate::params::FixedPoint;

/// Whether this trial of a call is at its goal, and the call's sample, if it is accepted.
pub(super) fn tried(
    rounder: &StripRounder,
    (center, width): (FixedPoint, StripWidth),
    [word, low]: [u64; 2],
    bits: &mut Tape,
) -> (bool, Option<i64>) {
    let (z, rest, goal, next) = rounder.trial(width, center.fraction(), word, low);
    let is_accepted = rest < goal || rest == goal && bits.bits(64) < next;
    (rest == goal, is_accepted.then_some(center.floor() + z))
}

/// Whether this backend has the trials of a round in one register.
pub(super) fn has_rounds(backend: Backend) -> bool {
    backend > Backend::Scalar
}

/// A call by this backend: trial after trial, after the words of their round.
pub(super) fn round(rounder: &StripRounder, backend: Backend, call: (FixedPoint, StripWidth), bits: &mut Tape) -> i64 {
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
                bits.outcomes.extend([u32::from(!is_open), is_last.into()]);
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
