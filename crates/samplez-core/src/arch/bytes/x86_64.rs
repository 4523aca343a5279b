//! Bytes in the registers of AVX2, and of AVX-512 with VBMI2.
//!
//! The methods are inlined into functions that are compiled for these instructions. Those are called only where the
//! instructions have been detected, and nothing else makes an [`Avx2`] or [`Vbmi`].

mod words;

use super::lanes::Bytes;
use super::sixteens::{self, Sixteens};
use super::words::ByteKernel;
use crate::arch::{Backend, align_frame};
use core::arch::x86_64::*;

cpufeatures::new!(has_avx2, "avx2", "popcnt");
cpufeatures::new!(has_vbmi, "avx512f", "avx512bw", "avx512vbmi", "avx512vbmi2", "popcnt");

/// Whether [`run`] has code for this backend here.
#[inline]
pub(super) fn has(backend: Backend) -> bool {
    backend.is_available() && backend >= Backend::Avx2 && has_avx2::get()
}

/// The kernel's result.
///
/// # Panics
///
/// Unless the backend [is available](has).
#[inline]
pub(super) fn run<K: ByteKernel>(kernel: K, backend: Backend) -> K::Output {
    assert!(has(backend));
    if backend == Backend::Avx512 && has_vbmi::get() {
        // SAFETY: the processor has the instructions.
        unsafe { run_vbmi(kernel) }
    } else {
        // SAFETY: the processor has the instructions.
        unsafe { run_avx2(kernel) }
    }
}

/// # Safety
///
/// The processor must have AVX2 and POPCNT.
#[target_feature(enable = "avx2,popcnt")]
fn run_avx2<K: ByteKernel>(kernel: K) -> K::Output {
    align_frame::<__m256i>();
    kernel.run_in_bytes::<Avx2>()
}

/// # Safety
///
/// The processor must have AVX-512 F, BW, VBMI and VBMI2, and POPCNT.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]
fn run_vbmi<K: ByteKernel>(kernel: K) -> K::Output {
    align_frame::<__m512i>();
    kernel.run_in_bytes::<Vbmi>()
}

/// 32 bytes; tables of 16 entries, twice.
#[derive(Clone, Copy)]
struct Avx2(__m256i);

impl Bytes for Avx2 {
    type Mask = __m256i;
    const LANES: usize = 32;
    const INDEX_BITS: usize = 4;

    #[inline(always)]
    fn load(bytes: &[u8]) -> Self {
        // SAFETY: AVX2 is detected (see the head); an unaligned read of the 32 bytes.
        Avx2(unsafe { _mm256_loadu_si256(bytes[..32].as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        // SAFETY: AVX2 is detected; an unaligned write of the 32 bytes.
        unsafe { _mm256_storeu_si256(bytes[..32].as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn splat(byte: u8) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_set1_epi8(byte.cast_signed()) })
    }
    #[inline(always)]
    fn table(entries: &[u8]) -> Self {
        // SAFETY: AVX2 is detected; an unaligned read of the 16 bytes.
        Avx2(unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(entries[..16].as_ptr().cast())) })
    }
    #[inline(always)]
    fn index(self) -> Self {
        // The instruction gives 0 where an index's highest bit is set.
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_and_si256(self.0, _mm256_set1_epi8(0x0f)) })
    }
    #[inline(always)]
    fn look_up(self, index: Self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_shuffle_epi8(self.0, index.0) })
    }
    #[inline(always)]
    fn look_up_rank(self, rank: Self, first: usize) -> Self {
        // From 16 on, and below 0 as well, the highest bit is set.
        // SAFETY: AVX2 is detected.
        Avx2(unsafe {
            let place = _mm256_sub_epi8(rank.0, _mm256_set1_epi8(first as i8));
            _mm256_shuffle_epi8(self.0, _mm256_adds_epu8(place, _mm256_set1_epi8(0x70)))
        })
    }
    #[inline(always)]
    fn below(self, key: Self) -> __m256i {
        // SAFETY: AVX2 is detected.
        unsafe { _mm256_cmpgt_epi8(key.0, self.0) }
    }
    #[inline(always)]
    fn below_or(self, key: Self, behind: __m256i) -> __m256i {
        // SAFETY: AVX2 is detected.
        unsafe { _mm256_or_si256(self.below(key), _mm256_and_si256(_mm256_cmpeq_epi8(self.0, key.0), behind)) }
    }
    #[inline(always)]
    fn is_zero(self) -> __m256i {
        // SAFETY: AVX2 is detected.
        unsafe { _mm256_cmpeq_epi8(self.0, _mm256_setzero_si256()) }
    }
    #[inline(always)]
    fn both(a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: AVX2 is detected.
        unsafe { _mm256_and_si256(a, b) }
    }
    #[inline(always)]
    fn select(mask: __m256i, yes: Self, no: Self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_blendv_epi8(no.0, yes.0, mask) })
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
    fn and(self, other: Self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_and_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn plus_at_most(self, other: Self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_adds_epu8(self.0, other.0) })
    }
    #[inline(always)]
    fn negated(self, signs: Self) -> Self {
        // The instruction gives 0 where the sign is 0.
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_sign_epi8(self.0, _mm256_or_si256(signs.0, _mm256_set1_epi8(1))) })
    }
    #[inline(always)]
    fn hand_out<const ENTRIES: usize>(self, open: Self::Mask, tables: &[Self; 16], taken: &mut Self) -> Self {
        sixteens::hand_out::<Self, ENTRIES>(self, open, tables, taken)
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_add_epi8(self.0, other.0) })
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_sub_epi8(self.0, other.0) })
    }
    #[inline(always)]
    fn count(self, mask: __m256i) -> Self {
        // A mask is -1.
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_sub_epi8(self.0, mask) })
    }
    #[inline(always)]
    fn double(self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe { _mm256_add_epi8(self.0, self.0) })
    }
}

