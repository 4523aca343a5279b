//! 16-bit numbers in the registers of WebAssembly's simd128.

use super::Simd128;
use crate::arch::bytes::words::Words;
use core::arch::wasm32::*;

impl Words for Simd128 {
    type Mask16 = v128;
    /// The low bytes and the high bytes.
    type Table16 = [v128; 2];
    type Keys16 = [Self; 15];

    #[inline(always)]
    fn splat16(number: u16) -> Self {
        Simd128(u16x8_splat(number))
    }
    #[inline(always)]
    fn table16(entries: &[u16; 16]) -> [v128; 2] {
        let bytes = |shift: u32| entries.map(|entry| (entry >> shift) as u8);
        // SAFETY: reads of the 16 bytes, which need not be aligned.
        [0, 8].map(|shift| unsafe { v128_load(bytes(shift).as_ptr().cast()) })
    }
    #[inline(always)]
    fn look_up16(indices: [Self; 2], [low, high]: [v128; 2]) -> [Self; 2] {
        let index = Self::narrow(indices).0;
        let (low, high) = (u8x16_swizzle(low, index), u8x16_swizzle(high, index));
        let first = u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(low, high);
        let second = u8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(low, high);
        [Simd128(first), Simd128(second)]
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
            count = Simd128(u16x8_sub(count.0, u16x8_lt(self.0, key.0)));
        }
        count
    }
    #[inline(always)]
    fn plus16(self, other: Self) -> Self {
        Simd128(u16x8_add(self.0, other.0))
    }
    #[inline(always)]
    fn minus16(self, other: Self) -> Self {
        Simd128(u16x8_sub(self.0, other.0))
    }
    #[inline(always)]
    fn minus_saturating16(self, other: Self) -> Self {
        Simd128(u16x8_sub_sat(self.0, other.0))
    }
    #[inline(always)]
    fn min16(self, other: Self) -> Self {
        Simd128(u16x8_min(self.0, other.0))
    }
    #[inline(always)]
    fn product16(self, other: Self) -> Self {
        Simd128(i16x8_q15mulr_sat(self.0, other.0))
    }
    #[inline(always)]
    fn shl16(self, n: u32) -> Self {
        Simd128(u16x8_shl(self.0, n))
    }
    #[inline(always)]
    fn shr16(self, n: u32) -> Self {
        Simd128(u16x8_shr(self.0, n))
    }
    #[inline(always)]
    fn shr_each16(self, n: Self) -> Self {
        // 2^(16 - n) in the high byte for 1 <= n, and the high half of the product by it.
        let powers = u64x2(0x0204_0810_2040_8000, 0);
        let power = u8x16_swizzle(powers, v128_or(u16x8_shl(n.0, 8), u16x8_splat(0x80)));
        let [low, high] = [u32x4_extmul_low_u16x8(self.0, power), u32x4_extmul_high_u16x8(self.0, power)];
        let shifted = u16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(low, high);
        Simd128(v128_or(shifted, v128_and(self.0, u16x8_eq(n.0, u16x8_splat(0)))))
    }
    #[inline(always)]
    fn below16(self, other: Self) -> v128 {
        u16x8_lt(self.0, other.0)
    }
    #[inline(always)]
    fn where16(self, mask: v128) -> Self {
        Simd128(v128_and(self.0, mask))
    }
    #[inline(always)]
    fn widen(self) -> [Self; 2] {
        [Simd128(u16x8_extend_low_u8x16(self.0)), Simd128(u16x8_extend_high_u8x16(self.0))]
    }
    #[inline(always)]
    fn narrow([low, high]: [Self; 2]) -> Self {
        Simd128(u8x16_narrow_i16x8(low.0, high.0))
    }
    #[inline(always)]
    fn bits(mask: v128) -> u64 {
        u8x16_bitmask(mask).into()
    }
    #[inline(always)]
    fn shuffle8(bytes: [u8; 8], places: &[u8; 8]) -> [u8; 8] {
        let moved = u8x16_swizzle(u64x2(u64::from_le_bytes(bytes), 0), u64x2(u64::from_le_bytes(*places), 0));
        u64x2_extract_lane::<0>(moved).to_le_bytes()
    }
}
