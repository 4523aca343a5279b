//! The trials of a round in a register of AVX2.

use super::super::call_lanes::{self, RoundLanes};
use super::super::calls::{Call, ROUND, Round, Search};
use super::{Avx2, has_avx2};
use crate::arch::{Backend, align_frame};
use core::arch::x86_64::*;

/// [`Round::run`], with AVX2 whatever there is beyond it: a register has the round.
#[inline(always)]
pub(in super::super) fn first(round: Round<'_>, backend: Backend, values: &mut [u64; ROUND]) -> Option<(u32, u32)> {
    if cfg!(samplez_backend = "scalar") || backend < Backend::Avx2 || !has_avx2::get() {
        return None;
    }
    let Round { envelope, search, call, words, lows } = round;
    // SAFETY: the processor has the instructions.
    Some(unsafe {
        match envelope.shift {
            0 => first_avx2(search, call, words, values),
            shift => first_wide_avx2(search, shift, call, words, lows, values),
        }
    })
}

/// [`call_lanes::first`] for K = 1.
///
/// # Safety
///
/// The processor must have AVX2.
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn first_avx2(search: &Search, call: &Call, words: &[u64; ROUND], values: &mut [u64; ROUND]) -> (u32, u32) {
    align_frame::<__m256i>();
    let words = Avx2::load_halves(words);
    // None of the low bits is used.
    let (all, place) = call_lanes::first(search, 0, call, words, words);
    all.store(values);
    place
}

/// [`call_lanes::first`] for any K.
///
/// # Safety
///
/// The processor must have AVX2.
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn first_wide_avx2(
    search: &Search,
    shift: u32,
    call: &Call,
    words: &[u64; ROUND],
    lows: &[u64; ROUND / 2],
    values: &mut [u64; ROUND],
) -> (u32, u32) {
    align_frame::<__m256i>();
    let (all, place) = call_lanes::first(search, shift, call, Avx2::load_halves(words), Avx2::load_narrow(lows));
    all.store(values);
    place
}

/// Two words, wherever they are.
#[repr(C, packed(8))]
#[derive(Clone, Copy)]
struct Pair(__m128i);

impl Avx2 {
    /// These words, by loads of two. A load waits for stores that it has pieces of, and a source stores by two.
    #[inline(always)]
    fn load_halves(words: &[u64; ROUND]) -> Self {
        let at: *const Pair = words.as_ptr().cast();
        // SAFETY: AVX2 is detected (see the head); two unaligned reads within the 32 bytes. They are volatile, because the
        // compiler makes one of them otherwise.
        Avx2(unsafe { _mm256_set_m128i(at.add(1).read_volatile().0, at.read_volatile().0) })
    }

    /// The halves of these words.
    #[inline(always)]
    fn load_narrow(words: &[u64; ROUND / 2]) -> Self {
        // SAFETY: AVX2 is detected; an unaligned read of the 16 bytes.
        Avx2(unsafe { _mm256_cvtepu32_epi64(_mm_loadu_si128(words.as_ptr().cast())) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u64; ROUND]) {
        // SAFETY: AVX2 is detected; an unaligned write of the 32 bytes.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
    }
}

impl RoundLanes for Avx2 {
    #[inline(always)]
    fn halves8(halves: &[[u32; 8]; 2]) -> [__m256i; 2] {
        // SAFETY: AVX2 is detected; an unaligned read of the 32 bytes.
        [&halves[0], &halves[1]].map(
            #[inline(always)]
            |halves| unsafe { _mm256_loadu_si256(halves.as_ptr().cast()) },
        )
    }
    #[inline(always)]
    fn minus16(self, other: Self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_sub_epi16(self.0, other.0) })
    }
    #[inline(always)]
    fn count_above_signed16(self, key: Self, number: Self) -> Self {
        // The outcome of the comparison is -1.
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_sub_epi16(self.0, _mm256_cmpgt_epi16(key.0, number.0)) })
    }
}