impl Sixteens for Avx2 {
    #[inline(always)]
    fn bit(self, bit: usize) -> __m256i {
        // Blends look at the highest bit of each byte.
        // SAFETY: AVX2 is detected.
        unsafe {
            match bit {
                4 => _mm256_slli_epi16::<3>(self.0),
                5 => _mm256_slli_epi16::<2>(self.0),
                6 => _mm256_slli_epi16::<1>(self.0),
                _ => self.0,
            }
        }
    }
    #[inline(always)]
    fn sums(self) -> Self {
        // SAFETY: AVX2 is detected.
        Avx2(unsafe {
            let sums = _mm256_add_epi8(self.0, _mm256_slli_si256::<1>(self.0));
            let sums = _mm256_add_epi8(sums, _mm256_slli_si256::<2>(sums));
            let sums = _mm256_add_epi8(sums, _mm256_slli_si256::<4>(sums));
            _mm256_add_epi8(sums, _mm256_slli_si256::<8>(sums))
        })
    }
    #[inline(always)]
    fn totals(sums: Self) -> [Self; 2] {
        // SAFETY: AVX2 is detected.
        unsafe {
            let own = _mm256_shuffle_epi8(sums.0, _mm256_set1_epi8(15));
            let other = _mm256_permute2x128_si256::<0x01>(own, own);
            let upper = _mm256_set_epi64x(-1, -1, 0, 0);
            [Avx2(_mm256_and_si256(other, upper)), Avx2(_mm256_add_epi8(own, other))]
        }
    }
}

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

/// 64 bytes; tables of 64 entries.
#[derive(Clone, Copy)]
struct Vbmi(__m512i);

impl Bytes for Vbmi {
    type Mask = __mmask64;
    const LANES: usize = 64;
    const INDEX_BITS: usize = 6;

