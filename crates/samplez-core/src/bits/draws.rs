//! Exact draws: uniform integers, lazily revealed uniforms, Bernoulli.

use super::source::BitSource;
use core::fmt;

/// Draws a uniform integer in 0 … m-1, from at most lg(m) + 2 bits on average \[Lum13\].
///
/// # Law
///
/// Exactly uniform on {0, …, m-1}. m = 1 draws nothing.
///
/// Lumbroso's Fast Dice Roller, with the first ⌈lg m⌉ bits drawn at once. It has (v, c) with c uniform below v. When
/// v >= m, either c < m is the result or (v-m, c-m) goes on, so no randomness is thrown away.
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
    assert!(m > 0, "uniform_below: m = 0: expected at least 1");
    // c is uniform on 0 … v-1, and v < m, at the head of the loop.
    let (mut v, mut c): (u128, u128) = (1, 0);
    let m = u128::from(m);
    while v < m {
        // The least t with v·2^t >= m; v·2^t < 2m <= 2^65.
        let t = m.ilog2() - v.ilog2();
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

/// Draws a uniform number of t bits, and returns whether it is below n <= 2^t, t >= 1. It takes whole words, the
/// highest bits first, until the answer is certain. The answer is public: it is independent of the samples.
#[doc(hidden)]
pub fn below<B: BitSource + ?Sized>(t: u32, n: u64, bits: &mut B) -> bool {
    let mut left = t;
    while left > 64 {
        let some = (left - 1) % 64 + 1;
        let is_high = bits.bits(64) << (64 - some) != 0;
        if bits.declassify(is_high.into()) != 0 {
            return false;
        }
        left -= some;
    }
    let is_below = bits.bits(64) & (u64::MAX >> (64 - left)) < n;
    bits.declassify(is_below.into()) != 0
}

/// A uniform real number in \[0, 1), of which only the first `len` bits have been drawn.
///
/// ```
/// use samplez_core::{bits::BitReader, testing::LazyUniform};
/// use samplez_sources::{ChaCha20, Seed};
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// // Its first two bits are known to be 01, so it is below 1/2 whatever follows.
/// assert!(LazyUniform::new(0b01, 2).is_below(1, 2, &mut bits));
/// ```
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "testing"), allow(unreachable_pub))]
pub struct LazyUniform {
    prefix: u64,
    len: u32,
}

#[cfg_attr(not(feature = "testing"), allow(unreachable_pub))]
impl LazyUniform {
    /// Builds the number whose first `len` <= 64 binary places are `prefix`, most significant first.
    ///
    /// ```
    /// use samplez_core::testing::LazyUniform;
    /// let nothing_known = LazyUniform::new(0, 0);
    /// assert_eq!(format!("{nothing_known:?}"), "LazyUniform { .. }");
    /// ```
    pub const fn new(prefix: u64, len: u32) -> Self {
        debug_assert!(len <= 64 && (len == 64 || prefix >> len == 0));
        LazyUniform { prefix, len }
    }

    /// Returns whether the number is below num/den. It draws further bits only until that is certain: after the
    /// prefix, 2 on average.
    ///
    /// # Law
    ///
    /// True with probability exactly P(U < num/den | prefix). Requires num <= den, and
    /// 1 <= den <= 2^127.
    ///
    /// ```
    /// use samplez_core::{bits::BitReader, testing::LazyUniform};
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

/// Returns true with probability exactly num/den, from 2 bits on average (none if num = den).
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

    #[test]
    fn debug_shows_names() {
        assert_eq!(std::format!("{:?}", LazyUniform::new(0, 0)), "LazyUniform { .. }");
    }

    /// The lowest bits of words, highest words first.
    #[test]
    fn a_number_of_many_bits_is_compared() {
        struct Words(std::vec::Vec<u64>);
        impl BitSource for Words {
            fn bits(&mut self, n: u32) -> u64 {
                assert_eq!(n, 64);
                self.0.remove(0)
            }
        }
        let ask = |t, n, words: &[u64]| {
            let mut words = Words(words.to_vec());
            (below(t, n, &mut words), words.0.len())
        };
        assert_eq!([ask(3, 8, &[7]), ask(3, 7, &[15]), ask(3, 7, &[14])], [(true, 0), (false, 0), (true, 0)]);
        assert_eq!([ask(64, 5, &[4]), ask(64, 5, &[5])], [(true, 0), (false, 0)]);
        let high = 1 << 56;
        assert_eq!([ask(120, 8192, &[high, 8191]), ask(120, 8192, &[high, 8192])], [(true, 0), (false, 0)]);
        assert_eq!([ask(120, 8192, &[1, 9]), ask(120, 8192, &[high >> 1, 9])], [(false, 1), (false, 1)]);
        assert_eq!(
            [ask(65, 1, &[2, 0]), ask(65, 1, &[1, 0]), ask(65, 1, &[2, 1])],
            [(true, 0), (false, 1), (false, 0)]
        );
        assert_eq!([ask(250, 1, &[0, 0, 0, 0]), ask(250, 1, &[0, 0, 1, 0])], [(true, 0), (false, 1)]);
    }
}
