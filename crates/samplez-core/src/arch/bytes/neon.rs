//! Bytes in the registers of NEON, which belongs to the targets that this is compiled for.

mod words;

use super::lanes::Bytes;
use super::sixteens::{self, Sixteens};
use super::words::ByteKernel;
use crate::arch::Backend;
use core::arch::aarch64::*;

/// Whether [`run`] has code for this backend here.
#[inline]
pub(super) const fn has(_: Backend) -> bool {
    !cfg!(samplez_backend = "scalar")
}

/// The kernel's result.
pub(super) fn run<K: ByteKernel>(kernel: K, _: Backend) -> K::Output {
    kernel.run_in_bytes::<Neon>()
}

/// 16 bytes; tables of 16 entries.
#[derive(Clone, Copy)]
struct Neon(uint8x16_t);

impl Bytes for Neon {
    type Mask = uint8x16_t;
    const LANES: usize = 16;
    const INDEX_BITS: usize = 4;

    #[inline(always)]
    fn load(bytes: &[u8]) -> Self {
        // SAFETY: the target has NEON; a read of the 16 bytes.
        Neon(unsafe { vld1q_u8(bytes[..16].as_ptr()) })
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        // SAFETY: the target has NEON; a write of the 16 bytes.
        unsafe { vst1q_u8(bytes[..16].as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn splat(byte: u8) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { vdupq_n_u8(byte) })
    }
    #[inline(always)]
    fn table(entries: &[u8]) -> Self {
        Self::load(entries)
    }
    #[inline(always)]
    fn index(self) -> Self {
        // The instruction gives 0 from 16 on.
        // SAFETY: the target has NEON.
        Neon(unsafe { vandq_u8(self.0, vdupq_n_u8(0x0f)) })
    }
    #[inline(always)]
    fn look_up(self, index: Self) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { vqtbl1q_u8(self.0, index.0) })
    }
    #[inline(always)]
    fn look_up_rank(self, rank: Self, first: usize) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { vqtbl1q_u8(self.0, vsubq_u8(rank.0, vdupq_n_u8(first as u8))) })
    }
    #[inline(always)]
    fn below(self, key: Self) -> uint8x16_t {
        // SAFETY: the target has NEON.
        unsafe { vcgtq_s8(vreinterpretq_s8_u8(key.0), vreinterpretq_s8_u8(self.0)) }
    }
    #[inline(always)]
    fn below_or(self, key: Self, behind: uint8x16_t) -> uint8x16_t {
        // SAFETY: the target has NEON.
        unsafe { vorrq_u8(self.below(key), vandq_u8(vceqq_u8(self.0, key.0), behind)) }
    }
    #[inline(always)]
    fn is_zero(self) -> uint8x16_t {
        // SAFETY: the target has NEON.
        unsafe { vceqzq_u8(self.0) }
    }
    #[inline(always)]
    fn both(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        // SAFETY: the target has NEON.
        unsafe { vandq_u8(a, b) }
    }
    #[inline(always)]
    fn select(mask: uint8x16_t, yes: Self, no: Self) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { vbslq_u8(mask, yes.0, no.0) })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { vorrq_u8(self.0, other.0) })
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { veorq_u8(self.0, other.0) })
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { vandq_u8(self.0, other.0) })
    }
    #[inline(always)]
    fn plus_at_most(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { vqaddq_u8(self.0, other.0) })
    }
    #[inline(always)]
    fn negated(self, signs: Self) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe {
            let signs = vreinterpretq_u8_s8(vshrq_n_s8::<7>(vreinterpretq_s8_u8(signs.0)));
            vsubq_u8(veorq_u8(self.0, signs), signs)
        })
    }
    #[inline(always)]
    fn hand_out<const ENTRIES: usize>(self, open: Self::Mask, tables: &[Self; 16], taken: &mut Self) -> Self {
        sixteens::hand_out::<Self, ENTRIES>(self, open, tables, taken)
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { vaddq_u8(self.0, other.0) })
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { vsubq_u8(self.0, other.0) })
    }
    #[inline(always)]
    fn count(self, mask: uint8x16_t) -> Self {
        // A mask is -1.
        // SAFETY: the target has NEON.
        Neon(unsafe { vsubq_u8(self.0, mask) })
    }
    #[inline(always)]
    fn double(self) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { vaddq_u8(self.0, self.0) })
    }
}

impl Sixteens for Neon {
    #[inline(always)]
    fn bit(self, bit: usize) -> uint8x16_t {
        // SAFETY: the target has NEON.
        unsafe { vtstq_u8(self.0, vdupq_n_u8(1 << bit)) }
    }
    #[inline(always)]
    fn sums(self) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe {
            let zero = vdupq_n_u8(0);
            let sums = vaddq_u8(self.0, vextq_u8::<15>(zero, self.0));
            let sums = vaddq_u8(sums, vextq_u8::<14>(zero, sums));
            let sums = vaddq_u8(sums, vextq_u8::<12>(zero, sums));
            vaddq_u8(sums, vextq_u8::<8>(zero, sums))
        })
    }
    #[inline(always)]
    fn totals(sums: Self) -> [Self; 2] {
        // SAFETY: the target has NEON.
        [Self::splat(0), Neon(unsafe { vdupq_laneq_u8::<15>(sums.0) })]
    }
}
