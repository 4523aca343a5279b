//! [`Register`] in the registers of simd128, which code compiled for a module that has them may use.

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
