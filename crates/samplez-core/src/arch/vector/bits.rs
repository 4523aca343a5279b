//! Vectors of bits.

/// A vector of 64-bit words, of whatever width the machine has.
///
/// The implementation for `u64` is the specification. An array of vectors is a vector.
pub(crate) trait Vector: Copy {
    /// How many words.
    const WORDS: usize;
    /// The first words.
    fn load(words: &[u64]) -> Self;
    /// To the first words.
    fn store(self, words: &mut [u64]);
    /// This word everywhere.
    fn splat(word: u64) -> Self;
    /// a & b.
    fn and(self, other: Self) -> Self;
    /// a | b.
    fn or(self, other: Self) -> Self;
    /// a ^ b.
    fn xor(self, other: Self) -> Self;
    /// Each word shifted left; by 64 or more to zero.
    fn shl(self, n: u32) -> Self;
    /// Each word shifted right; by 64 or more to zero.
    fn shr(self, n: u32) -> Self;
    /// Of 16-bit numbers: a - b modulo 2^16.
    fn minus16(self, other: Self) -> Self;
    /// Of 16-bit numbers: a - b, or 0.
    fn minus_saturating16(self, other: Self) -> Self;

    /// Of 16-bit numbers: the lesser.
    #[inline(always)]
    fn min16(self, other: Self) -> Self {
        self.minus16(self.minus_saturating16(other))
    }

    /// This 16-bit number everywhere.
    #[inline(always)]
    fn splat16(number: u16) -> Self {
        Self::splat(u64::from(number) * 0x0001_0001_0001_0001)
    }

    /// All bits inverted.
    #[inline(always)]
    fn not(self) -> Self {
        self.xor(Self::splat(u64::MAX))
    }

    /// Swaps the bits of `self` outside the mask with the bits of `other` inside it, `shift` places lower. `mask` is one
    /// of every two stretches of `shift` bits, the lower one.
    #[inline(always)]
    fn exchange(self, other: Self, shift: u32, mask: u64) -> (Self, Self) {
        let differing = self.shr(shift).xor(other).and(Self::splat(mask));
        (self.xor(differing.shl(shift)), other.xor(differing))
    }
}

/// An operation on the four 16-bit numbers of words.
#[inline(always)]
fn each16(a: u64, b: u64, operation: impl Fn(u16, u16) -> u16) -> u64 {
    (0..4).fold(0, |word, i| word | u64::from(operation((a >> (16 * i)) as u16, (b >> (16 * i)) as u16)) << (16 * i))
}

impl Vector for u64 {
    const WORDS: usize = 1;
    #[inline(always)]
    fn load(words: &[u64]) -> Self {
        words[0]
    }
    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        words[0] = self;
    }
    #[inline(always)]
    fn splat(word: u64) -> Self {
        word
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self ^ other
    }
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        self.checked_shl(n).unwrap_or(0)
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        self.checked_shr(n).unwrap_or(0)
    }
    #[inline(always)]
    fn minus16(self, other: Self) -> Self {
        each16(self, other, u16::wrapping_sub)
    }
    #[inline(always)]
    fn minus_saturating16(self, other: Self) -> Self {
        each16(self, other, u16::saturating_sub)
    }
}

/// Operations on each vector of arrays: with the other array's, or by so many places.
macro_rules! each {
    ($($name:ident)*; $($shift:ident)*) => {
        $(
            #[inline(always)]
            fn $name(mut self, other: Self) -> Self {
                for (a, b) in self.iter_mut().zip(other) {
                    *a = a.$name(b);
                }
                self
            }
        )*
        $(
            #[inline(always)]
            fn $shift(mut self, n: u32) -> Self {
                for a in &mut self {
                    *a = a.$shift(n);
                }
                self
            }
        )*
    };
}

impl<V: Vector, const N: usize> Vector for [V; N] {
    const WORDS: usize = N * V::WORDS;
    #[inline(always)]
    fn load(words: &[u64]) -> Self {
        let mut vectors = [V::splat(0); N];
        for (i, vector) in vectors.iter_mut().enumerate() {
            *vector = V::load(&words[i * V::WORDS..]);
        }
        vectors
    }
    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        for (i, vector) in self.into_iter().enumerate() {
            vector.store(&mut words[i * V::WORDS..]);
        }
    }
    #[inline(always)]
    fn splat(word: u64) -> Self {
        [V::splat(word); N]
    }
    #[inline(always)]
    fn exchange(mut self, mut other: Self, shift: u32, mask: u64) -> (Self, Self) {
        for (a, b) in self.iter_mut().zip(&mut other) {
            (*a, *b) = a.exchange(*b, shift, mask);
        }
        (self, other)
    }
    each! { and or xor minus16 minus_saturating16 min16; shl shr }
}
