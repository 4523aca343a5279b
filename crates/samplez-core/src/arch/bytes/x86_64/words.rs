//! 16-bit numbers in the registers of AVX2, and of AVX-512 with VBMI2.

use super::{Avx2, Vbmi};
use crate::arch::bytes::lanes::Bytes;
use crate::arch::bytes::words::Words;
use core::arch::x86_64::*;

impl Words for Avx2 {
    type Mask16 = __m256i;
    /// The low bytes and the high bytes, twice.
    type Table16 = [__m256i; 2];
    /// One less than each key, less 2^15, and how many there are.
    type Keys16 = ([__m256i; 15], __m256i);

    #[inline(always)]
    fn splat16(number: u16) -> Self {
        // SAFETY: AVX2 is detected (see the parent's head).
        Avx2(unsafe { _mm256_set1_epi16(number.cast_signed()) })
    }
    #[inline(always)]
    fn table16(entries: &[u16; 16]) -> [__m256i; 2] {
        let bytes = |shift: u32| entries.map(|entry| (entry >> shift) as u8);
        [0, 8].map(|shift| {
            let bytes = bytes(shift);
            // SAFETY: AVX2 is detected; an unaligned read of the 16 bytes.
            unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())) }
        })
    }
    #[inline(always)]
    fn look_up16(indices: [Self; 2], [low, high]: [__m256i; 2]) -> [Self; 2] {
        let index = Self::narrow(indices).0;
        // SAFETY: AVX2 is detected.
        unsafe {
            let (low, high) = (_mm256_shuffle_epi8(low, index), _mm256_shuffle_epi8(high, index));
            [Avx2(_mm256_unpacklo_epi8(low, high)), Avx2(_mm256_unpackhi_epi8(low, high))]
        }
    }
    #[inline(always)]
    fn keys16(keys: &[u16; 16]) -> ([__m256i; 15], __m256i) {
        // No number is above 2^15 - 1.
        let bound = |key: u16| if key == 0 { i16::MAX } else { ((key - 1) ^ 0x8000).cast_signed() };
        // SAFETY: AVX2 is detected.
        let mut all = [unsafe { _mm256_setzero_si256() }; 15];
        let mut above = 0;
        for (register, key) in all.iter_mut().zip(keys) {
            // SAFETY: AVX2 is detected.
            *register = unsafe { _mm256_set1_epi16(core::hint::black_box(bound(*key))) };
            above += i16::from(*key > 0);
        }
        // SAFETY: AVX2 is detected.
        (all, unsafe { _mm256_set1_epi16(above) })
    }
    #[inline(always)]
    fn keys_above16(self, (bounds, count): &([__m256i; 15], __m256i)) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe {
            let number = _mm256_xor_si256(self.0, _mm256_set1_epi16(i16::MIN));
            let mut count = *count;
            for bound in bounds {
                // A mask is -1.
                count = _mm256_add_epi16(count, _mm256_cmpgt_epi16(number, *bound));
            }
            count
        })
    }
    #[inline(always)]
    fn plus16(self, other: Self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_add_epi16(self.0, other.0) })
    }
    #[inline(always)]
    fn minus16(self, other: Self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_sub_epi16(self.0, other.0) })
    }
    #[inline(always)]
    fn minus_saturating16(self, other: Self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_subs_epu16(self.0, other.0) })
    }
    #[inline(always)]
    fn min16(self, other: Self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_min_epu16(self.0, other.0) })
    }
    #[inline(always)]
    fn product16(self, other: Self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_mulhrs_epi16(self.0, other.0) })
    }
    #[inline(always)]
    fn shl16(self, n: u32) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_sll_epi16(self.0, _mm_cvtsi32_si128(n.cast_signed())) })
    }
    #[inline(always)]
    fn shr16(self, n: u32) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_srl_epi16(self.0, _mm_cvtsi32_si128(n.cast_signed())) })
    }
    #[inline(always)]
    fn shr_each16(self, n: Self) -> Self {
        // 2^(16 - n) in the high byte for 1 <= n, and the high half of the product by it.
        // SAFETY: AVX2 is detected.
        Avx2(unsafe {
            let powers = _mm256_broadcastsi128_si256(_mm_set_epi64x(0, 0x0204_0810_2040_8000));
            let place = _mm256_or_si256(_mm256_slli_epi16::<8>(n.0), _mm256_set1_epi16(0x80));
            let shifted = _mm256_mulhi_epu16(self.0, _mm256_shuffle_epi8(powers, place));
            let unshifted = _mm256_cmpeq_epi16(n.0, _mm256_setzero_si256());
            _mm256_or_si256(shifted, _mm256_and_si256(self.0, unshifted))
        })
    }
    #[inline(always)]
    fn below16(self, other: Self) -> __m256i {
        // SAFETY: AVX2 is detected.
        unsafe {
            let sign = _mm256_set1_epi16(0x8000_u16.cast_signed());
            _mm256_cmpgt_epi16(_mm256_xor_si256(other.0, sign), _mm256_xor_si256(self.0, sign))
        }
    }
    #[inline(always)]
    fn where16(self, mask: __m256i) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_and_si256(self.0, mask) })
    }
    #[inline(always)]
    fn load_pair(bytes: &[u8]) -> [Self; 2] {
        // As bytes are unpacked in the register's halves: eight numbers, and eight from 16 on.
        let at = bytes[..64].as_ptr().cast::<__m128i>();
        // SAFETY: AVX2 is detected; four unaligned reads of 16 of the 64 bytes.
        unsafe {
            let [a, b, c, d] = [
                _mm_loadu_si128(at),
                _mm_loadu_si128(at.add(1)),
                _mm_loadu_si128(at.add(2)),
                _mm_loadu_si128(at.add(3)),
            ];
            [Avx2(_mm256_set_m128i(c, a)), Avx2(_mm256_set_m128i(d, b))]
        }
    }
    #[inline(always)]
    fn store_pair([first, second]: [Self; 2], bytes: &mut [u8]) {
        // SAFETY: AVX2 is detected; two unaligned writes of 32 bytes.
        unsafe {
            let low = _mm256_permute2x128_si256::<0x20>(first.0, second.0);
            let high = _mm256_permute2x128_si256::<0x31>(first.0, second.0);
            Avx2(low).store(bytes);
            Avx2(high).store(&mut bytes[32..]);
        }
    }
    #[inline(always)]
    fn widen(self) -> [Self; 2] {
        // SAFETY: AVX2 is detected.
        unsafe {
            let zero = _mm256_setzero_si256();
            [Avx2(_mm256_unpacklo_epi8(self.0, zero)), Avx2(_mm256_unpackhi_epi8(self.0, zero))]
        }
    }
    #[inline(always)]
    fn narrow([first, second]: [Self; 2]) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_packus_epi16(first.0, second.0) })
    }
    #[inline(always)]
    fn bits(mask: __m256i) -> u64 {
        // SAFETY: AVX2 is detected.
        u64::from(unsafe { _mm256_movemask_epi8(mask) }.cast_unsigned())
    }
    #[inline(always)]
    fn shuffle8(bytes: [u8; 8], places: &[u8; 8]) -> [u8; 8] {
        // SAFETY: AVX2 is detected.
        let moved = unsafe {
            let places = _mm_cvtsi64_si128(i64::from_le_bytes(*places));
            _mm_cvtsi128_si64(_mm_shuffle_epi8(_mm_cvtsi64_si128(i64::from_le_bytes(bytes)), places))
        };
        moved.to_le_bytes()
    }
}

