//! [`Register`] in the registers of SSE2, AVX2 and AVX-512.
//!
//! SSE2 is in every target that [`Sse2`] is compiled for. The methods of the others are inlined into functions that are
//! compiled for their instructions. [`Backend`](super::Backend) calls these only after it has detected the
//! instructions. Nothing else makes a [`Avx2`] or [`Avx512`].

use super::register::Register;
use core::arch::x86_64::*;

/// Four registers of 128 bits: the portable implementation, which the compiler leaves partly in words.
#[cfg(target_feature = "sse2")]
#[derive(Clone, Copy)]
pub(super) struct Sse2([__m128i; 4]);

/// Two registers of 256 bits.
#[derive(Clone, Copy)]
pub(super) struct Avx2([__m256i; 2]);

/// One register of 512 bits.
#[derive(Clone, Copy)]
pub(super) struct Avx512(__m512i);

#[cfg(target_feature = "sse2")]
impl Sse2 {
    #[inline(always)]
    fn map2(self, other: Self, f: impl Fn(__m128i, __m128i) -> __m128i) -> Self {
        let ([a, b, c, d], [e, g, h, i]) = (self.0, other.0);
        Sse2([f(a, e), f(b, g), f(c, h), f(d, i)])
    }
}

#[cfg(target_feature = "sse2")]
impl Register for Sse2 {
    #[inline(always)]
    fn load(words: &[u64; 8]) -> Self {
        let at = words.as_ptr().cast::<__m128i>();
        // SAFETY: the target has SSE2; four unaligned reads within the 64 bytes.
        Sse2(unsafe { [0, 1, 2, 3].map(|i| _mm_loadu_si128(at.add(i))) })
    }
    #[inline(always)]
    fn store(self, words: &mut [u64; 8]) {
        let at = words.as_mut_ptr().cast::<__m128i>();
        for (i, x) in self.0.into_iter().enumerate() {
            // SAFETY: the target has SSE2; an unaligned write within the 64 bytes.
            unsafe { _mm_storeu_si128(at.add(i), x) };
        }
    }
    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: the target has SSE2.
        Sse2([unsafe { _mm_set1_epi64x(word.cast_signed()) }; 4])
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: the target has SSE2.
        self.map2(other, |a, b| unsafe { _mm_and_si128(a, b) })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: the target has SSE2.
        self.map2(other, |a, b| unsafe { _mm_or_si128(a, b) })
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the target has SSE2.
        self.map2(other, |a, b| unsafe { _mm_xor_si128(a, b) })
    }
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        // SAFETY: the target has SSE2.
        self.map2(self, |a, _| unsafe { _mm_sll_epi64(a, _mm_cvtsi32_si128(n.cast_signed())) })
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        // SAFETY: the target has SSE2.
        self.map2(self, |a, _| unsafe { _mm_srl_epi64(a, _mm_cvtsi32_si128(n.cast_signed())) })
    }
}

impl Avx2 {
    #[inline(always)]
    fn map2(self, other: Self, f: impl Fn(__m256i, __m256i) -> __m256i) -> Self {
        Avx2([f(self.0[0], other.0[0]), f(self.0[1], other.0[1])])
    }

    /// The bytes of `other` where those of the mask are all ones, those of `self` where they are zero.
    #[inline(always)]
    fn blend(self, other: Self, mask: u64) -> Self {
        let [mask, _] = Self::splat(mask).0;
        // SAFETY: AVX2 is detected.
        self.map2(
            other,
            #[inline(always)]
            |a, b| unsafe { _mm256_blendv_epi8(a, b, mask) },
        )
    }
}

impl Register for Avx2 {
    #[inline(always)]
    fn load(words: &[u64; 8]) -> Self {
        let at = words.as_ptr().cast::<__m256i>();
        // SAFETY: AVX2 is detected (see the head); two unaligned reads within the 64 bytes.
        Avx2(unsafe { [_mm256_loadu_si256(at), _mm256_loadu_si256(at.add(1))] })
    }
    #[inline(always)]
    fn store(self, words: &mut [u64; 8]) {
        let at = words.as_mut_ptr().cast::<__m256i>();
        // SAFETY: AVX2 is detected; two unaligned writes within the 64 bytes.
        unsafe {
            _mm256_storeu_si256(at, self.0[0]);
            _mm256_storeu_si256(at.add(1), self.0[1]);
        }
    }
    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: AVX2 is detected.
        let word = unsafe { _mm256_set1_epi64x(word.cast_signed()) };
        Avx2([word, word])
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: AVX2 is detected.
        self.map2(
            other,
            #[inline(always)]
            |a, b| unsafe { _mm256_and_si256(a, b) },
        )
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: AVX2 is detected.
        self.map2(
            other,
            #[inline(always)]
            |a, b| unsafe { _mm256_or_si256(a, b) },
        )
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: AVX2 is detected.
        self.map2(
            other,
            #[inline(always)]
            |a, b| unsafe { _mm256_xor_si256(a, b) },
        )
    }
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        // SAFETY: AVX2 is detected.
        self.map2(
            self,
            #[inline(always)]
            |a, _| unsafe { _mm256_sll_epi64(a, _mm_cvtsi32_si128(n.cast_signed())) },
        )
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        // SAFETY: AVX2 is detected.
        self.map2(
            self,
            #[inline(always)]
            |a, _| unsafe { _mm256_srl_epi64(a, _mm_cvtsi32_si128(n.cast_signed())) },
        )
    }
    #[inline(always)]
    fn exchange(self, other: Self, shift: u32, mask: u64) -> (Self, Self) {
        if shift.is_multiple_of(8) {
            // The mask is whole bytes: one instruction selects them.
            return (other.shl(shift).blend(self, mask), other.blend(self.shr(shift), mask));
        }
        let differing = self.shr(shift).xor(other).and(Self::splat(mask));
        (self.xor(differing.shl(shift)), other.xor(differing))
    }
}

impl Register for Avx512 {
    #[inline(always)]
    fn load(words: &[u64; 8]) -> Self {
        // SAFETY: AVX-512F is detected (see the head); one unaligned read of the 64 bytes.
        Avx512(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, words: &mut [u64; 8]) {
        // SAFETY: AVX-512F is detected; one unaligned write of the 64 bytes.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: AVX-512F is detected.
        Avx512(unsafe { _mm512_set1_epi64(word.cast_signed()) })
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: AVX-512F is detected.
        Avx512(unsafe { _mm512_and_si512(self.0, other.0) })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: AVX-512F is detected.
        Avx512(unsafe { _mm512_or_si512(self.0, other.0) })
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: AVX-512F is detected.
        Avx512(unsafe { _mm512_xor_si512(self.0, other.0) })
    }
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        // SAFETY: AVX-512F is detected.
        Avx512(unsafe { _mm512_sll_epi64(self.0, _mm_cvtsi32_si128(n.cast_signed())) })
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        // SAFETY: AVX-512F is detected.
        Avx512(unsafe { _mm512_srl_epi64(self.0, _mm_cvtsi32_si128(n.cast_signed())) })
    }
    #[inline(always)]
    fn exchange(self, other: Self, shift: u32, mask: u64) -> (Self, Self) {
        let mask = Self::splat(mask).0;
        // SAFETY: AVX-512F is detected. Where the mask has ones the first, elsewhere the second.
        let select = |one: Self, zero: Self| Avx512(unsafe { _mm512_ternarylogic_epi64::<0xca>(mask, one.0, zero.0) });
        (select(self, other.shl(shift)), select(self.shr(shift), other))
    }
}
