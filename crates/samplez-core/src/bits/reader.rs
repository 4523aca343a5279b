//! From a generator's bytes to bits: [`BitReader`].

use super::marks::declassified;
use super::source::{BitSource, CryptoBits};
use super::watch::{Fault, WORDS as BUFFER, Watch};
use bytemuck::cast_slice_mut;
use core::fmt;
use rand_core::{CryptoRng, Rng};
use zeroize::Zeroize;

/// Reads a generator bit by bit, through a buffer. It drops no bit.
///
/// The stream is the generator's byte stream, each byte from its least significant bit up, on machines of either byte
/// order. The reader requests 1024 bytes at a time from the generator's `fill_bytes`. The buffer is zeroised on drop.
///
/// # Panics
///
/// If the generator is [stuck](Fault), or [condemned](BitSource::condemn): samplers have no error for it, and their samples would be worthless. For a generator that
/// may fail or be stuck use [`Latched`](super::Latched), whose draws return an error instead.
///
/// `BitReader<dyn Rng>` serves code that chooses its generator at run time.
///
/// ```
/// use samplez_core::bits::{BitReader, BitSource};
/// use samplez_sources::{ChaCha20, Seed};
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let (low, high) = (bits.bits(13), bits.bits(51));
/// let mut again = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// assert_eq!(again.bits(64), low | high << 13);
/// ```
pub struct BitReader<R: Rng + ?Sized> {
    /// Bits not yet handed out, from the least significant up; those above `left` are zero.
    acc: u64,
    /// How many bits `acc` holds, at most 64.
    left: u32,
    /// The next word of `buffer`; `BUFFER` when it is used up.
    next: usize,
    /// The generator's bytes, which as words are little-endian.
    buffer: [u64; BUFFER],
    watch: Watch,
    rng: R,
}

impl<R: Rng> BitReader<R> {
    /// Builds a reader at the start of the generator's stream.
    ///
    /// ```
    /// use samplez_core::bits::BitReader;
    /// use samplez_sources::{ChaCha20, Seed};
    /// let reader = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    /// assert_eq!(format!("{reader:?}"), "BitReader { .. }");
    /// ```
    pub fn new(rng: R) -> Self {
        BitReader { acc: 0, left: 0, next: BUFFER, buffer: [0; BUFFER], watch: Watch::new(false), rng }
    }

    /// Continues at the start of another generator's stream. The reader drops the bits that were left, and forgets a
    /// [fault](Self::fault). This is cheaper than a new reader, because the buffer is erased once, on drop.
    ///
    /// ```
    /// use samplez_core::bits::{BitReader, BitSource};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let rng = |number| ChaCha20::new(&Seed::from_bytes([number; 32]));
    /// let mut reader = BitReader::new(rng(1));
    /// let first = reader.bits(13);
    /// reader.restart(rng(1));
    /// assert_eq!(reader.bits(13), first);
    /// ```
    pub fn restart(&mut self, rng: R) {
        self.discard();
        self.watch = Watch::new(self.watch.is_latching());
        self.rng = rng;
    }

    /// The reader goes on after a fault, with pseudorandom bits that let every sampler end. Whoever calls this asks for the
    /// [fault](Self::fault) before any sample is used.
    #[doc(hidden)]
    #[must_use]
    pub fn latching(mut self) -> Self {
        self.watch.latch();
        self
    }

    /// The generator.
    pub(super) fn rng_mut(&mut self) -> &mut R {
        &mut self.rng
    }
}

impl<R: Rng + ?Sized> BitReader<R> {
    /// Returns the fault of the generator of a reader that goes on after one; `None` as long as there is none. A fault stays.
    #[doc(hidden)]
    pub fn fault(&self) -> Option<Fault> {
        self.watch.fault()
    }