    #[inline(always)]
    fn load(bytes: &[u8]) -> Self {
        // SAFETY: AVX-512F is detected (see the head); an unaligned read of the 64 bytes.
        Vbmi(unsafe { _mm512_loadu_si512(bytes[..64].as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        // SAFETY: AVX-512F is detected; an unaligned write of the 64 bytes.
        unsafe { _mm512_storeu_si512(bytes[..64].as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn splat(byte: u8) -> Self {
        // SAFETY: AVX-512F is detected.
        Vbmi(unsafe { _mm512_set1_epi8(byte.cast_signed()) })
    }
    #[inline(always)]
    fn table(entries: &[u8]) -> Self {
        Self::load(entries)
    }
    #[inline(always)]
    fn index(self) -> Self {
        // The instruction takes the lowest bits.
        self
    }
    #[inline(always)]
    fn look_up(self, index: Self) -> Self {
        // SAFETY: VBMI is detected.
        Vbmi(unsafe { _mm512_permutexvar_epi8(index.0, self.0) })
    }
    #[inline(always)]
    fn look_up_rank(self, rank: Self, first: usize) -> Self {
        // SAFETY: AVX-512BW and VBMI are detected.
        Vbmi(unsafe {
            let table = _mm512_and_si512(rank.0, _mm512_set1_epi8(0xc0_u8 as i8));
            let here = _mm512_cmpeq_epi8_mask(table, _mm512_set1_epi8(first as i8));
            _mm512_maskz_permutexvar_epi8(here, rank.0, self.0)
        })
    }
    #[inline(always)]
    fn below(self, key: Self) -> __mmask64 {
        // SAFETY: AVX-512BW is detected.
        unsafe { _mm512_cmpgt_epi8_mask(key.0, self.0) }
    }
    #[inline(always)]
    fn below_or(self, key: Self, behind: __mmask64) -> __mmask64 {
        // Both comparisons before `behind` is known: masks wait for each other for long enough.
        // SAFETY: AVX-512BW is detected.
        self.below(key) | unsafe { _mm512_cmpeq_epi8_mask(key.0, self.0) } & behind
    }
    #[inline(always)]
    fn is_zero(self) -> __mmask64 {
        // SAFETY: AVX-512BW is detected.
        unsafe { _mm512_testn_epi8_mask(self.0, self.0) }
    }
    #[inline(always)]
    fn both(a: __mmask64, b: __mmask64) -> __mmask64 {
        a & b
    }
    #[inline(always)]
    fn select(mask: __mmask64, yes: Self, no: Self) -> Self {
        // SAFETY: AVX-512BW is detected.
        Vbmi(unsafe { _mm512_mask_blend_epi8(mask, no.0, yes.0) })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: AVX-512F is detected.
        Vbmi(unsafe { _mm512_or_si512(self.0, other.0) })
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: AVX-512F is detected.
        Vbmi(unsafe { _mm512_xor_si512(self.0, other.0) })
    }
    #[inline(always)]
    fn of_rank<const ENTRIES: usize>(tables: &[Self; 16], rank: Self) -> Self {
        let [a, b, c, d, ..] = *tables;
        // SAFETY: AVX-512BW and VBMI are detected.
        Vbmi(unsafe {
            let lower = _mm512_permutex2var_epi8(a.0, rank.0, b.0);
            let is_upper = _mm512_movepi8_mask(rank.0);
            match ENTRIES {
                64 => a.look_up(rank).0,
                128 => lower,
                192 => _mm512_mask_permutexvar_epi8(lower, is_upper, rank.0, c.0),
                _ => _mm512_mask_blend_epi8(is_upper, lower, _mm512_permutex2var_epi8(c.0, rank.0, d.0)),
            }
        })
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: AVX-512F is detected.
        Vbmi(unsafe { _mm512_and_si512(self.0, other.0) })
    }
    #[inline(always)]
    fn plus_at_most(self, other: Self) -> Self {
        // SAFETY: AVX-512BW is detected.
        Vbmi(unsafe { _mm512_adds_epu8(self.0, other.0) })
    }
    #[inline(always)]
    fn negated(self, signs: Self) -> Self {
        // SAFETY: AVX-512BW is detected.
        Vbmi(unsafe { _mm512_mask_sub_epi8(self.0, _mm512_movepi8_mask(signs.0), _mm512_setzero_si512(), self.0) })
    }
    #[inline(always)]
    fn hand_out<const ENTRIES: usize>(self, open: __mmask64, tables: &[Self; 16], taken: &mut Self) -> Self {
        let next = Self::of_rank::<ENTRIES>(tables, Self::load(&NUMBERS).plus(*taken));
        *taken = taken.plus_at_most(Self::splat(open.count_ones() as u8));
        // SAFETY: VBMI2 is detected.
        Vbmi(unsafe { _mm512_mask_expand_epi8(self.0, open, next.0) })
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: AVX-512BW is detected.
        Vbmi(unsafe { _mm512_add_epi8(self.0, other.0) })
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: AVX-512BW is detected.
        Vbmi(unsafe { _mm512_sub_epi8(self.0, other.0) })
    }
    #[inline(always)]
    fn count(self, mask: __mmask64) -> Self {
        // SAFETY: AVX-512BW is detected.
        Vbmi(unsafe { _mm512_mask_add_epi8(self.0, mask, self.0, _mm512_set1_epi8(1)) })
    }
    #[inline(always)]
    fn double(self) -> Self {
        // SAFETY: AVX-512BW is detected.
        Vbmi(unsafe { _mm512_add_epi8(self.0, self.0) })
    }
}
