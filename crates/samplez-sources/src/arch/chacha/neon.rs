//! A word of each of four blocks in a register of NEON, which belongs to the targets that this is compiled for.

use super::words::{Row, Words};
use core::arch::aarch64::*;

#[derive(Clone, Copy)]
pub(super) struct Neon(uint32x4_t);

impl Words for Neon {
    const LANES: usize = 4;
    /// Where the bytes of four words go when each turns by 8.
    type Shuffles = uint8x16_t;
    #[inline(always)]
    fn moves() -> uint8x16_t {
        const BY_8: [u8; 16] = [3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14];
        // SAFETY: the target has NEON; a read of the 16 bytes.
        unsafe { vld1q_u8(BY_8.as_ptr()) }
    }
    #[inline(always)]
    fn splat(word: u32) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { vdupq_n_u32(word) })
    }
    #[inline(always)]
    fn counters(first: u64) -> [Self; 2] {
        [0, 32].map(|shift| {
            let words = [0, 1, 2, 3].map(|lane| (first.wrapping_add(lane) >> shift) as u32);
            // SAFETY: the target has NEON; a read of the 16 bytes.
            Neon(unsafe { vld1q_u32(words.as_ptr()) })
        })
    }
    #[inline(always)]
    fn write(words: [Row<Self>; 4], out: &mut [u8]) {
        for (i, row) in words.into_iter().enumerate() {
            for (block, words) in out.as_chunks_mut::<64>().0.iter_mut().zip(transpose(row.map(|x| x.0))) {
                let quarter = &mut block.as_chunks_mut::<16>().0[i];
                // SAFETY: the target has NEON; a write of the 16 bytes.
                unsafe { vst1q_u8(quarter.as_mut_ptr(), words) };
            }
        }
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { vaddq_u32(self.0, other.0) })
    }
    #[inline(always)]
    fn xor_rotate<const N: i32>(self, other: Self, moves: &uint8x16_t) -> Self {
        // SAFETY: the target has NEON.
        unsafe {
            let x = veorq_u32(self.0, other.0);
            Neon(match N {
                // Whole bytes move in one instruction, and other bits in two.
                16 => vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(x))),
                8 => vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(x), *moves)),
                12 => vsriq_n_u32::<20>(vshlq_n_u32::<12>(x), x),
                _ => vsriq_n_u32::<25>(vshlq_n_u32::<7>(x), x),
            })
        }
    }
}

/// Word j of row i goes to word i of row j.
#[inline(always)]
fn transpose([a, b, c, d]: [uint32x4_t; 4]) -> [uint8x16_t; 4] {
    // SAFETY: the target has NEON.
    unsafe {
        let pairs = |a, b| [vreinterpretq_u64_u32(vzip1q_u32(a, b)), vreinterpretq_u64_u32(vzip2q_u32(a, b))];
        let ([low, high], [low_behind, high_behind]) = (pairs(a, b), pairs(c, d));
        [
            vzip1q_u64(low, low_behind),
            vzip2q_u64(low, low_behind),
            vzip1q_u64(high, high_behind),
            vzip2q_u64(high, high_behind),
        ]
        .map(|words| vreinterpretq_u8_u64(words))
    }
}
