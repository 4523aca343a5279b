//! The trials in pairs of registers of NEON, which belongs to the targets that this is compiled for.

use super::lanes::{self, Lanes};
use super::trial::{KEYS, Trials};
use crate::arch::Backend;
use core::arch::aarch64::*;

/// Whether [`run`] has code for this backend here.
#[inline]
pub(super) const fn has(_: Backend) -> bool {
    !cfg!(samplez_backend = "scalar")
}

/// [`Trials::run`].
pub(super) fn run(trials: Trials<'_>, _: Backend) {
    lanes::run::<Neon, 2>(trials);
}

/// Four words.
#[derive(Clone, Copy)]
struct Neon([uint64x2_t; 2]);

impl Neon {
    #[inline(always)]
    fn map2(self, other: Self, f: impl Fn(uint64x2_t, uint64x2_t) -> uint64x2_t) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        Neon([f(a, c), f(b, d)])
    }

    #[inline(always)]
    fn map(self, f: impl Fn(uint64x2_t) -> uint64x2_t) -> Self {
        let [a, b] = self.0;
        Neon([f(a), f(b)])
    }

    #[inline(always)]
    fn map16(self, other: Self, f: impl Fn(uint16x8_t, uint16x8_t) -> uint16x8_t) -> Self {
        // SAFETY: the target has NEON.
        self.map2(other, |a, b| unsafe { vreinterpretq_u64_u16(f(vreinterpretq_u16_u64(a), vreinterpretq_u16_u64(b))) })
    }

    #[inline(always)]
    fn halves(self) -> [uint32x4_t; 2] {
        // SAFETY: the target has NEON.
        self.0.map(|words| unsafe { vreinterpretq_u32_u64(words) })
    }

    /// A bit for each lane, of masks.
    #[inline(always)]
    fn bits(self) -> u32 {
        const BITS: [u32; 4] = [1, 2, 4, 8];
        // SAFETY: the target has NEON; a read of the 16 bytes.
        unsafe { vaddvq_u32(vandq_u32(self.low(), vld1q_u32(BITS.as_ptr()))) }
    }
}

impl Lanes for Neon {
    const LANES: usize = 4;
    /// One behind the other.
    type Half = uint32x4_t;
    type Count = int64x2_t;
    /// The entries' bytes.
    type Table16 = uint8x16x2_t;
    /// The bytes of the high halves, and of the low halves.
    type Table8 = [uint8x16x2_t; 2];

