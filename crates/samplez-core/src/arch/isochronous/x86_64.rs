//! The trials in the registers of AVX2 and AVX-512, and the accepted ones brought together.
//!
//! The methods are inlined into functions that are compiled for these instructions. These functions are called only
//! where the instructions have been detected. Nothing else makes an [`Avx2`] or [`Avx512`].

use super::call_lanes::{self, CallLanes};
use super::calls::{CallTrials, Compaction};
use super::lanes::{self, Lanes};
use super::trial::{KEYS, Trials};
use crate::arch::bytes::PLACES;
use crate::arch::{Backend, align_frame};
use core::arch::x86_64::*;

mod rounds;

pub(super) use rounds::first;

cpufeatures::new!(has_avx2, "avx2", "bmi1", "popcnt");
cpufeatures::new!(has_avx512, "avx512f", "avx512bw", "popcnt");

/// Whether there is code for this backend here.
#[inline]
pub(super) fn has(backend: Backend) -> bool {
    backend.is_available() && backend >= Backend::Avx2 && has_avx2::get()
}

/// [`Trials::run`].
///
/// # Panics
///
/// Unless the backend [is available](has).
#[inline]
pub(super) fn run(trials: Trials<'_>, backend: Backend) {
    assert!(has(backend));
    if backend == Backend::Avx512 && has_avx512::get() {
        // SAFETY: the processor has the instructions.
        unsafe { run_avx512(trials) }
    } else {
        // SAFETY: the processor has the instructions.
        unsafe { run_avx2(trials) }
    }
}

/// [`CallTrials::run`].
///
/// # Panics
///
/// As [`run`].
#[inline]
pub(super) fn run_calls(trials: CallTrials<'_>, backend: Backend) {
    assert!(has(backend));
    if backend == Backend::Avx512 && has_avx512::get() {
        // SAFETY: the processor has the instructions.
        unsafe { calls_avx512(trials) }
    } else {
        // SAFETY: the processor has the instructions.
        unsafe { calls_avx2(trials) }
    }
}

/// [`Compaction::run`].
///
/// # Panics
///
/// As [`run`].
#[inline]
pub(super) fn kept(words: Compaction<'_>, backend: Backend) -> usize {
    assert!(has(backend));
    if backend == Backend::Avx512 && has_avx512::get() {
        // SAFETY: the processor has the instructions.
        unsafe { kept_avx512(words) }
    } else {
        // SAFETY: the processor has the instructions.
        unsafe { kept_avx2(words) }
    }
}

/// # Safety
///
/// The processor must have AVX2.
#[target_feature(enable = "avx2,popcnt")]
fn run_avx2(trials: Trials<'_>) {
    align_frame::<__m256i>();
    lanes::run::<Avx2, 4>(trials);
}

/// # Safety
///
/// The processor must have AVX-512 F and BW.
#[target_feature(enable = "avx512f,avx512bw,popcnt")]
fn run_avx512(trials: Trials<'_>) {
    align_frame::<__m512i>();
    lanes::run::<Avx512, 4>(trials);
}

/// # Safety
///
/// The processor must have AVX2.
#[target_feature(enable = "avx2,popcnt")]
fn calls_avx2(trials: CallTrials<'_>) {
    align_frame::<__m256i>();
    call_lanes::run::<Avx2, 4>(trials);
}

/// # Safety
///
/// The processor must have AVX-512 F and BW.
#[target_feature(enable = "avx512f,avx512bw,popcnt")]
fn calls_avx512(trials: CallTrials<'_>) {
    align_frame::<__m512i>();
    call_lanes::run::<Avx512, 4>(trials);
}

/// For each mask of 4 the places of the halves of its words, a byte each.
static HALVES: [[u8; 8]; 16] = {
    let mut halves = [[0; 8]; 16];
    let mut mask = 0;
    while mask < 16 {
        let mut i = 0;
        while i < 4 {
            let word = PLACES[mask][i];
            (halves[mask][2 * i], halves[mask][2 * i + 1]) = (2 * word, 2 * word + 1);
            i += 1;
        }
        mask += 1;
    }
    halves
};

