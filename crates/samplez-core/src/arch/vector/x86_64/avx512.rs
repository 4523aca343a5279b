//! AVX-512: F and BW, and VBMI and VBMI2 for bytes. The parent's head has the argument for `unsafe`.

use super::avx2::Avx2;
use crate::arch::vector::bits::Vector;
use crate::arch::vector::bytes::ByteVector;
use crate::arch::vector::words::WordVector;
use core::arch::x86_64::*;

/// 64 bytes; tables of 64 entries.
#[derive(Clone, Copy)]
pub(in crate::arch::vector) struct Avx512(__m512i);

/// 0, 1, …
static NUMBERS: [u8; 64] = {
    let mut numbers = [0; 64];
    let mut i = 0;
    while i < 64 {
        numbers[i] = i as u8;
        i += 1;
    }
    numbers
};

impl Vector for Avx512 {
    const WORDS: usize = 8;

    intrinsics! {
        fn load(words: &[u64]) -> Self { Avx512(_mm512_loadu_si512(words[..8].as_ptr().cast())) }
        fn store(self, words: &mut [u64]) { _mm512_storeu_si512(words[..8].as_mut_ptr().cast(), self.0) }
        fn splat(word: u64) -> Self { Avx512(_mm512_set1_epi64(word.cast_signed())) }
        fn splat16(number: u16) -> Self { Avx512(_mm512_set1_epi16(number.cast_signed())) }
        fn shl(self, n: u32) -> Self { Avx512(_mm512_sll_epi64(self.0, _mm_cvtsi32_si128(n.cast_signed()))) }
        fn shr(self, n: u32) -> Self { Avx512(_mm512_srl_epi64(self.0, _mm_cvtsi32_si128(n.cast_signed()))) }
        fn exchange(self, other: Self, shift: u32, mask: u64) -> (Self, Self) {
            // Where the mask has ones the first, elsewhere the second.
            let (mask, left, right) = (Self::splat(mask).0, other.shl(shift).0, self.shr(shift).0);
            let first = _mm512_ternarylogic_epi64::<0xca>(mask, self.0, left);
            (Avx512(first), Avx512(_mm512_ternarylogic_epi64::<0xca>(mask, right, other.0)))
        }
    }
    intrinsics! { Avx512:
        and = _mm512_and_si512;
        or = _mm512_or_si512;
        xor = _mm512_xor_si512;
        minus16 = _mm512_sub_epi16;
        minus_saturating16 = _mm512_subs_epu16;
        min16 = _mm512_min_epu16;
    }
}

impl ByteVector for Avx512 {
    const INDEX_BITS: usize = 6;
    type Mask = __mmask64;
    type Mask16 = __mmask32;
    /// The entries, twice.
    type Table16 = __m512i;
    /// For steps by 8, 4, 2 and 1: the keys behind as many.
    type Keys16 = [__m512i; 4];

