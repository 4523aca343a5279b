//! ChaCha's keystream by [`arch`](crate::arch): for WebAssembly, as many blocks at once as its instructions allow.

use super::Seed;
use crate::arch::chacha::{BYTES, Blocks};
use chacha20::Rounds;
use core::marker::PhantomData;
use samplez_core::arch::Backend;
use zeroize::Zeroize;

/// The keystream under a 64-bit block counter and a zero nonce. Zeroised on drop.
pub(super) struct Keystream<R: Rounds> {
    key: [u32; 8],
    /// The first block that has not been made.
    counter: u64,
    buffer: [u8; BYTES],
    /// The next byte of `buffer`; `BYTES` when it is used up.
    next: usize,
    rounds: PhantomData<R>,
}

impl<R: Rounds> Keystream<R> {
    pub(super) fn new(seed: &Seed) -> Self {
        let mut key = [0; 8];
        for (word, bytes) in key.iter_mut().zip(seed.expose().as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        Keystream { key, counter: 0, buffer: [0; BYTES], next: BYTES, rounds: PhantomData }
    }

    fn make(&mut self, out: &mut [[u8; BYTES]]) {
        let blocks = (BYTES / 64 * out.len()) as u64;
        make(Blocks { key: &self.key, counter: self.counter, double_rounds: R::COUNT, out });
        self.counter = self.counter.wrapping_add(blocks);
    }

    pub(super) fn fill(&mut self, out: &mut [u8]) {
        let (held, out) = out.split_at_mut(out.len().min(BYTES - self.next));
        held.copy_from_slice(&self.buffer[self.next..self.next + held.len()]);
        self.next += held.len();
        let (whole, rest) = out.as_chunks_mut();
        self.make(whole);
        if !rest.is_empty() {
            let mut buffer = [[0; BYTES]];
            self.make(&mut buffer);
            [self.buffer] = buffer;
            buffer.zeroize();
            rest.copy_from_slice(&self.buffer[..rest.len()]);
            self.next = rest.len();
        }
    }
}

/// One copy of the code for every number of rounds: it is downloaded.
#[inline(never)]
fn make(blocks: Blocks) {
    Backend::current().run(blocks);
}

impl<R: Rounds> Drop for Keystream<R> {
    fn drop(&mut self) {
        self.key.zeroize();
        self.buffer.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ChaCha8, ChaCha12, ChaCha20};
    use ::chacha20::{R8, R12, R20};
    use rand_core::Rng;
    use std::vec;

    /// The bytes are the `chacha20` crate's, in whatever pieces they are read.
    fn check<R: Rounds>(rng: impl Fn(&Seed) -> std::boxed::Box<dyn Rng>) {
        let seed = Seed::from_bytes(core::array::from_fn(|i| 7 * i as u8));
        let mut expected = vec![0; 10_000];
        rng(&seed).fill_bytes(&mut expected);
        for size in [1, 8, 255, 256, 257, 1000, 1024, 10_000] {
            let mut keystream = Keystream::<R>::new(&seed);
            let mut out = vec![0; 10_000];
            out.chunks_mut(size).for_each(|part| keystream.fill(part));
            assert!(out == expected, "{} double rounds, pieces of {size}", R::COUNT);
        }
    }

    #[test]
    fn the_keystream() {
        check::<R20>(|seed| std::boxed::Box::new(ChaCha20::new(seed)));
        check::<R12>(|seed| std::boxed::Box::new(ChaCha12::new(seed)));
        check::<R8>(|seed| std::boxed::Box::new(ChaCha8::new(seed)));
    }
}