/// # Safety
///
/// The processor must have AVX2 and POPCNT.
#[target_feature(enable = "avx2,popcnt")]
fn kept_avx2(words: Compaction<'_>) -> usize {
    align_frame::<__m256i>();
    let mut arrays = words.arrays.map(<[_]>::as_flattened_mut);
    let (mut made, mut at) = (0, 0);
    for mask in words.kept.iter().flat_map(|mask| mask.to_le_bytes()).flat_map(|mask| [mask & 15, mask >> 4]) {
        let places = &HALVES[usize::from(mask)];
        // SAFETY: AVX2 is detected; an unaligned read of 8 bytes.
        let places = unsafe { _mm256_cvtepu8_epi32(_mm_loadl_epi64(places.as_ptr().cast())) };
        for array in &mut arrays {
            let (from, to) = (array[at..at + 4].as_ptr(), array[made..made + 4].as_mut_ptr());
            // SAFETY: AVX2 is detected; an unaligned read and a write of 32 bytes within the array. What is written over
            // has been read before: made <= at.
            unsafe {
                let words = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(from.cast()), places);
                _mm256_storeu_si256(to.cast(), words);
            }
        }
        made += mask.count_ones() as usize;
        at += 4;
    }
    made
}

/// # Safety
///
/// The processor must have AVX-512F and POPCNT.
#[target_feature(enable = "avx512f,popcnt")]
fn kept_avx512(words: Compaction<'_>) -> usize {
    align_frame::<__m512i>();
    let mut arrays = words.arrays.map(<[_]>::as_flattened_mut);
    let (mut made, mut at) = (0, 0);
    for mask in words.kept.iter().flat_map(|mask| mask.to_le_bytes()) {
        for array in &mut arrays {
            let (from, to) = (array[at..at + 8].as_ptr(), array[made..made + 8].as_mut_ptr());
            // SAFETY: AVX-512F is detected; an unaligned read and a write of 64 bytes within the array. What is written
            // over has been read before: made <= at.
            unsafe {
                let words = _mm512_maskz_compress_epi64(mask, _mm512_loadu_si512(from.cast()));
                _mm512_storeu_si512(to.cast(), words);
            }
        }
        made += mask.count_ones() as usize;
        at += 8;
    }
    made
}

/// Four words.
#[derive(Clone, Copy)]
struct Avx2(__m256i);

/// Eight words.
#[derive(Clone, Copy)]
struct Avx512(__m512i);

/// The same, where it is made.
#[target_feature(enable = "avx2")]
#[inline]
#[cfg_attr(miri, expect(unused_mut, reason = "no assembly there"))]
fn made(mut register: __m256i) -> __m256i {
    // SAFETY: no instruction is emitted.
    #[cfg(not(miri))]
    unsafe {
        core::arch::asm!("/* {} */", inout(ymm_reg) register, options(pure, nomem, nostack, preserves_flags));
    }
    register
}

impl CallLanes for Avx2 {
    #[inline(always)]
    fn shr_any(self, n: Self) -> Self {
        self.shr_each(n)
    }
}

impl CallLanes for Avx512 {
    #[inline(always)]
    fn shr_any(self, n: Self) -> Self {
        self.shr_each(n)
    }
}

impl Lanes for Avx2 {
    const LANES: usize = 4;
    /// The low halves of the words.
    type Half = Self;
    type Count = Self;
    /// The low bytes and the high bytes, twice.
    type Table16 = [__m256i; 2];
    /// The high halves and the low halves.
    type Table8 = [__m256i; 2];

