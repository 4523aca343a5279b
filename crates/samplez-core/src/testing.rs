//! A generator for the unit tests, which the core has none of, and the words that are hard for trials by one word.

use crate::arch::strips::{BLOCK, Envelope, KEYS};
use crate::bits::{BitReader, BitSource, SplitMix64};
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