    #[inline(always)]
    fn load(words: &[u64]) -> Self {
        let at = words[..4].as_ptr();
        // SAFETY: the target has NEON; two reads within the 32 bytes.
        Neon(unsafe { [vld1q_u64(at), vld1q_u64(at.add(2))] })
    }
    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: the target has NEON.
        Neon([unsafe { vdupq_n_u64(word) }; 2])
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
    fn plus(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        self.map2(other, |a, b| unsafe { vaddq_u64(a, b) })
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        self.map2(other, |a, b| unsafe { vsubq_u64(a, b) })
    }
    #[inline(always)]
    fn low(self) -> uint32x4_t {
        let [a, b] = self.halves();
        // SAFETY: the target has NEON.
        unsafe { vuzp1q_u32(a, b) }
    }
    #[inline(always)]
    fn high(self) -> uint32x4_t {
        let [a, b] = self.halves();
        // SAFETY: the target has NEON.
        unsafe { vuzp2q_u32(a, b) }
    }
    #[inline(always)]
    fn product(a: uint32x4_t, b: uint32x4_t) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { [vmull_u32(vget_low_u32(a), vget_low_u32(b)), vmull_high_u32(a, b)] })
    }
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        self.shl_by(Self::places(n))
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        self.shr_by(Self::places(n))
    }
    #[inline(always)]
    fn places(n: u32) -> int64x2_t {
        // SAFETY: the target has NEON.
        unsafe { vdupq_n_s64(n.into()) }
    }
    #[inline(always)]
    fn shl_by(self, n: int64x2_t) -> Self {
        // SAFETY: the target has NEON.
        self.map(|a| unsafe { vshlq_u64(a, n) })
    }
    #[inline(always)]
    fn shr_by(self, n: int64x2_t) -> Self {
        // SAFETY: the target has NEON.
        self.map(|a| unsafe { vshlq_u64(a, vnegq_s64(n)) })
    }
    #[inline(always)]
    fn shr_each(self, n: Self) -> Self {
        // The instruction takes the lowest byte, signed, and gives 0 from 64 places on.
        // SAFETY: the target has NEON.
        self.map2(n, |a, n| unsafe { vshlq_u64(a, vnegq_s64(vreinterpretq_s64_u64(n))) })
    }
    #[inline(always)]
    fn minus_saturating16(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        self.map16(other, |a, b| unsafe { vqsubq_u16(a, b) })
    }
    #[inline(always)]
    fn min16(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        self.map16(other, |a, b| unsafe { vminq_u16(a, b) })
    }
    #[inline(always)]
    fn count_above16(self, key: Self, number: Self) -> Self {
        // The outcome of the comparison is -1.
        // SAFETY: the target has NEON.
        let above = key.map16(number, |key, number| unsafe { vcgtq_u16(key, number) });
        // SAFETY: the target has NEON.
        self.map16(above, |count, above| unsafe { vsubq_u16(count, above) })
    }
    #[inline(always)]
    fn table16(entries: &[u16; KEYS]) -> uint8x16x2_t {
        // SAFETY: the target has NEON; two reads within the 32 bytes, which are little-endian here.
        unsafe {
            let at = entries.as_ptr().cast();
            uint8x16x2_t(vld1q_u8(at), vld1q_u8(at.add(16)))
        }
    }
    #[inline(always)]
    fn look_up16(self, table: uint8x16x2_t) -> Self {
        // The places of two bytes each: the index twice, and 0, 1.
        // SAFETY: the target has NEON.
        self.map(|index| unsafe {
            let places = vmlaq_n_u16(vdupq_n_u16(0x0100), vreinterpretq_u16_u64(index), 0x0202);
            vreinterpretq_u64_u8(vqtbl2q_u8(table, vreinterpretq_u8_u16(places)))
        })
    }
    #[inline(always)]
    fn table8(entries: &[u64; 8]) -> [uint8x16x2_t; 2] {
        let [a, b] = [Self::load(&entries[..4]), Self::load(&entries[4..])];
        // SAFETY: the target has NEON.
        [[a.high(), b.high()], [a.low(), b.low()]]
            .map(|[a, b]| unsafe { uint8x16x2_t(vreinterpretq_u8_u32(a), vreinterpretq_u8_u32(b)) })
    }
    #[inline(always)]
    fn look_up8(self, [high, low]: [uint8x16x2_t; 2]) -> (uint32x4_t, uint32x4_t) {
        // The places of four bytes each: the index 4 times, and 0, 1, 2, 3.
        // SAFETY: the target has NEON.
        unsafe {
            let index = vandq_u32(self.low(), vdupq_n_u32(7));
            let places = vreinterpretq_u8_u32(vmlaq_n_u32(vdupq_n_u32(0x0302_0100), index, 0x0404_0404));
            (vreinterpretq_u32_u8(vqtbl2q_u8(high, places)), vreinterpretq_u32_u8(vqtbl2q_u8(low, places)))
        }
    }
    #[inline(always)]
    fn is_below(self, other: Self) -> u32 {
        // SAFETY: the target has NEON.
        self.map2(other, |a, b| unsafe { vcltq_u64(a, b) }).bits()
    }
    #[inline(always)]
    fn store_low<const G: usize>(registers: [Self; G], out: &mut [i32]) {
        for (register, out) in registers.into_iter().zip(out[..4 * G].as_chunks_mut::<4>().0) {
            // SAFETY: the target has NEON; a write of the 16 bytes.
            unsafe { vst1q_u32(out.as_mut_ptr().cast(), register.low()) };
        }
    }
}