    /// Drops the bits that were read ahead. The next ones are new bytes of the generator.
    ///
    /// ```
    /// use samplez_core::bits::{BitReader, BitSource};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let rng = || ChaCha20::new(&Seed::from_bytes([0; 32]));
    /// let (mut reader, mut whole) = (BitReader::new(rng()), BitReader::new(rng()));
    /// reader.bits(13);
    /// reader.discard();
    /// (0..128).for_each(|_| _ = whole.bits(64)); // the 1024 bytes that were read
    /// assert_eq!(reader.bits(64), whole.bits(64));
    /// ```
    pub fn discard(&mut self) {
        (self.acc, self.left, self.next) = (0, 0, BUFFER);
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self) {
        if self.watch.fault().is_some() {
            self.watch.mix(&mut self.buffer);
        } else {
            self.rng.fill_bytes(cast_slice_mut(&mut self.buffer));
            self.watch.look(&self.buffer);
        }
        self.next = 0;
    }

    #[inline(always)]
    fn word(&mut self) -> u64 {
        if self.next >= BUFFER {
            self.refill();
        }
        let word = u64::from_le(self.buffer[self.next % BUFFER]);
        self.next += 1;
        word
    }

    /// [`words`](BitSource::words).
    #[inline(never)]
    fn many_words(&mut self, mut out: &mut [u64]) {
        while !out.is_empty() {
            if self.next >= BUFFER {
                if self.left == 0 && out.len() >= BUFFER && self.watch.fault().is_none() {
                    let Some((now, later)) = out.split_first_chunk_mut() else { return };
                    // What the buffer would get, and hand out as it is.
                    self.rng.fill_bytes(cast_slice_mut(now));
                    self.watch.look(now);
                    now.iter_mut().for_each(|word| *word = u64::from_le(*word));
                    out = later;
                    continue;
                }
                self.refill();
            }
            let take = out.len().min(BUFFER - self.next);
            let (now, later) = out.split_at_mut(take);
            let buffer = &self.buffer[self.next..self.next + take];
            for (slot, word) in now.iter_mut().zip(buffer) {
                *slot = u64::from_le(*word) << self.left;
            }
            if self.left > 0 {
                // The bits of each word that its place has no room for go to the next.
                let over = |word: &u64| u64::from_le(*word) >> (64 - self.left);
                now[0] |= self.acc;
                for (slot, word) in now[1..].iter_mut().zip(buffer) {
                    *slot |= over(word);
                }
                self.acc = over(&buffer[take - 1]);
            }
            self.next += take;
            out = later;
        }
    }
}

impl<R: Rng + ?Sized> BitSource for BitReader<R> {
    #[inline(always)]
    fn bits(&mut self, n: u32) -> u64 {
        debug_assert!((1..=64).contains(&n));
        let mask = u64::MAX >> (64 - n);
        if n <= self.left {
            let value = self.acc & mask;
            self.acc = self.acc >> (n - 1) >> 1;
            self.left -= n;
            value
        } else {
            let word = self.word();
            let value = (self.acc | word << self.left) & mask;
            let used = n - self.left;
            self.acc = word >> (used - 1) >> 1;
            self.left = 64 - used;
            value
        }
    }

    #[inline(always)]
    fn words(&mut self, out: &mut [u64]) {
        // Without a call for a few, whose number the compiler knows.
        let ready = self.buffer.get(self.next..).and_then(|rest| rest.get(..out.len()));
        match ready {
            Some(ready) if out.len() <= 8 && self.left == 0 => {
                out.copy_from_slice(ready);
                out.iter_mut().for_each(|word| *word = u64::from_le(*word));
                self.next += out.len();
            }
            _ => self.many_words(out),
        }
    }

    #[inline(always)]
    fn declassify(&mut self, outcome: u32) -> u32 {
        declassified(outcome)
    }

    fn condemn(&mut self) {
        self.watch.condemn();
    }
}

impl<R: Rng + ?Sized> Drop for BitReader<R> {
    fn drop(&mut self) {
        self.acc.zeroize();
        self.buffer.as_mut_slice().zeroize();
    }
}

