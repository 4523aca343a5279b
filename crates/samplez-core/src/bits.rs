//! The bit layer: [`BitSource`], [`BitReader`], [`Counted`], the exact uniform and Bernoulli
//! draws that every sampler is made of.
//!
//! Entropy is fallible, bits are not: a source that can fail is asked before sampling begins
//! (see `samplez-sources`).

use bytemuck::cast_slice_mut;
use core::fmt;
use rand_core::{CryptoRng, Rng};
use zeroize::Zeroize;

/// A stream of independent fair bits.
///
/// # Example
///
/// ```
/// use samplez_core::bits::{BitReader, BitSource};
/// use samplez_sources::{ChaCha20, Seed};
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// // The first bytes of the keystream are 76 b8 e0 ad (RFC 8439, A.1): bits come LSB first.
/// assert_eq!(bits.bits(8), 0x76);
/// assert_eq!(bits.bits(4), 0x8);
/// ```
pub trait BitSource {
    /// The next `n` bits, 1 <= n <= 64: the first bit of the stream is the least significant.
    fn bits(&mut self, n: u32) -> u64;

    /// `out.len()` times [`bits(64)`](Self::bits).
    fn words(&mut self, out: &mut [u64]) {
        for word in out {
            *word = self.bits(64);
        }
    }

    /// The next bit.
    ///
    /// ```
    /// use samplez_core::bits::{BitReader, BitSource};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    /// assert!(!bits.bit() && bits.bit()); // 0x76 = …0110
    /// ```
    #[inline(always)]
    fn bit(&mut self) -> bool {
        self.bits(1) != 0
    }

    /// `outcome`, from here on public: a sampler that claims [`Timing::Isochronous`] tells by this
    /// whether a trial was accepted, and branches on nothing else. A source whose bits are marked
    /// as secret, for a test, takes the mark off.
    ///
    /// ```
    /// use samplez_core::bits::{BitReader, BitSource};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    /// assert_eq!(bits.declassify(1), 1);
    /// ```
    ///
    /// [`Timing::Isochronous`]: crate::profile::Timing::Isochronous
    #[inline(always)]
    fn declassify(&mut self, outcome: u32) -> u32 {
        outcome
    }
}

impl<B: BitSource + ?Sized> BitSource for &mut B {
    #[inline(always)]
    fn bits(&mut self, n: u32) -> u64 {
        (**self).bits(n)
    }
    #[inline]
    fn words(&mut self, out: &mut [u64]) {
        (**self).words(out);
    }
    #[inline(always)]
    fn declassify(&mut self, outcome: u32) -> u32 {
        (**self).declassify(outcome)
    }
}

/// Bits that come from a cryptographic generator. Schemes require it; a reader over a
/// generator that is not a [`CryptoRng`] does not have it.
///
/// ```
/// use samplez_core::bits::{BitReader, CryptoBits};
/// use samplez_sources::{ChaCha20, Seed};
/// fn keygen(bits: &mut impl CryptoBits) -> u64 { bits.bits(64) }
/// keygen(&mut BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32]))));
/// ```
pub trait CryptoBits: BitSource {}

impl<R: CryptoRng + ?Sized> CryptoBits for BitReader<R> {}
impl<B: CryptoBits + ?Sized> CryptoBits for &mut B {}
impl<B: CryptoBits> CryptoBits for Counted<B> {}

/// Words in a [`BitReader`]'s buffer.
const BUFFER: usize = 128;

/// A bit cursor over a generator: a block buffer, and nothing dropped.
///
/// The stream is the generator's byte stream, as the generator's `fill_bytes` gives it in
/// requests of 1024 bytes, each byte from its least significant bit up. It is the same on
/// machines of either byte order. The buffer is zeroised on drop.
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
    rng: R,
}

impl<R: Rng> BitReader<R> {
    /// A reader at the start of the generator's stream.
    ///
    /// ```
    /// use samplez_core::bits::BitReader;
    /// use samplez_sources::{ChaCha20, Seed};
    /// let reader = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    /// assert_eq!(format!("{reader:?}"), "BitReader { .. }");
    /// ```
    pub fn new(rng: R) -> Self {
        BitReader { acc: 0, left: 0, next: BUFFER, buffer: [0; BUFFER], rng }
    }

    /// A reader at the start of another generator's stream in the place of this one; no bit that was left
    /// is handed out. Cheaper than a new reader: the buffer is erased once, on drop.
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
        (self.acc, self.left, self.next) = (0, 0, BUFFER);
        self.rng = rng;
    }
}

