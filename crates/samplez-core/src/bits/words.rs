//! Bits for one sample from a generator of words: [`Words`].

use super::marks::{alarm, declassified};
use super::source::BitSource;
use super::watch::Fault;
use rand_core::Rng;
use zeroize::Zeroize;

/// Words of a sample at most. Every method accepts a trial with probability above 1/64, and spends less than 64 words on most. So a sample of
/// ideal words needs more with probability below 2^-300.
const MOST: u32 = 1 << 20;

/// A bit cursor that requests one word of 64 bits at a time, when the last one is used up, and at least two for each sample. It drops the
/// bits left. Zeroised on drop.
///
/// # Panics
///
/// If the generator is stuck: its first words are all equal, or [`MOST`] words do not end a sample.
pub(crate) struct Words<'a> {
    rng: &'a mut dyn Rng,
    /// The second word, requested with the first.
    second: u64,
    /// Bits not yet handed out, from the least significant up; those above `left` are zero.
    rest: u64,
    /// How many bits `rest` holds, below 64.
    left: u32,
    /// How many words were handed out.
    used: u32,
}

impl<'a> Words<'a> {
    pub(crate) fn new(rng: &'a mut dyn Rng) -> Self {
        Words { rng, second: 0, rest: 0, left: 0, used: 0 }
    }

    #[inline]
    fn word(&mut self) -> u64 {
        self.used += 1;
        match self.used {
            1 => {
                let first = self.rng.next_u64();
                self.second = self.rng.next_u64();
                if alarm(first == self.second) {
                    self.examine(first);
                }
                first
            }
            2 => self.second,
            MOST.. => panic!("{}", Fault::Undecided),
            _ => self.rng.next_u64(),
        }
    }

    /// Examines a generator that repeated a word. A sound one does so with probability 2^-64, so fourteen more words decide.
    #[cold]
    #[inline(never)]
    fn examine(&mut self, first: u64) {
        let is_stuck = (0..14).fold(true, |is_stuck, _| is_stuck & (self.rng.next_u64() == first));
        assert!(!is_stuck, "the generator is stuck: it gave the same word of 64 bits 16 times");
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
        let word = self.word();
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

    fn condemn(&mut self) {
        panic!("{}", Fault::Undecided);
    }
}

impl Drop for Words<'_> {
    fn drop(&mut self) {
        self.rest.zeroize();
        self.second.zeroize();
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
