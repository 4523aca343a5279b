//! A word of each of four, eight or sixteen blocks in a register of SSE2, AVX2 or AVX-512.
//!
//! [`Sse2`] belongs to the target. The methods of the others are inlined into functions that are compiled for their
//! instructions. [`Backend`](samplez_core::arch::Backend) calls these only after it has detected the instructions.
//! Nothing else makes an [`Avx2`] or [`Avx512`].

use super::words::{Row, Words};
use core::arch::x86_64::*;
use core::hint::black_box;

/// Four blocks.
#[cfg(target_feature = "sse2")]
#[derive(Clone, Copy)]
pub(super) struct Sse2(__m128i);

/// Eight blocks.
#[derive(Clone, Copy)]
pub(super) struct Avx2(__m256i);

/// Sixteen blocks.
#[derive(Clone, Copy)]
pub(super) struct Avx512(__m512i);

/// Where the bytes of four words go when each turns by 16 and by 8, twice for the two halves of a register.
#[repr(align(32))]
pub(super) struct Shuffles([[u8; 32]; 2]);

static MOVES: Shuffles = Shuffles([
    [2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13],
    [3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14, 3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14],
]);

#[cfg(target_feature = "sse2")]
impl Words for Sse2 {
    const LANES: usize = 4;
    type Shuffles = ();
    #[inline(always)]
    fn moves() {}
    #[inline(always)]
    fn splat(word: u32) -> Self {
        // SAFETY: SSE2 belongs to the target.
        Sse2(unsafe { _mm_set1_epi32(word.cast_signed()) })
    }
    #[inline(always)]
    fn counters(first: u64) -> [Self; 2] {
        let word = |lane, shift| (first.wrapping_add(lane) >> shift) as i32;
        // SAFETY: SSE2 belongs to the target.
        [0, 32].map(|at| Sse2(unsafe { _mm_setr_epi32(word(0, at), word(1, at), word(2, at), word(3, at)) }))
    }
    #[inline(always)]
    fn write(words: [Row<Self>; 4], out: &mut [u8]) {
        for (i, row) in words.into_iter().enumerate() {
            let [a, b, c, d] = row.map(|x| x.0);
            // SAFETY: SSE2 belongs to the target.
            let blocks = unsafe {
                let low = (_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d));
                let high = (_mm_unpackhi_epi32(a, b), _mm_unpackhi_epi32(c, d));
                [
                    _mm_unpacklo_epi64(low.0, low.1),
                    _mm_unpackhi_epi64(low.0, low.1),
                    _mm_unpacklo_epi64(high.0, high.1),
                    _mm_unpackhi_epi64(high.0, high.1),
                ]
            };
            for (block, words) in out.as_chunks_mut::<64>().0.iter_mut().zip(blocks) {
                let quarter = &mut block.as_chunks_mut::<16>().0[i];
                // SAFETY: SSE2 belongs to the target; these are 16 bytes, and the address need not be aligned.
                unsafe { _mm_storeu_si128(quarter.as_mut_ptr().cast(), words) };
            }
        }
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: SSE2 belongs to the target.
        Sse2(unsafe { _mm_add_epi32(self.0, other.0) })
    }
    #[inline(always)]
    fn xor_rotate<const N: i32>(self, other: Self, (): &()) -> Self {
        // SAFETY: SSE2 belongs to the target.
        Sse2(unsafe {
            let x = _mm_xor_si128(self.0, other.0);
            let (left, right) = (_mm_cvtsi32_si128(N), _mm_cvtsi32_si128(32 - N));
            _mm_or_si128(_mm_sll_epi32(x, left), _mm_srl_epi32(x, right))
        })
    }
}

