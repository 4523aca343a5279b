//! Sequences that come again where only each s-th value counts, for s from 2 to 64.
//!
//! A fingerprint of values s places apart is taken where the first value lies far out. A hash of the first four needs enough zero
//! bits. At most [`KEPT`] are kept. When they are too many, the hash needs one more zero bit, and later a value very far out.
//! Once [`ENOUGH`] came again, no more are taken.

use super::window::mixed;
use crate::coding::Coding;
use crate::group::LOW_ENTROPY;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// The strides.
const STRIDES: core::ops::RangeInclusive<usize> = 2..=64;

/// The most fingerprints kept, about 500 for each stride. Of these, one of 64 interleaved generators has about eight.
const KEPT: usize = 1 << 15;

/// The longest sequence.
const LONGEST: usize = 900;

/// A sequence has at least so many values.
const LEAST: usize = 8;

/// The number of repeated values that suffices.
const ENOUGH: u64 = 1000;

const TOO_COMMON: &str = "no value is rare enough";

/// A value lies far out with at most this probability; very far, which is asked for when many sequences are passed over.
const FAR: [f64; 2] = [1.0 / 512.0, 1.0 / 4096.0];

/// From so many zero bits on a sequence has to begin very far out.
const VERY: u32 = 5;

#[derive(Clone, Debug)]
pub(in super::super) struct Strided {
    /// How long a sequence is, or why the law has none.
    pub(in super::super) length: Result<usize, &'static str>,
    far: [i16; 2],
    seen: HashSet<u128, BuildHasherDefault<Upper>>,
    zeros: u32,
    /// How many came again.
    pub(in super::super) again: u64,
}

/// The upper half of a fingerprint, which is a hash already.
#[derive(Clone, Debug, Default)]
struct Upper(u64);