    #[inline(always)]
    fn load(words: &[u64]) -> Self {
        // SAFETY: AVX2 is detected (see the head); an unaligned read of the 32 bytes.
        Avx2(unsafe { _mm256_loadu_si256(words[..4].as_ptr().cast()) })
    }
    #[inline(always)]
    fn made(self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { made(self.0) })
    }
    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_set1_epi64x(word.cast_signed()) })
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_and_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_or_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_xor_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_add_epi64(self.0, other.0) })
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_sub_epi64(self.0, other.0) })
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
    fn product(a: Self, b: Self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_mul_epu32(a.0, b.0) })
    }
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_sll_epi64(self.0, _mm_cvtsi32_si128(n.cast_signed())) })
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(n.cast_signed())) })
    }
    #[inline(always)]
    fn places(n: u32) -> Self {
        Self::splat(n.into())
    }
    #[inline(always)]
    fn shl_by(self, n: Self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_sllv_epi64(self.0, n.0) })
    }
    #[inline(always)]
    fn shr_by(self, n: Self) -> Self {
        self.shr_each(n)
    }
    #[inline(always)]
    fn shr_each(self, n: Self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_srlv_epi64(self.0, n.0) })
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
    fn count_above16(self, key: Self, number: Self) -> Self {
        // The comparison is of signed numbers; its outcome is -1.
        let bias = Self::splat16(1 << 15);
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_sub_epi16(self.0, _mm256_cmpgt_epi16(key.xor(bias).0, number.xor(bias).0)) })
    }
    #[inline(always)]
    fn table16(entries: &[u16; KEYS]) -> [__m256i; 2] {
        [entries.map(|entry| entry as u8), entries.map(|entry| (entry >> 8) as u8)].map(
            #[inline(always)]
            |bytes| {
                // SAFETY: AVX2 is detected; an unaligned read of the 16 bytes.
                unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())) }
            },
        )
    }
    #[inline(always)]
    fn look_up16(self, [low, high]: [__m256i; 2]) -> Self {
        // A byte whose highest bit is set gives 0.
        // SAFETY: AVX2 is detected.
        Avx2(unsafe {
            let low = _mm256_shuffle_epi8(low, self.or(Self::splat16(0x8000)).0);
            let high = _mm256_shuffle_epi8(high, self.shl(8).or(Self::splat16(0x0080)).0);
            _mm256_or_si256(low, high)
        })
    }
    #[inline(always)]
    fn table8(entries: &[u64; 8]) -> [__m256i; 2] {
        [entries.map(|entry| (entry >> 32) as u32), entries.map(|entry| entry as u32)].map(
            #[inline(always)]
            |halves| {
                // SAFETY: AVX2 is detected; an unaligned read of the 32 bytes.
                unsafe { _mm256_loadu_si256(halves.as_ptr().cast()) }
            },
        )
    }
    #[inline(always)]
    fn look_up8(self, [high, low]: [__m256i; 2]) -> (Self, Self) {
        // The instruction takes the lowest 3 bits of each half.
        // SAFETY: AVX2 is detected.
        unsafe { (Avx2(_mm256_permutevar8x32_epi32(high, self.0)), Avx2(_mm256_permutevar8x32_epi32(low, self.0))) }
    }
    #[inline(always)]
    fn is_below(self, other: Self) -> u32 {
        // SAFETY: AVX2 is detected.
        unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(other.0, self.0))).cast_unsigned() }
    }
    #[inline(always)]
    fn store_low<const G: usize>(registers: [Self; G], out: &mut [i32]) {
        const { assert!(G.is_multiple_of(2)) };
        for ([a, b], out) in registers.as_chunks().0.iter().zip(out[..4 * G].as_chunks_mut::<8>().0) {
            // SAFETY: AVX2 is detected; an unaligned write of the 32 bytes.
            unsafe {
                let (a, b) = (_mm256_castsi256_ps(a.0), _mm256_castsi256_ps(b.0));
                let halves = _mm256_castps_si256(_mm256_shuffle_ps::<0x88>(a, b));
                _mm256_storeu_si256(out.as_mut_ptr().cast(), _mm256_permute4x64_epi64::<0xd8>(halves));
            }
        }
    }
}

