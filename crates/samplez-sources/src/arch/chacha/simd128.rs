//! A word of each of four blocks in a register of WebAssembly's simd128.

use super::words::{Row, Words};
use core::arch::wasm32::{
    i8x16_shuffle, i32x4_shuffle, u32x4, u32x4_add, u32x4_shl, u32x4_shr, u32x4_splat, v128, v128_or, v128_store,
    v128_xor,
};

#[derive(Clone, Copy)]
pub(super) struct Simd128(v128);

impl Words for Simd128 {
    const LANES: usize = 4;
    type Shuffles = ();
    #[inline(always)]
    fn moves() {}
    #[inline(always)]
    fn splat(word: u32) -> Self {
        Simd128(u32x4_splat(word))
    }
    #[inline(always)]
    fn counters(first: u64) -> [Self; 2] {
        let word = |lane, shift| (first.wrapping_add(lane) >> shift) as u32;
        [0, 32].map(|shift| Simd128(u32x4(word(0, shift), word(1, shift), word(2, shift), word(3, shift))))
    }
    #[inline(always)]
    fn write(words: [Row<Self>; 4], out: &mut [u8]) {
        for (i, row) in words.into_iter().enumerate() {
            for (block, words) in out.as_chunks_mut::<64>().0.iter_mut().zip(transpose(row.map(|x| x.0))) {
                let quarter = &mut block.as_chunks_mut::<16>().0[i];
                // SAFETY: these are 16 bytes, and the address need not be aligned.
                unsafe { v128_store(quarter.as_mut_ptr().cast(), words) };
            }
        }
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Simd128(u32x4_add(self.0, other.0))
    }
    #[inline(always)]
    fn xor_rotate<const N: i32>(self, other: Self, (): &()) -> Self {
        let x = v128_xor(self.0, other.0);
        Simd128(match N {
            // Whole bytes move in one instruction.
            16 => i8x16_shuffle::<2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13>(x, x),
            8 => i8x16_shuffle::<3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14>(x, x),
            _ => v128_or(u32x4_shl(x, N as u32), u32x4_shr(x, 32 - N as u32)),
        })
    }
}

/// Word j of row i goes to word i of row j.
#[inline(always)]
fn transpose([a, b, c, d]: [v128; 4]) -> [v128; 4] {
    let low = [i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<0, 4, 1, 5>(c, d)];
    let high = [i32x4_shuffle::<2, 6, 3, 7>(a, b), i32x4_shuffle::<2, 6, 3, 7>(c, d)];
    [
        i32x4_shuffle::<0, 1, 4, 5>(low[0], low[1]),
        i32x4_shuffle::<2, 3, 6, 7>(low[0], low[1]),
        i32x4_shuffle::<0, 1, 4, 5>(high[0], high[1]),
        i32x4_shuffle::<2, 3, 6, 7>(high[0], high[1]),
    ]
}
