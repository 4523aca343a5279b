//! 512 bits at once.

/// 512 bits as eight words, in registers of whatever width the backend has.
///
/// The implementation for `[u64; 8]` is the specification of the others.
pub(crate) trait Register: Copy {
    /// These words.
    fn load(words: &[u64; 8]) -> Self;
    /// Writes the words.
    fn store(self, words: &mut [u64; 8]);
    /// Eight times this word.
    fn splat(word: u64) -> Self;
    /// Bit by bit.
    fn and(self, other: Self) -> Self;
    /// Bit by bit.
    fn or(self, other: Self) -> Self;
    /// Bit by bit.
    fn xor(self, other: Self) -> Self;
    /// Each word shifted left; by 64 or more to zero.
    fn shl(self, n: u32) -> Self;
    /// Each word shifted right; by 64 or more to zero.
    fn shr(self, n: u32) -> Self;

    /// Bit by bit.
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

impl Register for [u64; 8] {
    #[inline(always)]
    fn load(words: &[u64; 8]) -> Self {
        *words
    }
    #[inline(always)]
    fn store(self, words: &mut [u64; 8]) {
        *words = self;
    }
    #[inline(always)]
    fn splat(word: u64) -> Self {
        [word; 8]
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        core::array::from_fn(|i| self[i] & other[i])
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        core::array::from_fn(|i| self[i] | other[i])
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        core::array::from_fn(|i| self[i] ^ other[i])
    }
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        self.map(|word| word.checked_shl(n).unwrap_or(0))
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        self.map(|word| word.checked_shr(n).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::Register;
    use crate::arch::planes::LOW;
    use crate::arch::{Backend, RegisterKernel};
    use std::vec::Vec;

    /// Every operation on two blocks of words.
    struct Operations<'a>(&'a [[u64; 8]; 2]);

    impl RegisterKernel for Operations<'_> {
        type Output = Vec<[u64; 8]>;
        #[inline(always)]
        fn run<V: Register>(self) -> Vec<[u64; 8]> {
            let [a, b] = self.0.map(|words| V::load(&words));
            let mut results = [V::splat(7), a.and(b), a.or(b), a.xor(b), a.not()].to_vec();
            results.extend(LOW.into_iter().enumerate().flat_map(|(k, low)| <[V; 2]>::from(a.exchange(b, 1 << k, low))));
            results.extend([0, 1, 13, 63, 64].into_iter().flat_map(|n| [a.shl(n), a.shr(n)]));
            let words = |v: V| {
                let mut words = [0; 8];
                v.store(&mut words);
                words
            };
            results.into_iter().map(words).collect()
        }
    }

    #[test]
    fn every_backend_has_the_same_operations() {
        let mut state = 1_u64;
        for _ in 0..50 {
            let words: [[u64; 8]; 2] = core::array::from_fn(|_| {
                core::array::from_fn(|_| {
                    state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                    state ^ state >> 29
                })
            });
            let want = Operations(&words).run::<[u64; 8]>();
            let [[a, ..], [b, ..]] = words;
            for (pair, (k, low)) in want[5..].chunks(2).zip(LOW.into_iter().enumerate()) {
                assert_eq!([pair[0][0], pair[1][0]], [a & low | (b & low) << (1 << k), a >> (1 << k) & low | b & !low]);
            }
            for backend in Backend::available() {
                assert_eq!(backend.run_in_registers(Operations(&words)), want, "{backend}");
            }
        }
    }
}