impl Hasher for Upper {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = mixed(self.0 ^ u64::from(*byte)));
    }

    fn write_u128(&mut self, print: u128) {
        self.0 = (print >> 64) as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Strided {
    /// Sequences of one value more than independent ones need: of two that cross, one value is the same.
    pub(super) fn new(coding: &Coding, length: Option<usize>) -> Self {
        let far = FAR.map(|share| coding.far(share));
        let is_far = far.iter().all(|(_, share)| *share > 1e-9);
        let length = match length.map(|length| (length + 1).max(LEAST)).filter(|length| *length <= LONGEST) {
            Some(length) if is_far => Ok(length),
            _ if !is_far => Err(TOO_COMMON),
            _ => Err(LOW_ENTROPY),
        };
        Strided::with(length, far.map(|(code, _)| code))
    }

    fn with(length: Result<usize, &'static str>, far: [i16; 2]) -> Self {
        Strided { length, far, seen: HashSet::default(), zeros: 0, again: 0 }
    }

    /// How many values after one are looked at.
    fn reach(&self) -> usize {
        self.length.map_or(0, |length| (length - 1) * STRIDES.end() + 1)
    }

    /// Codes of one stream, of which those from `from` on are new.
    #[inline(always)]
    pub(super) fn push(&mut self, codes: &[i16], from: usize) {
        let Ok(length) = self.length else { return };
        let reach = self.reach();
        let (mut at, last) = ((from + 1).saturating_sub(reach), (codes.len() + 1).saturating_sub(reach));
        while at < last && self.again < ENOUGH {
            let stop = (at + 64).min(last);
            let far = codes[at..stop].iter().fold(0, |far: i16, code| far.max(code.wrapping_abs()));
            if far >= self.far() {
                for i in at..stop {
                    if codes[i].abs() >= self.far() && self.again < ENOUGH {
                        self.take(&codes[i..i + reach], length);
                    }
                }
            }
            at = stop;
        }
    }

    fn far(&self) -> i16 {
        self.far[usize::from(self.zeros >= VERY)]
    }

    fn take(&mut self, codes: &[i16], length: usize) {
        for stride in STRIDES {
            let code = |i: usize| u64::from(codes[i * stride] as u16);
            let head = mixed(code(0) | code(1) << 16 | code(2) << 32 | code(3) << 48);
            if head.trailing_zeros() < self.zeros {
                continue;
            }
            let (mut low, mut high) = (head, mixed(!head));
            for i in 4..length {
                low = (low ^ code(i)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
                high = (high ^ code(i)).wrapping_mul(0xd6e8_feb8_6659_fd93).rotate_left(31);
            }
            let (low, high) = (mixed(low), mixed(high));
            // The first hash decides on what is kept, and how far the first value lies.
            let very = u128::from(codes[0].abs() >= self.far[1]) << 8;
            self.keep(u128::from(low) << 64 | u128::from(high & !0xffff) | very | u128::from(head.trailing_zeros()));
        }
    }

    fn keep(&mut self, print: u128) {
        if !Strided::fits(print, self.zeros) {
            return;
        }
        if !self.seen.insert(print) {
            self.again += 1;
        }
        self.shrink();
    }

    /// Asks for more zero bits until what is left is not too much.
    fn shrink(&mut self) {
        while self.seen.len() > KEPT {
            self.zeros += 1;
            self.sift();
        }
    }

    /// Drops what is not to be kept any more.
    fn sift(&mut self) {
        let zeros = self.zeros;
        self.seen.retain(|print| Strided::fits(*print, zeros));
    }

    fn fits(print: u128, zeros: u32) -> bool {
        (print & 0xff) as u32 >= zeros && (zeros < VERY || print >> 8 & 1 == 1)
    }

    /// Compares the prints that both would keep. The order of the two does not matter.
    pub(super) fn merge(&mut self, other: &Strided) {
        self.zeros = self.zeros.max(other.zeros);
        self.sift();
        let zeros = self.zeros;
        let mut again = 0;
        for print in other.seen.iter().filter(|print| Strided::fits(**print, zeros)) {
            again += u64::from(!self.seen.insert(*print));
        }
        self.again += other.again + again;
        self.shrink();
    }

    /// A bound of the probability that any of n values' sequences equals one that is kept: 2^-96 for each two.
    pub(in super::super) fn bound(n: u64) -> f64 {
        (n as f64 * STRIDES.count() as f64 * KEPT as f64 * libm::exp2(-96.0)).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of twelve uniform codes.
    fn noise(seed: u64, n: usize) -> Vec<i16> {
        let uniform = |i| (mixed(seed << 32 | i) >> 40) as f64 / (1 << 24) as f64 - 0.5;
        (0..n as u64).map(|i| ((0..12).map(|j| uniform(12 * i + j)).sum::<f64>() * 108.0) as i16).collect()
    }

    fn pushed(codes: &[i16], window: usize) -> Strided {
        let mut strided = Strided::with(Ok(20), [290, 350]);
        for from in (0..codes.len()).step_by(window) {
            strided.push(&codes[..(from + window).min(codes.len())], from);
        }
        strided
    }

    #[test]
    fn every_kth_value_of_a_cycle() {
        let fresh = noise(1, 200_000);
        let strided = pushed(&fresh, 4096);
        assert!(strided.again == 0 && strided.seen.len() > 1000, "{} {}", strided.again, strided.seen.len());
        // The windows do not matter.
        assert_eq!(pushed(&fresh, 1000).seen, strided.seen);
        for stride in [2, 7, 16] {
            let (mut codes, cycle) = (fresh.clone(), noise(2, 1001));
            for (code, again) in codes.iter_mut().skip(1).step_by(stride).zip(cycle.iter().cycle()) {
                *code = *again;
            }
            assert!(pushed(&codes, 4096).again > 0, "{stride}");
        }
        let mut twice = strided.clone();
        twice.merge(&strided);
        assert_eq!(twice.again, strided.seen.len() as u64);
    }

    #[test]
    fn merged_in_either_order() {
        let [mut ours, mut theirs] = [1, 2].map(|_| Strided::with(Ok(8), [0, 100]));
        // Both keep some sequences that the other keeps too.
        let (fresh, other) = (noise(4, 75_000), noise(5, 45_000));
        ours.push(&fresh, 0);
        theirs.push(&[&other, &fresh[..30_000]].concat(), 0);
        let [mut one, mut two] = [ours.clone(), theirs.clone()];
        one.merge(&theirs);
        two.merge(&ours);
        assert!(one.seen == two.seen && one.seen.len() <= KEPT && one.again == two.again && one.again > 100);
        let zeros = ours.zeros.max(theirs.zeros);
        assert!(one.zeros > zeros, "not too many together: {zeros}");
        let both = ours.seen.intersection(&theirs.seen).filter(|print| Strided::fits(**print, zeros));
        assert_eq!(one.again, ours.again + theirs.again + both.count() as u64);
        assert!(one.seen.iter().all(|print| Strided::fits(*print, one.zeros)));
    }

    #[test]
    fn what_does_not_fit_is_not_kept() {
        let mut strided = Strided::with(Ok(8), [0, 100]);
        strided.zeros = VERY;
        // Enough zero bits, but not very far out; and the other way round.
        strided.keep(u128::from(VERY));
        strided.keep(1 << 8 | u128::from(VERY - 1));
        assert!(strided.seen.is_empty());
        strided.keep(1 << 8 | u128::from(VERY));
        assert!(strided.seen.len() == 1 && strided.again == 0);
    }

    /// A value far out that never changes takes no time.
    #[test]
    fn enough_is_enough() {
        let mut strided = Strided::with(Ok(20), [290, 350]);
        strided.push(&[1000; 60_000], 0);
        assert!((ENOUGH..ENOUGH + 64).contains(&strided.again), "{}", strided.again);
    }

    #[test]
    fn memory_is_bounded() {
        let mut strided = Strided::with(Ok(8), [0, 100]);
        let fresh = noise(3, 60_000);
        strided.push(&fresh, 0);
        assert!(strided.seen.len() <= KEPT && strided.zeros > 0 && strided.seen.len() > KEPT / 30);
    }
}