impl Lanes for Avx512 {
    const LANES: usize = 8;
    /// The low halves of the words.
    type Half = Self;
    type Count = Self;
    /// The entries, and as many zeros.
    type Table16 = __m512i;
    type Table8 = __m512i;

    #[inline(always)]
    fn load(words: &[u64]) -> Self {
        // SAFETY: AVX-512F is detected (see the head); an unaligned read of the 64 bytes.
        Avx512(unsafe { _mm512_loadu_si512(words[..8].as_ptr().cast()) })
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
    fn plus(self, other: Self) -> Self {
        // SAFETY: AVX-512F is detected.
        Avx512(unsafe { _mm512_add_epi64(self.0, other.0) })
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: AVX-512F is detected.
        Avx512(unsafe { _mm512_sub_epi64(self.0, other.0) })
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
    fn product(a: Self, b: Self) -> Self {
        // SAFETY: AVX-512F is detected.
        Avx512(unsafe { _mm512_mul_epu32(a.0, b.0) })
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
    fn places(n: u32) -> Self {
        Self::splat(n.into())
    }
    #[inline(always)]
    fn shl_by(self, n: Self) -> Self {
        // SAFETY: AVX-512F is detected.
        Avx512(unsafe { _mm512_sllv_epi64(self.0, n.0) })
    }
    #[inline(always)]
    fn shr_by(self, n: Self) -> Self {
        self.shr_each(n)
    }
    #[inline(always)]
    fn shr_each(self, n: Self) -> Self {
        // SAFETY: AVX-512F is detected.
        Avx512(unsafe { _mm512_srlv_epi64(self.0, n.0) })
    }
    #[inline(always)]
    fn minus_saturating16(self, other: Self) -> Self {
        // SAFETY: AVX-512BW is detected.
        Avx512(unsafe { _mm512_subs_epu16(self.0, other.0) })
    }
    #[inline(always)]
    fn min16(self, other: Self) -> Self {
        // SAFETY: AVX-512BW is detected.
        Avx512(unsafe { _mm512_min_epu16(self.0, other.0) })
    }
    #[inline(always)]
    fn count_above16(self, key: Self, number: Self) -> Self {
        // SAFETY: AVX-512BW is detected.
        Avx512(unsafe {
            let above = _mm512_cmpgt_epu16_mask(key.0, number.0);
            _mm512_mask_add_epi16(self.0, above, self.0, _mm512_set1_epi16(1))
        })
    }
    #[inline(always)]
    fn table16(entries: &[u16; KEYS]) -> __m512i {
        let mut table = [0; 2 * KEYS];
        table[..KEYS].copy_from_slice(entries);
        // SAFETY: AVX-512F is detected; an unaligned read of the 64 bytes.
        unsafe { _mm512_loadu_si512(table.as_ptr().cast()) }
    }
    #[inline(always)]
    fn look_up16(self, table: __m512i) -> Self {
        // SAFETY: AVX-512BW is detected.
        Avx512(unsafe { _mm512_permutexvar_epi16(self.0, table) })
    }
    #[inline(always)]
    fn table8(entries: &[u64; 8]) -> __m512i {
        Self::load(entries).0
    }
    #[inline(always)]
    fn look_up8(self, table: __m512i) -> (Self, Self) {
        // The instruction takes the lowest 3 bits.
        // SAFETY: AVX-512F is detected.
        let entry = Avx512(unsafe { _mm512_permutexvar_epi64(self.0, table) });
        (entry.shr(32), entry)
    }
    #[inline(always)]
    fn is_below(self, other: Self) -> u32 {
        // SAFETY: AVX-512F is detected.
        unsafe { _mm512_cmplt_epu64_mask(self.0, other.0) }.into()
    }
    #[inline(always)]
    fn store_low<const G: usize>(registers: [Self; G], out: &mut [i32]) {
        for (register, out) in registers.into_iter().zip(out[..8 * G].as_chunks_mut::<8>().0) {
            // SAFETY: AVX-512F is detected; an unaligned write of the 32 bytes.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), _mm512_cvtepi64_epi32(register.0)) };
        }
    }
}
