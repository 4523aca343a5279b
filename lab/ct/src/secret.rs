//! Random bits that memcheck takes for undefined, and bits that are replayed from memory.

use crate::valgrind;
use rand_core::{Rng, TryRng};
use samplez::sources::ChaCha20;
use samplez::{BitReader, BitSource, Seed};
use std::convert::Infallible;
use std::hint::black_box;

/// A generator whose bytes are undefined but for the first and the last word of each request: these are what the
/// reader looks at to see whether a generator is stuck. It branches on them with probability below 2^-63.
struct Undefined(ChaCha20);

impl TryRng for Undefined {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        self.0.fill_bytes(out);
        let ends = out.len().min(8);
        let last = out.len() - ends;
        valgrind::make_undefined(out.get_mut(ends..last).unwrap_or_default());
        Ok(())
    }
}

/// The library's own reader over such a generator.
pub(crate) struct Secret(BitReader<Undefined>);

impl Secret {
    pub(crate) fn new(seed: u8) -> Self {
        Secret(BitReader::new(Undefined(ChaCha20::new(&Seed::from_bytes([seed; 32])))))
    }
}

impl BitSource for Secret {
    fn bits(&mut self, n: u32) -> u64 {
        self.0.bits(n)
    }
    fn words(&mut self, out: &mut [u64]) {
        self.0.words(out);
    }
    fn declassify(&mut self, outcome: u32) -> u32 {
        valgrind::made_defined(outcome)
    }
}

/// The same bits, but nothing that is computed from them becomes public.
pub(crate) struct NothingPublic<'a, B>(pub(crate) &'a mut B);

impl<B: BitSource> BitSource for NothingPublic<'_, B> {
    fn bits(&mut self, n: u32) -> u64 {
        self.0.bits(n)
    }
    fn words(&mut self, out: &mut [u64]) {
        self.0.words(out);
    }
}

/// Bits from memory, from the first word on, for ever.
pub(crate) struct Replay<'a> {
    words: &'a [u64],
    next: usize,
    rest: u128,
    left: u32,
}

impl<'a> Replay<'a> {
    pub(crate) fn new(words: &'a [u64]) -> Self {
        Replay { words, next: 0, rest: 0, left: 0 }
    }
}

impl BitSource for Replay<'_> {
    #[inline(always)]
    fn bits(&mut self, n: u32) -> u64 {
        // Refills by what has been asked for, which is public, never by what came.
        if self.left < n {
            self.rest |= u128::from(self.words[self.next]) << self.left;
            self.next = (self.next + 1) % self.words.len();
            self.left += 64;
        }
        let value = self.rest as u64 & (u64::MAX >> (64 - n));
        self.rest >>= n;
        self.left -= n;
        value
    }

    /// Always «accepted», each of the trials that a mask tells of: the number of trials, which is public, is then the
    /// same for every stream, and what a clock still tells apart comes from within the trials.
    #[inline(always)]
    fn declassify(&mut self, outcome: u32) -> u32 {
        black_box(outcome) | u32::MAX
    }
}