impl<R: Rng + ?Sized> fmt::Debug for BitReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BitReader").finish_non_exhaustive()
    }
}

impl<R: CryptoRng + ?Sized> CryptoBits for BitReader<R> {}

#[cfg(test)]
mod tests {
    use super::*;
    use core::convert::Infallible;
    use rand_core::TryRng;
    use std::vec::Vec;

    /// Bytes 0, 1, 2, … mod 251, through the slow and obvious path.
    struct Ramp(u64);
    impl TryRng for Ramp {
        type Error = Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            unreachable!("the reader asks for bytes only")
        }
        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            unreachable!("the reader asks for bytes only")
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
            for byte in out {
                *byte = (self.0 % 251) as u8;
                self.0 += 1;
            }
            Ok(())
        }
    }

    #[test]
    fn reader_drops_no_bit() {
        let stream: Vec<bool> = (0..40_000).map(|i| ((i / 8 % 251) as u8) >> (i % 8) & 1 != 0).collect();
        let mut reader = BitReader::new(Ramp(0));
        let mut at = 0;
        for round in 0.. {
            let n = 1 + round * 37 % 64;
            if at + n > stream.len() {
                break;
            }
            let expected = (0..n).fold(0_u64, |v, i| v | u64::from(stream[at + i]) << i);
            assert_eq!(reader.bits(n as u32), expected, "{n} bits at {at}");
            at += n;
        }
        assert!(at > 39_900);
    }

    /// However many words are asked for at once, from any bit on: the stream of single draws.
    #[test]
    fn words_are_draws_of_64_bits() {
        for offset in 0..=65 {
            for len in [0, 1, 2, 3, 127, 128, 129, 255, 256, 257, 1000] {
                let (mut a, mut b) = (BitReader::new(Ramp(0)), BitReader::new(Ramp(0)));
                for _ in 0..offset {
                    assert_eq!(a.bit(), b.bit());
                }
                let mut words = std::vec![0; len];
                a.words(&mut words);
                assert!(words.iter().all(|word| *word == b.bits(64)), "{len} words from bit {offset}");
                assert_eq!((a.bits(13), a.bits(64)), (b.bits(13), b.bits(64)), "after {len} words from bit {offset}");
            }
        }
    }

    /// Gives the requests that a function of their number tells.
    struct Requests<F>(F, u64);
    impl<F: FnMut(u64, &mut [u8])> TryRng for Requests<F> {
        type Error = Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            unreachable!("the reader asks for bytes only")
        }
        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            unreachable!("the reader asks for bytes only")
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
            assert_eq!(out.len(), 1024);
            self.0(self.1, out);
            self.1 += 1;
            Ok(())
        }
    }

    /// What the reader says after each of the first requests, by the way of each path: through the buffer, straight
    /// into the output, and both in turns.
    fn faults(request: impl Fn(u64, &mut [u8]) + Copy) -> [[Option<Fault>; 6]; 3] {
        [0, 1, 2].map(|path| {
            let mut reader = BitReader::new(Requests(request, 0)).latching();
            core::array::from_fn(|i| {
                if path == 0 || (path == 2 && i % 2 == 0) {
                    (0..BUFFER).for_each(|_| _ = reader.bits(64));
                } else {
                    reader.words(&mut [0; BUFFER]);
                }
                reader.fault()
            })
        })
    }

    #[test]
    fn stuck_generators_are_found() {
        for byte in [0, 0x5a, 0xff] {
            assert_eq!(faults(|_, out| out.fill(byte)), [[Some(Fault::Constant(byte)); 6]; 3]);
        }
        let ramp =
            |first: u64, out: &mut [u8]| out.iter_mut().zip(first..).for_each(|(byte, i)| *byte = (i % 251) as u8);
        // The same again, from the first request on and from a later one. What repeats within a word is found at once.
        for (period, found) in [(8, 0), (256, 1), (1024_u64, 1)] {
            let repeat =
                |_, out: &mut [u8]| out.iter_mut().zip(0..).for_each(|(byte, i)| *byte = (i % period % 251) as u8 + 1);
            let expected = core::array::from_fn(|i| (i >= found).then_some(Fault::Repeated));
            assert_eq!(faults(repeat), [expected; 3], "period {period}");
        }
        let later = |i: u64, out: &mut [u8]| ramp(1024 * i.min(2), out);
        let late = [None, None, None, Some(Fault::Repeated), Some(Fault::Repeated), Some(Fault::Repeated)];
        assert_eq!(faults(later), [late; 3]);
        // A request that is sound at its head alone.
        for head in [8, 64, 512, 992] {
            let short = |i: u64, out: &mut [u8]| {
                out.fill(0);
                ramp(1024 * i, &mut out[..head]);
            };
            assert_eq!(faults(short), [[Some(Fault::Constant(0)); 6]; 3], "{head} bytes");
        }
    }

    #[test]
    fn sound_generators_are_not_accused() {
        let ends = |i: u64, out: &mut [u8]| {
            out.fill(7);
            out[1000] = 200 + i as u8;
            out[1008] = 100 + i as u8;
        };
        assert_eq!(faults(ends), [[None; 6]; 3]);
    }

    #[test]
    #[should_panic = "the generator is stuck"]
    fn a_stuck_generator_panics_where_nobody_asks() {
        BitReader::new(Requests(|_, out: &mut [u8]| out.fill(0), 0)).bit();
    }

    #[test]
    #[should_panic = "could not be decided"]
    fn a_condemned_reader_panics_where_nobody_asks() {
        BitReader::new(Ramp(0)).condemn();
    }

    #[test]
    fn what_follows_a_fault_is_mixed_and_restarting_forgets_it() {
        let calls = core::cell::Cell::new(0);
        let count = |_, out: &mut [u8]| {
            calls.set(calls.get() + 1);
            out.fill(0);
        };
        let mut reader = BitReader::new(Requests(count, 0)).latching();
        let mut words = std::vec![0; 100 * BUFFER];
        reader.words(&mut words);
        assert!(words[..BUFFER].iter().all(|word| *word == 0));
        let ones: u32 = words[BUFFER..].iter().map(|word| word.count_ones()).sum();
        assert!((99 * 4096 - 2500..99 * 4096 + 2500).contains(&ones), "{ones}: eight standard deviations");
        assert_eq!(calls.get(), 1, "a stuck generator is not asked again");
        reader.restart(Requests(count, 0));
        assert_eq!((reader.fault(), reader.bits(64), reader.fault()), (None, 0, Some(Fault::Constant(0))));
    }

    /// Wherever it was, whatever it held.
    #[test]
    fn a_restarted_reader_is_a_new_one() {
        for read in [1, 64, 65, 1000, 8192, 8200] {
            let mut reader = BitReader::new(Ramp(7));
            (0..read).for_each(|_| assert!(reader.bits(1) < 2));
            reader.restart(Ramp(100));
            let mut new = BitReader::new(Ramp(100));
            assert!((1..=64).all(|n| reader.bits(n) == new.bits(n)), "after {read} bits");
        }
    }

    #[test]
    fn a_condemned_reader_asks_its_generator_for_nothing() {
        let mut bits = BitReader::new(Ramp(0)).latching();
        bits.condemn();
        assert_eq!(bits.fault(), Some(Fault::Undecided));
        let words: Vec<u64> = (0..300).map(|_| bits.bits(64)).collect();
        assert!(bits.rng_mut().0 == 0 && words.windows(2).all(|two| two[0] != two[1]));
    }

    #[test]
    fn debug_shows_names() {
        assert_eq!(std::format!("{:?}", BitReader::new(Ramp(0))), "BitReader { .. }");
    }
}
