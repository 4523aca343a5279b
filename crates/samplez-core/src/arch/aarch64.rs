//! [`Register`] in the registers of NEON, which belongs to the targets that this is compiled for.

use super::register::Register;
use core::arch::aarch64::*;

/// Four registers of 128 bits.
#[derive(Clone, Copy)]
pub(super) struct Neon([uint64x2_t; 4]);

impl Neon {
    #[inline(always)]
    fn map2(self, other: Self, f: impl Fn(uint64x2_t, uint64x2_t) -> uint64x2_t) -> Self {
        let ([a, b, c, d], [e, g, h, i]) = (self.0, other.0);
        Neon([f(a, e), f(b, g), f(c, h), f(d, i)])
    }

    /// Shifts by a number of places whose sign is the direction; by 64 or more to zero.
    #[inline(always)]
    fn shifted(self, left: i64) -> Self {
        // SAFETY: the target has NEON.
        self.map2(self, |a, _| unsafe { vshlq_u64(a, vdupq_n_s64(left)) })
    }

    /// The bits of `self` where the mask has ones, elsewhere those of the other.
    #[inline(always)]
    fn select(self, other: Self, mask: u64) -> Self {
        // SAFETY: the target has NEON.
        self.map2(other, |a, b| unsafe { vbslq_u64(vdupq_n_u64(mask), a, b) })
    }
}

impl Register for Neon {
    #[inline(always)]
    fn load(words: &[u64; 8]) -> Self {
        let at = words.as_ptr();
        // SAFETY: the target has NEON; four reads within the 64 bytes.
        Neon(unsafe { [vld1q_u64(at), vld1q_u64(at.add(2)), vld1q_u64(at.add(4)), vld1q_u64(at.add(6))] })
    }
    #[inline(always)]
    fn store(self, words: &mut [u64; 8]) {
        let at = words.as_mut_ptr();
        for (i, x) in self.0.into_iter().enumerate() {
            // SAFETY: the target has NEON; a write within the 64 bytes.
            unsafe { vst1q_u64(at.add(2 * i), x) };
        }
    }
    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: the target has NEON.
        Neon([unsafe { vdupq_n_u64(word) }; 4])
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        self.map2(other, |a, b| unsafe { vandq_u64(a, b) })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        self.map2(other, |a, b| unsafe { vorrq_u64(a, b) })
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        self.map2(other, |a, b| unsafe { veorq_u64(a, b) })
    }
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        self.shifted(n.min(64).into())
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        self.shifted(-i64::from(n.min(64)))
    }
    #[inline(always)]
    fn exchange(self, other: Self, shift: u32, mask: u64) -> (Self, Self) {
        (self.select(other.shl(shift), mask), self.shr(shift).select(other, mask))
    }
}