    intrinsics! {
        fn load8(bytes: &[u8]) -> Self { Avx512(_mm512_loadu_si512(bytes[..64].as_ptr().cast())) }
        fn store8(self, bytes: &mut [u8]) { _mm512_storeu_si512(bytes[..64].as_mut_ptr().cast(), self.0) }
        fn splat8(byte: u8) -> Self { Avx512(_mm512_set1_epi8(byte.cast_signed())) }
        fn look_up(self, index: Self) -> Self { Avx512(_mm512_permutexvar_epi8(index.0, self.0)) }
        fn look_up_rank(self, rank: Self, first: usize) -> Self {
            let table = _mm512_and_si512(rank.0, _mm512_set1_epi8(0xc0_u8 as i8));
            let here = _mm512_cmpeq_epi8_mask(table, _mm512_set1_epi8(first as i8));
            Avx512(_mm512_maskz_permutexvar_epi8(here, rank.0, self.0))
        }
        fn below(self, key: Self) -> __mmask64 { _mm512_cmpgt_epi8_mask(key.0, self.0) }
        fn below_or(self, key: Self, behind: __mmask64) -> __mmask64 {
            // Both comparisons before `behind` is known: masks wait for each other for long enough.
            self.below(key) | _mm512_cmpeq_epi8_mask(key.0, self.0) & behind
        }
        fn is_zero(self) -> __mmask64 { _mm512_testn_epi8_mask(self.0, self.0) }
        fn select(mask: __mmask64, yes: Self, no: Self) -> Self { Avx512(_mm512_mask_blend_epi8(mask, no.0, yes.0)) }
        fn of_rank<const ENTRIES: usize>(tables: &[Self; 16], rank: Self) -> Self {
            let [a, b, c, d, ..] = *tables;
            let lower = _mm512_permutex2var_epi8(a.0, rank.0, b.0);
            let is_upper = _mm512_movepi8_mask(rank.0);
            Avx512(match ENTRIES {
                64 => a.look_up(rank).0,
                128 => lower,
                192 => _mm512_mask_permutexvar_epi8(lower, is_upper, rank.0, c.0),
                _ => _mm512_mask_blend_epi8(is_upper, lower, _mm512_permutex2var_epi8(c.0, rank.0, d.0)),
            })
        }
        fn negated(self, signs: Self) -> Self {
            Avx512(_mm512_mask_sub_epi8(self.0, _mm512_movepi8_mask(signs.0), _mm512_setzero_si512(), self.0))
        }
        fn hand_out<const ENTRIES: usize>(self, open: __mmask64, tables: &[Self; 16], taken: &mut Self) -> Self {
            let next = Self::of_rank::<ENTRIES>(tables, Self::load8(&NUMBERS).plus8(*taken));
            *taken = taken.plus_at_most(Self::splat8(open.count_ones() as u8));
            Avx512(_mm512_mask_expand_epi8(self.0, open, next.0))
        }
        fn count(self, mask: __mmask64) -> Self {
            Avx512(_mm512_mask_add_epi8(self.0, mask, self.0, _mm512_set1_epi8(1)))
        }
        fn table16(entries: &[u16; 16]) -> __m512i {
            _mm512_broadcast_i64x4(_mm256_loadu_si256(entries.as_ptr().cast()))
        }
        fn look_up16(indices: [Self; 2], table: __m512i) -> [Self; 2] {
            let [first, second] = indices;
            [Avx512(_mm512_permutexvar_epi16(first.0, table)), Avx512(_mm512_permutexvar_epi16(second.0, table))]
        }
        fn keys_above16(self, keys: &[__m512i; 4]) -> Self {
            // A binary search among 15 keys.
            let mut count = _mm512_setzero_si512();
            for (behind, step) in keys.iter().zip([8, 4, 2, 1]) {
                let key = _mm512_permutexvar_epi16(count, *behind);
                let above = _mm512_cmpgt_epu16_mask(key, self.0);
                count = _mm512_mask_add_epi16(count, above, count, _mm512_set1_epi16(step));
            }
            Avx512(count)
        }
        fn shl16(self, n: u32) -> Self { Avx512(_mm512_sll_epi16(self.0, _mm_cvtsi32_si128(n.cast_signed()))) }
        fn shr16(self, n: u32) -> Self { Avx512(_mm512_srl_epi16(self.0, _mm_cvtsi32_si128(n.cast_signed()))) }
        fn below16(self, other: Self) -> __mmask32 { _mm512_cmplt_epu16_mask(self.0, other.0) }
        fn where16(self, mask: __mmask32) -> Self { Avx512(_mm512_maskz_mov_epi16(mask, self.0)) }
        fn widen(self) -> [Self; 2] {
            let [low, high] = [_mm512_castsi512_si256(self.0), _mm512_extracti64x4_epi64::<1>(self.0)];
            [Avx512(_mm512_cvtepu8_epi16(low)), Avx512(_mm512_cvtepu8_epi16(high))]
        }
        fn narrow(pair: [Self; 2]) -> Self {
            let [low, high] = [_mm512_cvtepi16_epi8(pair[0].0), _mm512_cvtepi16_epi8(pair[1].0)];
            Avx512(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high))
        }
        fn compress8(bytes: [u8; 64], mask: u64, out: &mut [u8; 64]) {
            let bytes = _mm512_loadu_si512(bytes.as_ptr().cast());
            _mm512_storeu_si512(out.as_mut_ptr().cast(), _mm512_maskz_compress_epi8(mask, bytes));
        }
    }
    intrinsics! { Avx512:
        plus_at_most = _mm512_adds_epu8;
        plus8 = _mm512_add_epi8;
        minus8 = _mm512_sub_epi8;
        plus16 = _mm512_add_epi16;
        product16 = _mm512_mulhrs_epi16;
        shr_each16 = _mm512_srlv_epi16;
    }

    #[inline(always)]
    fn table(entries: &[u8]) -> Self {
        Self::load8(entries)
    }
    #[inline(always)]
    fn index(self) -> Self {
        // The instruction takes the lowest bits.
        self
    }
    #[inline(always)]
    fn both(a: __mmask64, b: __mmask64) -> __mmask64 {
        a & b
    }
    #[inline(always)]
    fn keys16(keys: &[u16; 16]) -> [__m512i; 4] {
        [8, 4, 2, 1].map(|step: usize| {
            let mut behind = [0; 16];
            behind[..17 - step].copy_from_slice(&keys[step - 1..]);
            <Self as ByteVector>::table16(&behind)
        })
    }
    #[inline(always)]
    fn bits(mask: __mmask64) -> u64 {
        mask
    }
    #[inline(always)]
    fn shuffle8(bytes: [u8; 8], places: &[u8; 8]) -> [u8; 8] {
        Avx2::shuffle8(bytes, places)
    }
}