impl<R: Rng + ?Sized> BitReader<R> {
    #[cold]
    #[inline(never)]
    fn refill(&mut self) {
        self.rng.fill_bytes(cast_slice_mut(&mut self.buffer));
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

    fn words(&mut self, mut out: &mut [u64]) {
        while !out.is_empty() {
            if self.next >= BUFFER {
                if self.left == 0 && out.len() >= BUFFER {
                    // What the buffer would get, and hand out as it is.
                    let (now, later) = out.split_at_mut(BUFFER);
                    self.rng.fill_bytes(cast_slice_mut(now));
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

impl<R: Rng + ?Sized> Drop for BitReader<R> {
    fn drop(&mut self) {
        self.acc.zeroize();
        self.buffer.zeroize();
    }
}

impl<R: Rng + ?Sized> fmt::Debug for BitReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BitReader").finish_non_exhaustive()
    }
}

/// Counts the bits that pass through it.
///
/// ```
/// use samplez_core::bits::{BitReader, BitSource, Counted};
/// use samplez_sources::{ChaCha20, Seed};
/// let mut bits = Counted::new(BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32]))));
/// bits.bits(13);
/// bits.words(&mut [0; 2]);
/// assert_eq!(bits.count(), 141);
/// ```
#[derive(Debug)]
pub struct Counted<B> {
    inner: B,
    count: u64,
}

impl<B> Counted<B> {
    /// Counts from zero.
    ///
    /// ```
    /// # use samplez_core::bits::{BitReader, Counted};
    /// # use samplez_sources::{ChaCha20, Seed};
    /// # let inner = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    /// assert_eq!(Counted::new(inner).count(), 0);
    /// ```
    pub const fn new(inner: B) -> Self {
        Counted { inner, count: 0 }
    }

    /// Bits handed out so far.
    ///
    /// ```
    /// # use samplez_core::bits::{BitReader, BitSource, Counted};
    /// # use samplez_sources::{ChaCha20, Seed};
    /// # let inner = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    /// let mut bits = Counted::new(inner);
    /// bits.bit();
    /// assert_eq!(bits.count(), 1);
    /// ```
    pub const fn count(&self) -> u64 {
        self.count
    }
}

impl<B: BitSource> BitSource for Counted<B> {
    #[inline(always)]
    fn bits(&mut self, n: u32) -> u64 {
        self.count += u64::from(n);
        self.inner.bits(n)
    }
    #[inline]
    fn words(&mut self, out: &mut [u64]) {
        self.count += 64 * out.len() as u64;
        self.inner.words(out);
    }
    #[inline(always)]
    fn declassify(&mut self, outcome: u32) -> u32 {
        self.inner.declassify(outcome)
    }
}

/// A uniform integer in 0 … m-1 from at most lg(m) + 2 bits on average \[Lum13\].
///
/// # Law
///
/// Exactly uniform on {0, …, m-1}. m = 1 draws nothing.
///
/// Lumbroso's Fast Dice Roller, with the first ⌈lg m⌉ bits drawn at once: (v, c) with c
/// uniform below v; when v >= m, either c < m is the result or (v-m, c-m) goes on, so no
/// randomness is thrown away.
///
/// # Panics
///
/// If m = 0.
///
/// ```
/// use samplez_core::bits::{uniform_below, BitReader};
/// use samplez_sources::{ChaCha20, Seed};
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// assert!((0..100).all(|_| uniform_below(6, &mut bits) < 6));
/// ```
#[inline]
pub fn uniform_below<B: BitSource + ?Sized>(m: u64, bits: &mut B) -> u64 {
    assert!(m > 0, "uniform_below: m = 0, must be at least 1");
    // c is uniform on 0 … v-1, and v < m, at the head of the loop.
    let (mut v, mut c): (u128, u128) = (1, 0);
    let m = u128::from(m);
    while v < m {
        // The least t with v·2^t >= m; v·2^t < 2m <= 2^65.
        let t = (m - 1).ilog2() + 1 - (v - 1).checked_ilog2().map_or(0, |e| e + 1);
        let t = if v << t >= m { t } else { t + 1 };
        v <<= t;
        c = c << t | u128::from(bits.bits(t));
        if c < m {
            return c as u64;
        }
        v -= m;
        c -= m;
    }
    // Only m = 1 gets here: v = 1 on entry.
    0
}

/// A uniform real number in \[0, 1), revealed bit by bit, of which only the first `len` bits
/// have been drawn.
///
/// ```
/// use samplez_core::bits::{BitReader, LazyUniform};
/// use samplez_sources::{ChaCha20, Seed};
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// // Its first two bits are known to be 01, so it is below 1/2 whatever follows.
/// assert!(LazyUniform::new(0b01, 2).is_below(1, 2, &mut bits));
/// ```
#[derive(Clone, Copy)]
pub struct LazyUniform {
    prefix: u64,
    len: u32,
}

impl LazyUniform {
    /// The uniform whose first `len` <= 64 binary places, most significant first, are `prefix`.
    ///
    /// ```
    /// use samplez_core::bits::LazyUniform;
    /// let nothing_known = LazyUniform::new(0, 0);
    /// assert_eq!(format!("{nothing_known:?}"), "LazyUniform { .. }");
    /// ```
    pub const fn new(prefix: u64, len: u32) -> Self {
        debug_assert!(len <= 64 && (len == 64 || prefix >> len == 0));
        LazyUniform { prefix, len }
    }

    /// Whether the uniform is below num/den, drawing further bits only until that is certain
    /// (2 of them on average once the prefix is used up).
    ///
    /// # Law
    ///
    /// True with probability exactly P(U < num/den | prefix). Requires num <= den, and
    /// 1 <= den <= 2^127.
    ///
    /// ```
    /// use samplez_core::bits::{BitReader, LazyUniform};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    /// let hits = (0..3000).filter(|_| LazyUniform::new(0, 0).is_below(1, 3, &mut bits)).count();
    /// assert!((900..1100).contains(&hits));
    /// ```
    pub fn is_below<B: BitSource + ?Sized>(self, num: u128, den: u128, bits: &mut B) -> bool {
        debug_assert!(num <= den && (1..=1 << 127).contains(&den));
        if num == den {
            return true;
        }
        // Long division gives num/den's places one by one; the first that differs decides.
        let mut rest = num;
        let mut place = |drawn: bool| {
            rest <<= 1;
            let digit = rest >= den;
            if digit {
                rest -= den;
            }
            (digit != drawn).then_some(digit)
        };
        for i in (0..self.len).rev() {
            if let Some(below) = place(self.prefix >> i & 1 != 0) {
                return below;
            }
        }
        loop {
            if let Some(below) = place(bits.bit()) {
                return below;
            }
        }
    }
}

impl fmt::Debug for LazyUniform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LazyUniform").finish_non_exhaustive()
    }
}

/// True with probability exactly num/den, from 2 bits on average (none if num = den).
///
/// # Law
///
/// Bernoulli(num/den). Requires num <= den and 1 <= den <= 2^127.
///
/// ```
/// use samplez_core::bits::{bernoulli, BitReader};
/// use samplez_sources::{ChaCha20, Seed};
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// assert!(bernoulli(1, 1, &mut bits) && !bernoulli(0, 1, &mut bits));
/// ```
#[inline]
pub fn bernoulli<B: BitSource + ?Sized>(num: u128, den: u128, bits: &mut B) -> bool {
    LazyUniform::new(0, 0).is_below(num, den, bits)
}

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

    /// A tape of 64 bits, least significant first, that counts what is read. The tests walk all
    /// values of its first bits; the others are any fixed bits, so that every draw ends.
    struct Tape {
        rest: u64,
        spent: u32,
    }

    impl Tape {
        fn new(tape: u64, len: u32) -> Self {
            Tape { rest: tape | 0x9e37_79b9_7f4a_7c15 << len, spent: 0 }
        }
    }

    impl BitSource for Tape {
        fn bits(&mut self, n: u32) -> u64 {
            self.spent += n;
            assert!(self.spent <= 64, "the tape is long enough");
            let value = self.rest & (u64::MAX >> (64 - n));
            self.rest = self.rest >> (n - 1) >> 1;
            value
        }
    }

    #[test]
    fn uniform_is_uniform_and_frugal() {
        // Over every tape of 18 bits, m = 2^a·3^b values: exact counts where the draw ends in time.
        for m in [1_u64, 2, 3, 5, 6, 7, 8, 12, 31, 33, 100] {
            let mut counts = std::vec![0_u64; m as usize];
            let mut used = 0;
            let depth = 18;
            let mut undecided = 0;
            for tape in 0..1_u64 << depth {
                let mut bits = Tape::new(tape, depth);
                let value = uniform_below(m, &mut bits);
                if bits.spent > depth {
                    undecided += 1;
                } else {
                    counts[value as usize] += 1;
                }
                used += u64::from(bits.spent);
            }
            let (low, high) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
            assert!(high - low <= undecided, "m = {m}: {counts:?}");
            assert!(undecided * m < 40 << 7, "m = {m}: {undecided} undecided");
            let mean = used as f64 / (1_u64 << depth) as f64;
            assert!(mean <= (m as f64).log2() + 2.0, "m = {m}: {mean} bits");
        }
        assert_eq!(uniform_below(u64::MAX, &mut Tape::new(5, 63)), 1 << 63 | 5);
    }

    #[test]
    fn bernoulli_has_its_probability() {
        for (num, den) in
            [(0_u128, 1_u128), (1, 1), (1, 2), (1, 3), (2, 7), (5, 8), (999, 1000), ((1 << 127) - 1, 1 << 127)]
        {
            let depth = 16;
            let hits =
                (0..1_u64 << depth).filter(|tape| bernoulli(num, den, &mut Tape::new(*tape, depth))).count() as f64;
            // At most one of the 2^16 tapes is undecided at its end.
            let p = num as f64 / den as f64;
            assert!((hits / 65536.0 - p).abs() <= 1.0 / 65536.0, "{num}/{den}: {hits}");
        }
        // A prefix is a part of the draw: P(U < 5/8) over all two-bit prefixes.
        let of = |prefix| {
            (0..1_u64 << 10).filter(|t| LazyUniform::new(prefix, 2).is_below(5, 8, &mut Tape::new(*t, 10))).count()
        };
        assert_eq!([of(0), of(1), of(2), of(3)], [1024, 1024, 512, 0]);
    }
}
