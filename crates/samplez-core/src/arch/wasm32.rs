//! [`Eight`] in a register of simd128, which code compiled for a module that has it may use.

use core::arch::wasm32::*;

/// Eight words of 16 bits. Sums and products are modulo 2^16.
#[derive(Clone, Copy, Debug)]
pub struct Eight(v128);

impl Eight {
    /// Loads these words.
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
