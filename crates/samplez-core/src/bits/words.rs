//! Bits for one sample from a generator of words: [`Words`].

use super::marks::declassified;
use super::source::BitSource;
use rand_core::Rng;
use zeroize::Zeroize;

/// A bit cursor that requests one word of 64 bits at a time, when the last one is used up. It drops the bits left of
/// the last word. Zeroised on drop.
pub(crate) struct Words<'a> {
    rng: &'a mut dyn Rng,
    /// Bits not yet handed out, from the least significant up; those above `left` are zero.
    rest: u64,
    /// How many bits `rest` holds, below 64.
    left: u32,
}

impl<'a> Words<'a> {
    pub(crate) fn new(rng: &'a mut dyn Rng) -> Self {
        Words { rng, rest: 0, left: 0 }
    }
}

impl BitSource for Words<'_> {
    #[inline]
    fn bits(&mut self, n: u32) -> u64 {
        debug_assert!((1..=64).contains(&n));
        let mask = u64::MAX >> (64 - n);
        if n <= self.left {
            let value = self.rest & mask;
            self.rest >>= n; // below 64, as `left` is
            self.left -= n;
            return value;
        }
        let word = self.rng.next_u64();
        let value = (self.rest | word << self.left) & mask;
        let used = n - self.left;
        self.rest = word >> (used - 1) >> 1;
        self.left = 64 - used;
        value
    }

    #[inline(always)]
    fn declassify(&mut self, outcome: u32) -> u32 {
        declassified(outcome)
    }
}

impl Drop for Words<'_> {
    fn drop(&mut self) {
        self.rest.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::{BitReader, SplitMix64};
    use core::convert::Infallible;
    use rand_core::TryRng;

    /// Words, and the same as bytes.
    struct Mix(SplitMix64);
    impl TryRng for Mix {
        type Error = Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            unreachable!("bits come from words of 64 bits, or from bytes")
        }
        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            Ok(self.0.next())
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
            out.chunks_mut(8).for_each(|bytes| bytes.copy_from_slice(&self.0.next().to_le_bytes()));
            Ok(())
        }
    }

    /// Within a sample no bit is dropped: they are the reader's.
    #[test]
    fn words_are_read_as_a_reader_reads_them() {
        let mut rng = Mix(SplitMix64(7));
        let mut words = Words::new(&mut rng);
        let mut reader = BitReader::new(Mix(SplitMix64(7)));
        for round in 0..20_000_u32 {
            let n = 1 + round * 37 % 64;
            assert_eq!(words.bits(n), reader.bits(n), "{n} bits in round {round}");
        }
    }
}