impl Words for Avx2 {
    const LANES: usize = 8;
    type Shuffles = &'static Shuffles;
    /// Hides the table from the compiler. Otherwise it would put two instructions in the place of a turn by 16, and
    /// turn both operands of the XOR before.
    #[inline(always)]
    fn moves() -> Self::Shuffles {
        black_box(&MOVES)
    }
    #[inline(always)]
    fn splat(word: u32) -> Self {
        // SAFETY: AVX2 is detected (see the head).
        Avx2(unsafe { _mm256_set1_epi32(word.cast_signed()) })
    }
    #[inline(always)]
    fn counters(first: u64) -> [Self; 2] {
        // SAFETY: AVX2 is detected.
        unsafe {
            let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
            let low = _mm256_add_epi32(_mm256_set1_epi32(first as i32), lanes);
            // -1 where the sum is below what was added, unsigned: the carry.
            let sign = _mm256_set1_epi32(i32::MIN);
            let carries = _mm256_cmpgt_epi32(_mm256_xor_si256(lanes, sign), _mm256_xor_si256(low, sign));
            [Avx2(low), Avx2(_mm256_sub_epi32(_mm256_set1_epi32((first >> 32) as i32), carries))]
        }
    }
    #[inline(always)]
    fn write(words: [Row<Self>; 4], out: &mut [u8]) {
        assert!(out.len() == 64 * Self::LANES);
        // The odd rows by a pointer of their own: where the compiler sees that two quarters are neighbours it joins
        // them by a shuffle, which costs more than a store.
        let even = out.as_mut_ptr();
        let odd = black_box(even);
        for (i, row) in words.into_iter().enumerate() {
            let [a, b, c, d] = row.map(|x| x.0);
            let start = if i % 2 == 0 { even } else { odd };
            // SAFETY: AVX2 is detected.
            let pairs = unsafe {
                let low = (_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d));
                let high = (_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d));
                [
                    _mm256_unpacklo_epi64(low.0, low.1),
                    _mm256_unpackhi_epi64(low.0, low.1),
                    _mm256_unpacklo_epi64(high.0, high.1),
                    _mm256_unpackhi_epi64(high.0, high.1),
                ]
            };
            for (block, pair) in pairs.into_iter().enumerate() {
                // SAFETY: AVX2 is detected; 16 bytes at 64·(block + 4) + 16·i and before, within 512.
                unsafe {
                    let at = start.add(64 * block + 16 * i);
                    _mm_storeu_si128(at.cast(), _mm256_castsi256_si128(pair));
                    _mm_storeu_si128(at.add(64 * 4).cast(), _mm256_extracti128_si256::<1>(pair));
                }
            }
        }
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_add_epi32(self.0, other.0) })
    }
    #[inline(always)]
    fn xor_rotate<const N: i32>(self, other: Self, moves: &Self::Shuffles) -> Self {
        // SAFETY: AVX2 is detected; the reads are of 32 bytes, aligned as their type is.
        Avx2(unsafe {
            let x = _mm256_xor_si256(self.0, other.0);
            match N {
                16 => _mm256_shuffle_epi8(x, _mm256_load_si256(moves.0[0].as_ptr().cast())),
                8 => _mm256_shuffle_epi8(x, _mm256_load_si256(moves.0[1].as_ptr().cast())),
                _ => {
                    let (left, right) = (_mm_cvtsi32_si128(N), _mm_cvtsi32_si128(32 - N));
                    _mm256_or_si256(_mm256_sll_epi32(x, left), _mm256_srl_epi32(x, right))
                }
            }
        })
    }
}

impl Words for Avx512 {
    const LANES: usize = 16;
    type Shuffles = ();
    #[inline(always)]
    fn moves() {}
    #[inline(always)]
    fn splat(word: u32) -> Self {
        // SAFETY: AVX-512 F is detected (see the head).
        Avx512(unsafe { _mm512_set1_epi32(word.cast_signed()) })
    }
    #[inline(always)]
    fn counters(first: u64) -> [Self; 2] {
        // SAFETY: AVX-512 F is detected.
        unsafe {
            let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            let low = _mm512_add_epi32(_mm512_set1_epi32(first as i32), lanes);
            let high = _mm512_set1_epi32((first >> 32) as i32);
            let carries = _mm512_cmplt_epu32_mask(low, lanes);
            [Avx512(low), Avx512(_mm512_mask_add_epi32(high, carries, high, _mm512_set1_epi32(1)))]
        }
    }
    #[inline(always)]
    fn write(words: [Row<Self>; 4], out: &mut [u8]) {
        assert!(out.len() == 64 * Self::LANES);
        let start = out.as_mut_ptr();
        for (i, row) in words.into_iter().enumerate() {
            let [a, b, c, d] = row.map(|x| x.0);
            // SAFETY: AVX-512 F is detected.
            let fours = unsafe {
                let low = (_mm512_unpacklo_epi32(a, b), _mm512_unpacklo_epi32(c, d));
                let high = (_mm512_unpackhi_epi32(a, b), _mm512_unpackhi_epi32(c, d));
                [
                    _mm512_unpacklo_epi64(low.0, low.1),
                    _mm512_unpackhi_epi64(low.0, low.1),
                    _mm512_unpacklo_epi64(high.0, high.1),
                    _mm512_unpackhi_epi64(high.0, high.1),
                ]
            };
            // Quarters are stored one by one: to put blocks together would take shuffles, which wait for each other.
            for (block, four) in fours.into_iter().enumerate() {
                // SAFETY: AVX-512 F is detected; 16 bytes at 64·(block + 12) + 16·i and before, within 1024.
                unsafe {
                    let at = start.add(64 * block + 16 * i);
                    _mm_storeu_si128(at.cast(), _mm512_castsi512_si128(four));
                    _mm_storeu_si128(at.add(64 * 4).cast(), _mm512_extracti32x4_epi32::<1>(four));
                    _mm_storeu_si128(at.add(64 * 8).cast(), _mm512_extracti32x4_epi32::<2>(four));
                    _mm_storeu_si128(at.add(64 * 12).cast(), _mm512_extracti32x4_epi32::<3>(four));
                }
            }
        }
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: AVX-512 F is detected.
        Avx512(unsafe { _mm512_add_epi32(self.0, other.0) })
    }
    #[inline(always)]
    fn xor_rotate<const N: i32>(self, other: Self, (): &()) -> Self {
        // SAFETY: AVX-512 F is detected.
        Avx512(unsafe { _mm512_rol_epi32::<N>(_mm512_xor_si512(self.0, other.0)) })
    }
}
