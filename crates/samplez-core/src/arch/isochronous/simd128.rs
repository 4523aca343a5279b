//! The trials in pairs of registers of WebAssembly's simd128, which code compiled for a module that has them may use.

use super::lanes::{self, Lanes};
use super::trial::{KEYS, Trials};
use crate::arch::{Backend, Kernel};
use core::arch::wasm32::*;

/// Whether [`run`] has code for this backend here.
#[inline]
pub(super) const fn has(_: Backend) -> bool {
    true
}

/// [`Trials::run`].
#[inline]
pub(super) fn run(trials: Trials<'_>, backend: Backend) {
    backend.run(InPairs(trials));
}

/// Compiled for the instructions by [`Backend::run`].
struct InPairs<'a>(Trials<'a>);

impl Kernel for InPairs<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        lanes::run::<Simd128, 4>(self.0);
    }
}

/// Four words.
#[derive(Clone, Copy)]
struct Simd128([v128; 2]);

impl Simd128 {
    #[inline(always)]
    fn map2(self, other: Self, f: impl Fn(v128, v128) -> v128) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        Simd128([f(a, c), f(b, d)])
    }

    #[inline(always)]
    fn map(self, f: impl Fn(v128) -> v128) -> Self {
        let [a, b] = self.0;
        Simd128([f(a), f(b)])
    }
}

/// The entries of two tables, one behind the other, at these places, below 32.
#[inline(always)]
fn of_two(tables: [v128; 2], places: v128) -> v128 {
    // From 16 on, and below 0 as well, the instruction gives 0.
    v128_or(u8x16_swizzle(tables[0], places), u8x16_swizzle(tables[1], u8x16_sub(places, u8x16_splat(16))))
}

/// A bit for each lane, of masks.
#[inline(always)]
fn bits(mask: Simd128) -> u32 {
    u32x4_bitmask(mask.high()).into()
}

impl Lanes for Simd128 {
    const LANES: usize = 4;
    /// One behind the other.
    type Half = v128;
    type Count = u32;
    /// The low bytes and the high bytes.
    type Table16 = [v128; 2];
    /// The high halves and the low halves.
    type Table8 = [[v128; 2]; 2];

    #[inline(always)]
    fn load(words: &[u64]) -> Self {
        let at = words[..4].as_ptr().cast::<v128>();
        // SAFETY: two reads within the 32 bytes, which need not be aligned.
        Simd128(unsafe { [v128_load(at), v128_load(at.add(1))] })
    }
    #[inline(always)]
    fn splat(word: u64) -> Self {
        Simd128([u64x2_splat(word); 2])
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
    fn plus(self, other: Self) -> Self {
        self.map2(other, |a, b| u64x2_add(a, b))
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.map2(other, |a, b| u64x2_sub(a, b))
    }
    #[inline(always)]
    fn low(self) -> v128 {
        u32x4_shuffle::<0, 2, 4, 6>(self.0[0], self.0[1])
    }
    #[inline(always)]
    fn high(self) -> v128 {
        u32x4_shuffle::<1, 3, 5, 7>(self.0[0], self.0[1])
    }
    #[inline(always)]
    fn product(a: v128, b: v128) -> Self {
        Simd128([u64x2_extmul_low_u32x4(a, b), u64x2_extmul_high_u32x4(a, b)])
    }
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        self.map(|a| u64x2_shl(a, n))
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        self.map(|a| u64x2_shr(a, n))
    }
    #[inline(always)]
    fn places(n: u32) -> u32 {
        n
    }
    #[inline(always)]
    fn shl_by(self, n: u32) -> Self {
        self.shl(n)
    }
    #[inline(always)]
    fn shr_by(self, n: u32) -> Self {
        self.shr(n)
    }
    #[inline(always)]
    fn shr_each(self, n: Self) -> Self {
        // There is no such instruction: once by each word's number, modulo 64.
        self.map2(n, |a, n| {
            let [low, high] = [u64x2_extract_lane::<0>(n), u64x2_extract_lane::<1>(n)].map(|n| u64x2_shr(a, n as u32));
            let near = u64x2_sub(u64x2_shr(n, 6), u64x2_splat(1));
            v128_and(u64x2_shuffle::<0, 3>(low, high), near)
        })
    }
    #[inline(always)]
    fn minus_saturating16(self, other: Self) -> Self {
        self.map2(other, |a, b| u16x8_sub_sat(a, b))
    }
    #[inline(always)]
    fn min16(self, other: Self) -> Self {
        self.map2(other, |a, b| u16x8_min(a, b))
    }
    #[inline(always)]
    fn count_above16(self, key: Self, number: Self) -> Self {
        // Engines have one instruction for the comparison of signed numbers; its outcome is -1.
        let bias = Self::splat16(1 << 15);
        let above = key.xor(bias).map2(number.xor(bias), |key, number| i16x8_gt(key, number));
        self.map2(above, |count, above| u16x8_sub(count, above))
    }
    #[inline(always)]
    fn table16(entries: &[u16; KEYS]) -> [v128; 2] {
        [entries.map(|entry| entry as u8), entries.map(|entry| (entry >> 8) as u8)].map(|bytes| {
            // SAFETY: a read of the 16 bytes, which need not be aligned.
            unsafe { v128_load(bytes.as_ptr().cast()) }
        })
    }
    #[inline(always)]
    fn look_up16(self, [low, high]: [v128; 2]) -> Self {
        // A byte whose highest bit is set gives 0.
        self.map(|index| {
            let low = u8x16_swizzle(low, v128_or(index, u16x8_splat(0x8000)));
            let high = u8x16_swizzle(high, v128_or(u16x8_shl(index, 8), u16x8_splat(0x0080)));
            v128_or(low, high)
        })
    }
    #[inline(always)]
    fn table8(entries: &[u64; 8]) -> [[v128; 2]; 2] {
        let [a, b] = [Self::load(&entries[..4]), Self::load(&entries[4..])];
        [[a.high(), b.high()], [a.low(), b.low()]]
    }
    #[inline(always)]
    fn look_up8(self, [high, low]: [[v128; 2]; 2]) -> (v128, v128) {
        // The places of four bytes each: the index 4 times, and 0, 1, 2, 3.
        let index = v128_and(self.low(), u32x4_splat(7));
        let places = u32x4_add(u32x4_mul(index, u32x4_splat(0x0404_0404)), u32x4_splat(0x0302_0100));
        (of_two(high, places), of_two(low, places))
    }
    #[inline(always)]
    fn is_below(self, other: Self) -> u32 {
        bits(self.map2(other, |a, b| i64x2_lt(a, b)))
    }
    #[inline(always)]
    fn store_low<const G: usize>(registers: [Self; G], out: &mut [i32]) {
        for (register, out) in registers.into_iter().zip(out[..4 * G].as_chunks_mut::<4>().0) {
            // SAFETY: a write of the 16 bytes, which need not be aligned.
            unsafe { v128_store(out.as_mut_ptr().cast(), register.low()) };
        }
    }
}
