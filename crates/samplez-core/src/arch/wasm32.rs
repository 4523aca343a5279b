//! [`Register`] and [`Eight`] in the registers of simd128, which code compiled for a module that has them may use.

use super::register::Register;
use core::arch::wasm32::*;

/// Four registers of 128 bits.
#[derive(Clone, Copy)]
pub(super) struct Simd128([v128; 4]);

impl Simd128 {
    #[inline(always)]
    fn map2(self, other: Self, f: impl Fn(v128, v128) -> v128) -> Self {
        let ([a, b, c, d], [e, g, h, i]) = (self.0, other.0);
        Simd128([f(a, e), f(b, g), f(c, h), f(d, i)])
    }
}

impl Register for Simd128 {
    #[inline(always)]
    fn load(words: &[u64; 8]) -> Self {
        let at = words.as_ptr().cast::<v128>();
        // SAFETY: four reads within the 64 bytes, which need not be aligned.
        Simd128(unsafe { [v128_load(at), v128_load(at.add(1)), v128_load(at.add(2)), v128_load(at.add(3))] })
    }
    #[inline(always)]
    fn store(self, words: &mut [u64; 8]) {
        let at = words.as_mut_ptr().cast::<v128>();
        for (i, x) in self.0.into_iter().enumerate() {
            // SAFETY: a write within the 64 bytes, which need not be aligned.
            unsafe { v128_store(at.add(i), x) };
        }
    }
    #[inline(always)]
    fn splat(word: u64) -> Self {
        Simd128([u64x2_splat(word); 4])
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.map2(other, |a, b| v128_and(a, b))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.map2(other, |a, b| v128_or(a, b))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.map2(other, |a, b| v128_xor(a, b))
    }
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        // The instruction takes n modulo 64.
        if n < 64 { self.map2(self, |a, _| u64x2_shl(a, n)) } else { Self::splat(0) }
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        if n < 64 { self.map2(self, |a, _| u64x2_shr(a, n)) } else { Self::splat(0) }
    }
}

/// Eight words of 16 bits. Sums and products are modulo 2^16.
#[derive(Clone, Copy, Debug)]
pub struct Eight(v128);

impl Eight {
    /// These words.
    #[inline(always)]
    pub fn load(words: &[i16; 8]) -> Self {
        // SAFETY: a read of the 16 bytes, which need not be aligned.
        Eight(unsafe { v128_load(words.as_ptr().cast()) })
    }
    /// Writes the words.
    #[inline(always)]
    pub fn store(self, words: &mut [i16; 8]) {
        // SAFETY: a write of the 16 bytes, which need not be aligned.
        unsafe { v128_store(words.as_mut_ptr().cast(), self.0) };
    }
    /// Eight times this word.
    #[inline(always)]
    pub fn splat(word: i16) -> Self {
        Eight(i16x8_splat(word))
    }
    /// a + b.
    #[inline(always)]
    pub fn add(self, other: Self) -> Self {
        Eight(i16x8_add(self.0, other.0))
    }
    /// a - b.
    #[inline(always)]
    pub fn subtract(self, other: Self) -> Self {
        Eight(i16x8_sub(self.0, other.0))
    }
    /// ab.
    #[inline(always)]
    pub fn multiply(self, other: Self) -> Self {
        Eight(i16x8_mul(self.0, other.0))
    }
    /// ⌊ab/2^15⌉, halves up; 2^15 - 1 of a = b = -2^15.
    #[inline(always)]
    pub fn rounded(self, other: Self) -> Self {
        Eight(i16x8_q15mulr_sat(self.0, other.0))
    }
    /// ⌊a/2^n⌋.
    #[inline(always)]
    pub fn shift(self, n: u32) -> Self {
        Eight(i16x8_shr(self.0, n))
    }
    /// a₀ b₀ a₁ b₁ … b₃, and a₄ b₄ … b₇.
    #[inline(always)]
    pub fn merge(self, other: Self) -> [Self; 2] {
        [
            Eight(i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(self.0, other.0)),
            Eight(i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(self.0, other.0)),
        ]
    }
}