impl Words for Vbmi {
    type Mask16 = __mmask32;
    /// The entries, twice.
    type Table16 = __m512i;
    /// For steps by 8, 4, 2 and 1: the keys behind as many.
    type Keys16 = [__m512i; 4];

    #[inline(always)]
    fn splat16(number: u16) -> Self {
        // SAFETY: AVX-512F is detected (see the parent's head).
        Vbmi(unsafe { _mm512_set1_epi16(number.cast_signed()) })
    }
    #[inline(always)]
    fn table16(entries: &[u16; 16]) -> __m512i {
        // SAFETY: AVX-512F is detected; an unaligned read of the 32 bytes.
        unsafe { _mm512_broadcast_i64x4(_mm256_loadu_si256(entries.as_ptr().cast())) }
    }
    #[inline(always)]
    fn look_up16(indices: [Self; 2], table: __m512i) -> [Self; 2] {
        let [first, second] = indices;
        // SAFETY: AVX-512BW is detected.
        unsafe { [Vbmi(_mm512_permutexvar_epi16(first.0, table)), Vbmi(_mm512_permutexvar_epi16(second.0, table))] }
    }
    #[inline(always)]
    fn keys16(keys: &[u16; 16]) -> [__m512i; 4] {
        [8, 4, 2, 1].map(|step: usize| {
            let mut behind = [0; 16];
            behind[..17 - step].copy_from_slice(&keys[step - 1..]);
            Self::table16(&behind)
        })
    }
    #[inline(always)]
    fn keys_above16(self, keys: &[__m512i; 4]) -> Self {
        // A binary search among 15 keys.
        // SAFETY: AVX-512BW is detected.
        Vbmi(unsafe {
            let mut count = _mm512_setzero_si512();
            for (behind, step) in keys.iter().zip([8, 4, 2, 1]) {
                let key = _mm512_permutexvar_epi16(count, *behind);
                let above = _mm512_cmpgt_epu16_mask(key, self.0);
                count = _mm512_mask_add_epi16(count, above, count, _mm512_set1_epi16(step));
            }
            count
        })
    }
    #[inline(always)]
    fn plus16(self, other: Self) -> Self {
        // SAFETY: AVX-512BW is detected.
        Vbmi(unsafe { _mm512_add_epi16(self.0, other.0) })
    }
    #[inline(always)]
    fn minus16(self, other: Self) -> Self {
        // SAFETY: AVX-512BW is detected.
        Vbmi(unsafe { _mm512_sub_epi16(self.0, other.0) })
    }
    #[inline(always)]
    fn minus_saturating16(self, other: Self) -> Self {
        // SAFETY: AVX-512BW is detected.
        Vbmi(unsafe { _mm512_subs_epu16(self.0, other.0) })
    }
    #[inline(always)]
    fn min16(self, other: Self) -> Self {
        // SAFETY: AVX-512BW is detected.
        Vbmi(unsafe { _mm512_min_epu16(self.0, other.0) })
    }
    #[inline(always)]
    fn product16(self, other: Self) -> Self {
        // SAFETY: AVX-512BW is detected.
        Vbmi(unsafe { _mm512_mulhrs_epi16(self.0, other.0) })
    }
    #[inline(always)]
    fn shl16(self, n: u32) -> Self {
        // SAFETY: AVX-512BW is detected.
        Vbmi(unsafe { _mm512_sll_epi16(self.0, _mm_cvtsi32_si128(n.cast_signed())) })
    }
    #[inline(always)]
    fn shr16(self, n: u32) -> Self {
        // SAFETY: AVX-512BW is detected.
        Vbmi(unsafe { _mm512_srl_epi16(self.0, _mm_cvtsi32_si128(n.cast_signed())) })
    }
    #[inline(always)]
    fn shr_each16(self, n: Self) -> Self {
        // SAFETY: AVX-512BW is detected.
        Vbmi(unsafe { _mm512_srlv_epi16(self.0, n.0) })
    }
    #[inline(always)]
    fn below16(self, other: Self) -> __mmask32 {
        // SAFETY: AVX-512BW is detected.
        unsafe { _mm512_cmplt_epu16_mask(self.0, other.0) }
    }
    #[inline(always)]
    fn where16(self, mask: __mmask32) -> Self {
        // SAFETY: AVX-512BW is detected.
        Vbmi(unsafe { _mm512_maskz_mov_epi16(mask, self.0) })
    }
    #[inline(always)]
    fn widen(self) -> [Self; 2] {
        // SAFETY: AVX-512BW is detected.
        unsafe {
            let [low, high] = [_mm512_castsi512_si256(self.0), _mm512_extracti64x4_epi64::<1>(self.0)];
            [Vbmi(_mm512_cvtepu8_epi16(low)), Vbmi(_mm512_cvtepu8_epi16(high))]
        }
    }
    #[inline(always)]
    fn narrow([low, high]: [Self; 2]) -> Self {
        // SAFETY: AVX-512BW is detected.
        Vbmi(unsafe {
            let [low, high] = [_mm512_cvtepi16_epi8(low.0), _mm512_cvtepi16_epi8(high.0)];
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
        })
    }
    #[inline(always)]
    fn bits(mask: __mmask64) -> u64 {
        mask
    }
    #[inline(always)]
    fn compress(bytes: [u8; 64], mask: u64, out: &mut [u8; 64]) {
        // SAFETY: VBMI2 is detected; an unaligned read and an unaligned write of 64 bytes.
        unsafe {
            let bytes = _mm512_loadu_si512(bytes.as_ptr().cast());
            _mm512_storeu_si512(out.as_mut_ptr().cast(), _mm512_maskz_compress_epi8(mask, bytes));
        }
    }
    #[inline(always)]
    fn shuffle8(bytes: [u8; 8], places: &[u8; 8]) -> [u8; 8] {
        Avx2::shuffle8(bytes, places)
    }
}
