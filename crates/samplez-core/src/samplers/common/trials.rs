//! The loops of rejection samplers.

use crate::bits::BitSource;
use crate::sampler::{Int, RangeError};

/// A rejection sampler seen one attempt at a time: the distribution of its samples is that of one attempt, given that it
/// succeeds.
#[cfg_attr(not(feature = "testing"), allow(unreachable_pub))]
pub trait Attempt {
    /// One attempt: a sample, or `None` if it was rejected.
    fn attempt<B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64>;
}

/// Returns the first accepted sample: [`Sampler::sample`](crate::sampler::Sampler::sample) from attempts.
#[inline(always)]
pub(in crate::samplers) fn first_accepted(mut attempt: impl FnMut() -> Option<i64>) -> i64 {
    loop {
        if let Some(value) = attempt() {
            return value;
        }
    }
}

/// Fills `out` with accepted samples: [`Sampler::fill`](crate::sampler::Sampler::fill) from trials. A trial
/// returns whether it is accepted, and the sample, which is arbitrary in a rejected trial.
///
/// Every trial is written, and only an accepted one moves on: no branch on a coin.
///
/// # Errors
///
/// [`RangeError`] at the first accepted sample that does not fit `T`.
#[inline(always)]
pub(in crate::samplers) fn fill_accepted<T: Int>(
    out: &mut [T],
    mut trial: impl FnMut() -> (bool, i64),
) -> Result<(), RangeError> {
    let mut i = 0;
    while i < out.len() {
        let (accepted, value) = trial();
        out[i] = T::wrapping(value);
        // In this order the branch is on the range, not on the coin.
        if out[i].widen() != value && accepted {
            return Err(RangeError::of::<T>());
        }
        i += usize::from(accepted);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The outcomes, one after the other, which must suffice.
    fn each(outcomes: &[(bool, i64)]) -> impl FnMut() -> (bool, i64) {
        let mut rest = outcomes.iter();
        move || *rest.next().unwrap()
    }

    #[test]
    fn rejected_trials_leave_no_sample() {
        let outcomes = [(false, 1), (true, 2), (false, 300), (true, -3), (true, 4)];
        let mut out = [0_i8; 2];
        assert_eq!(fill_accepted(&mut out, each(&outcomes)), Ok(()));
        assert_eq!(out, [2, -3]);
        assert_eq!(fill_accepted(&mut [0_i8; 0], each(&[])), Ok(()));

        let mut next = each(&outcomes);
        let mut first = || first_accepted(|| Some(next()).filter(|outcome| outcome.0).map(|outcome| outcome.1));
        assert_eq!([first(), first(), first()], [2, -3, 4]);
    }

    #[test]
    fn accepted_samples_must_fit() {
        for (value, fits) in [(127, true), (128, false), (-128, true), (-129, false), (1 << 32, false)] {
            let mut out = [7_i8; 3];
            let filled = fill_accepted(&mut out, each(&[(true, 5), (false, 0), (true, value), (true, 6)]));
            assert_eq!(filled, if fits { Ok(()) } else { Err(RangeError::of::<i8>()) }, "{value}");
            assert_eq!((out[0], out[2]), (5, if fits { 6 } else { 7 }));
        }
    }
}
