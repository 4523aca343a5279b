//! SSE2: the compiler leaves the portable implementation partly in words. The parent's head has the
//! argument for `unsafe`.

use crate::arch::vector::bits::Vector;
use core::arch::x86_64::*;

/// Two words.
#[derive(Clone, Copy)]
pub(in crate::arch::vector) struct Sse2(__m128i);

impl Vector for Sse2 {
    const WORDS: usize = 2;

    intrinsics! {
        fn load(words: &[u64]) -> Self { Sse2(_mm_loadu_si128(words[..2].as_ptr().cast())) }
        fn store(self, words: &mut [u64]) { _mm_storeu_si128(words[..2].as_mut_ptr().cast(), self.0) }
        fn splat(word: u64) -> Self { Sse2(_mm_set1_epi64x(word.cast_signed())) }
        fn shl(self, n: u32) -> Self { Sse2(_mm_sll_epi64(self.0, _mm_cvtsi32_si128(n.cast_signed()))) }
        fn shr(self, n: u32) -> Self { Sse2(_mm_srl_epi64(self.0, _mm_cvtsi32_si128(n.cast_signed()))) }
    }
    intrinsics! { Sse2:
        and = _mm_and_si128;
        or = _mm_or_si128;
        xor = _mm_xor_si128;
        minus16 = _mm_sub_epi16;
        minus_saturating16 = _mm_subs_epu16;
    }
}
