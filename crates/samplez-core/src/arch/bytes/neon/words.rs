//! 16-bit numbers in the registers of NEON.

use super::Neon;
use crate::arch::bytes::words::Words;
use core::arch::aarch64::*;

/// The register as 16-bit numbers.
#[inline(always)]
fn numbers(register: Neon) -> uint16x8_t {
    // SAFETY: the target has NEON.
    unsafe { vreinterpretq_u16_u8(register.0) }
}

/// 16-bit numbers as a register.
#[inline(always)]
fn register(numbers: uint16x8_t) -> Neon {
    // SAFETY: the target has NEON.
    Neon(unsafe { vreinterpretq_u8_u16(numbers) })
}

impl Words for Neon {
    type Mask16 = uint16x8_t;
    /// The low bytes and the high bytes.
    type Table16 = [uint8x16_t; 2];
    type Keys16 = [Self; 15];

    #[inline(always)]
    fn splat16(number: u16) -> Self {
        // SAFETY: the target has NEON.
        register(unsafe { vdupq_n_u16(number) })
    }
    #[inline(always)]
    fn table16(entries: &[u16; 16]) -> [uint8x16_t; 2] {
        let bytes = |shift: u32| entries.map(|entry| (entry >> shift) as u8);
        // SAFETY: the target has NEON; reads of the 16 bytes.
        [0, 8].map(|shift| unsafe { vld1q_u8(bytes(shift).as_ptr()) })
    }
    #[inline(always)]
    fn look_up16(indices: [Self; 2], [low, high]: [uint8x16_t; 2]) -> [Self; 2] {
        let index = Self::narrow(indices).0;
        // SAFETY: the target has NEON.
        unsafe {
            let (low, high) = (vqtbl1q_u8(low, index), vqtbl1q_u8(high, index));
            [Neon(vzip1q_u8(low, high)), Neon(vzip2q_u8(low, high))]
        }
    }
    #[inline(always)]
    fn keys16(keys: &[u16; 16]) -> [Self; 15] {
        let mut all = [Self::splat16(0); 15];
        for (key, number) in all.iter_mut().zip(keys) {
            *key = Self::splat16(*number);
        }
        all
    }
    #[inline(always)]
    fn keys_above16(self, keys: &[Self; 15]) -> Self {
        let mut count = Self::splat16(0);
        for key in keys {
            // A mask is -1.
            // SAFETY: the target has NEON.
            count = register(unsafe { vsubq_u16(numbers(count), vcltq_u16(numbers(self), numbers(*key))) });
        }
        count
    }
    #[inline(always)]
    fn plus16(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        register(unsafe { vaddq_u16(numbers(self), numbers(other)) })
    }
    #[inline(always)]
    fn minus16(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        register(unsafe { vsubq_u16(numbers(self), numbers(other)) })
    }
    #[inline(always)]
    fn minus_saturating16(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        register(unsafe { vqsubq_u16(numbers(self), numbers(other)) })
    }
    #[inline(always)]
    fn min16(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        register(unsafe { vminq_u16(numbers(self), numbers(other)) })
    }
    #[inline(always)]
    fn product16(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        register(unsafe {
            let [a, b] = [self, other].map(|register| vreinterpretq_s16_u8(register.0));
            vreinterpretq_u16_s16(vqrdmulhq_s16(a, b))
        })
    }
    #[inline(always)]
    fn shl16(self, n: u32) -> Self {
        // SAFETY: the target has NEON.
        register(unsafe { vshlq_u16(numbers(self), vdupq_n_s16(n as i16)) })
    }
    #[inline(always)]
    fn shr16(self, n: u32) -> Self {
        // SAFETY: the target has NEON.
        register(unsafe { vshlq_u16(numbers(self), vdupq_n_s16(-(n as i16))) })
    }
    #[inline(always)]
    fn shr_each16(self, n: Self) -> Self {
        // SAFETY: the target has NEON.
        register(unsafe { vshlq_u16(numbers(self), vnegq_s16(vreinterpretq_s16_u8(n.0))) })
    }
    #[inline(always)]
    fn below16(self, other: Self) -> uint16x8_t {
        // SAFETY: the target has NEON.
        unsafe { vcltq_u16(numbers(self), numbers(other)) }
    }
    #[inline(always)]
    fn where16(self, mask: uint16x8_t) -> Self {
        // SAFETY: the target has NEON.
        register(unsafe { vandq_u16(numbers(self), mask) })
    }
    #[inline(always)]
    fn widen(self) -> [Self; 2] {
        // SAFETY: the target has NEON.
        unsafe { [register(vmovl_u8(vget_low_u8(self.0))), register(vmovl_high_u8(self.0))] }
    }
    #[inline(always)]
    fn narrow([low, high]: [Self; 2]) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { vuzp1q_u8(low.0, high.0) })
    }
    #[inline(always)]
    fn bits(mask: uint8x16_t) -> u64 {
        const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
        // SAFETY: the target has NEON; a read of the 16 bytes.
        unsafe {
            let bits = vandq_u8(mask, vld1q_u8(BITS.as_ptr()));
            u64::from(vaddv_u8(vget_low_u8(bits))) | u64::from(vaddv_u8(vget_high_u8(bits))) << 8
        }
    }
    #[inline(always)]
    fn shuffle8(bytes: [u8; 8], places: &[u8; 8]) -> [u8; 8] {
        let mut moved = [0; 8];
        // SAFETY: the target has NEON; reads and a write of 8 bytes.
        unsafe { vst1_u8(moved.as_mut_ptr(), vtbl1_u8(vld1_u8(bytes.as_ptr()), vld1_u8(places.as_ptr()))) };
        moved
    }
}
