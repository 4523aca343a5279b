//! The outcome of a trial by one word.

use crate::arch::isochronous::Trial;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits that are all the same, and how many of them were taken.
    struct Word(u64, u32);

    impl BitSource for Word {
        fn bits(&mut self, n: u32) -> u64 {
            self.1 += n;
            self.0
        }
    }

    #[test]
    fn equals_are_decided_by_the_next_word() {
        for (rest, goal, word, accepted, taken) in [
            (4, 5, 9, true, 0),
            (6, 5, 0, false, 0),
            (5, 5, 6, true, 64),
            (5, 5, 7, false, 64),
            (5, 5, 8, false, 64),
            (0, 0, 0, true, 64),
        ] {
            let mut bits = Word(word, 0);
            assert_eq!((accepts(&Trial { value: 1, rest, goal, next: 7 }, &mut bits), bits.1), (accepted, taken));
        }
    }
}