impl WordVector for Avx512 {
    const CALLS: bool = true;
    /// The low halves of the words.
    type Half = Self;
    type Count = Self;
    /// The entries, and as many zeros.
    type Table16 = __m512i;
    type Table8 = __m512i;

    intrinsics! { Avx512:
        plus = _mm512_add_epi64;
        minus = _mm512_sub_epi64;
        shl_by = _mm512_sllv_epi64;
        shr_by = _mm512_srlv_epi64;
        shr_each = _mm512_srlv_epi64;
        shr_any = _mm512_srlv_epi64;
    }
    intrinsics! {
        fn product(a: Self, b: Self) -> Self { Avx512(_mm512_mul_epu32(a.0, b.0)) }
        fn count_above16(self, key: Self, number: Self) -> Self {
            let above = _mm512_cmpgt_epu16_mask(key.0, number.0);
            Avx512(_mm512_mask_add_epi16(self.0, above, self.0, _mm512_set1_epi16(1)))
        }
        fn table16(entries: &[u16; 16]) -> __m512i {
            let mut table = [0_u16; 32];
            table[..16].copy_from_slice(entries);
            _mm512_loadu_si512(table.as_ptr().cast())
        }
        fn look_up16(self, table: __m512i) -> Self { Avx512(_mm512_permutexvar_epi16(self.0, table)) }
        fn look_up8(self, table: __m512i) -> (Self, Self) {
            // The instruction takes the lowest 3 bits.
            let entry = Avx512(_mm512_permutexvar_epi64(self.0, table));
            (entry.shr(32), entry)
        }
        fn is_below(self, other: Self) -> u32 { _mm512_cmplt_epu64_mask(self.0, other.0).into() }
        fn store_low<const G: usize>(vectors: [Self; G], out: &mut [i32]) {
            for (vector, out) in vectors.into_iter().zip(out[..8 * G].as_chunks_mut::<8>().0) {
                _mm256_storeu_si256(out.as_mut_ptr().cast(), _mm512_cvtepi64_epi32(vector.0));
            }
        }
        fn compress(self, mask: u8) -> Self { Avx512(_mm512_maskz_compress_epi64(mask, self.0)) }
    }

    #[inline(always)]
    fn low(self) -> Self {
        self
    }
    #[inline(always)]
    fn high(self) -> Self {
        self.shr(32)
    }
    #[inline(always)]
    fn places(n: u32) -> Self {
        Self::splat(n.into())
    }
    #[inline(always)]
    fn table8(entries: &[u64; 8]) -> __m512i {
        Self::load(entries).0
    }
}
