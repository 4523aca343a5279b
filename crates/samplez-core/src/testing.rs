//! For the unit tests: a generator, which the core has none of, the words that are hard for trials by one word, and tables of any thresholds.

use crate::arch::strips::{BLOCK, Envelope, KEYS};
use crate::bits::{BitReader, BitSource, SplitMix64};
use crate::params::{DiscreteGaussian, Rational};
use crate::profile::Bound;
use crate::table::{CdtTable, Shape, TableError};
use core::convert::Infallible;
use rand_core::TryRng;
use std::vec::Vec;

impl TryRng for SplitMix64 {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.next() as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next())
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        self.fill(out);
        Ok(())
    }
}

/// A reader over the generator with this seed.
pub(crate) fn reader(seed: u8) -> BitReader<SplitMix64> {
    BitReader::new(SplitMix64(seed.into()))
}

/// Words for trials of every kind: any, at the ends of strips and near them, all zeros and all ones.
pub(crate) fn words(count: usize, envelope: &Envelope) -> Vec<[u64; BLOCK]> {
    let mut bits = reader(5);
    let mut word = |i: usize| {
        let (word, end) = (bits.bits(64), u64::from(envelope.keys[i % KEYS] + envelope.ones));
        match i % 7 {
            0 => word >> 16 | end << 48,
            1 => (word >> 16 | end << 48).wrapping_sub(1 << 48),
            2 => word >> 44,
            3 => !(word >> 44),
            4 => word >> (word % 64),
            _ => word,
        }
    };
    (0..count).map(|block| core::array::from_fn(|i| word(BLOCK * block + i))).collect()
}

/// For tables whose bound nobody looks at.
pub(crate) const BOUND: Bound =
    Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };

/// Falling thresholds below 2^`precision`, of at most 127 bits: any, some at the ends, and some twice.
pub(crate) fn falling(count: usize, precision: u32, seed: u8) -> Vec<u128> {
    let mut bits = reader(seed);
    let mut one = |i: usize| {
        let any = (u128::from(bits.bits(64)) << 64 | u128::from(bits.bits(64))) >> (128 - precision);
        match i % 5 {
            0 => any >> bits.bits(6).min(u64::from(precision) - 1),
            1 => (1 << precision) - 1 - (any >> (precision / 2)),
            _ => any,
        }
    };
    let mut all: Vec<u128> = (0..count).map(&mut one).collect();
    if count > 3 {
        (all[1], all[2]) = (all[0], 0);
    }
    all.sort_by(|a, b| b.cmp(a));
    all
}

/// Digits as a [`CdtTable`] has them.
pub(crate) fn digits(thresholds: &[u128], precision: u32) -> Vec<u32> {
    let each = precision.div_ceil(32);
    let digit = |t: &u128, i: u32| (t << (32 * each - precision) >> (32 * (each - 1 - i))) as u32;
    let rest = thresholds.iter().flat_map(|t| (1..each).map(move |i| digit(t, i)));
    thresholds.iter().map(|t| digit(t, 0)).chain(rest).collect()
}

/// A table of these thresholds.
pub(crate) fn table(
    shape: Shape,
    first: i64,
    precision: u32,
    thresholds: &[u128],
) -> Result<CdtTable<Vec<u32>>, TableError> {
    let law = DiscreteGaussian::with_sigma(Rational::from(1)).expect("a law");
    CdtTable::new(law, BOUND, shape, first, precision, digits(thresholds, precision))
}
