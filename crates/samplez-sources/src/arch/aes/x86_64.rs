//! AES in counter mode by AES-NI on blocks one by one, and by VAES on two or four at once.
//!
//! The methods of [`Register`] are inlined into functions that are compiled for their instructions, which
//! [`Instructions::current`] has detected; nothing else calls them.

use super::bitsliced::{self, planes};
use super::expansion::{RoundKeys, expanded_with};
use core::arch::x86_64::*;
use core::sync::atomic::{AtomicU8, Ordering};
use samplez_core::arch::{Backend, align_frame};
use zeroize::Zeroize;

cpufeatures::new!(has_aes, "ssse3", "sse4.1", "sse4.2", "aes");

/// Registers that are computed together: a round's latency times the rounds that begin in it.
const TOGETHER: usize = 8;

/// Blocks of 128 bits in a register.
trait Register: Copy {
    const BLOCKS: usize;
    /// The same block everywhere.
    fn splat(block: u128) -> Self;
    /// The same round key everywhere.
    fn key(words: &[u32; 4]) -> Self;
    fn load(blocks: &Aligned, at: usize) -> Self;
    fn store(self, out: &mut [u8]);
    /// In each half of a block.
    fn add(self, other: Self) -> Self;
    /// `self`, plus one in each half of a block where `a` is greater than `b`, signed.
    fn carry(self, a: Self, b: Self) -> Self;
    /// Each block's bytes in the order in which they are stored, which is the other.
    fn reversed(self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn round(self, key: Self) -> Self;
    fn last_round(self, key: Self) -> Self;
}

/// The numbers added to the first counter of a step, as halves of blocks, the lower first.
#[repr(align(64))]
struct Aligned([[u64; 2]; 4 * TOGETHER]);

/// Block n's number n.
static NUMBERS: Aligned = {
    let mut numbers = [[0; 2]; 4 * TOGETHER];
    let mut n = 0;
    while n < numbers.len() {
        numbers[n] = [n as u64, 0];
        n += 1;
    }
    Aligned(numbers)
};

/// Block n's number in the upper half, with the sign turned, and in the lower half the least number.
static CARRIES: Aligned = {
    let mut numbers = [[1 << 63; 2]; 4 * TOGETHER];
    let mut n = 0;
    while n < numbers.len() {
        numbers[n][1] ^= n as u64;
        n += 1;
    }
    Aligned(numbers)
};

macro_rules! register {
    ($name:ident, $blocks:literal, $vector:ty, $splat:expr, $load:ident, $store:ident, $add:ident, $carry:expr,
     $shuffle:ident, $xor:ident, $round:ident, $last:ident) => {
        #[derive(Clone, Copy)]
        struct $name($vector);

        impl Register for $name {
            const BLOCKS: usize = $blocks;
            #[inline(always)]
            fn splat(block: u128) -> Self {
                // SAFETY: the instructions are detected (see the head).
                $name(unsafe { $splat(_mm_set_epi64x((block >> 64) as i64, block as i64)) })
            }
            #[inline(always)]
            fn key(words: &[u32; 4]) -> Self {
                // SAFETY: the instructions are detected; an unaligned read of 16 bytes.
                $name(unsafe { $splat(_mm_loadu_si128(words.as_ptr().cast())) })
            }
            #[inline(always)]
            fn load(blocks: &Aligned, at: usize) -> Self {
                let blocks: &[[u64; 2]; $blocks] = &blocks.0[$blocks * at..].as_chunks().0[0];
                // SAFETY: the instructions are detected; an unaligned read of these blocks.
                $name(unsafe { $load(blocks.as_ptr().cast()) })
            }
            #[inline(always)]
            fn store(self, out: &mut [u8]) {
                let out: &mut [u8; 16 * $blocks] = &mut out.as_chunks_mut().0[0];
                // SAFETY: the instructions are detected; an unaligned write of these bytes.
                unsafe { $store(out.as_mut_ptr().cast(), self.0) };
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                // SAFETY: the instructions are detected.
                $name(unsafe { $add(self.0, other.0) })
            }
            #[inline(always)]
            fn carry(self, a: Self, b: Self) -> Self {
                // SAFETY: the instructions are detected.
                $name(unsafe { $carry(self.0, a.0, b.0) })
            }
            #[inline(always)]
            fn reversed(self) -> Self {
                // SAFETY: the instructions are detected.
                $name(unsafe {
                    let order = _mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
                    $shuffle(self.0, $splat(order))
                })
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                // SAFETY: the instructions are detected.
                $name(unsafe { $xor(self.0, other.0) })
            }
            #[inline(always)]
            fn round(self, key: Self) -> Self {
                // SAFETY: the instructions are detected.
                $name(unsafe { $round(self.0, key.0) })
            }
            #[inline(always)]
            fn last_round(self, key: Self) -> Self {
                // SAFETY: the instructions are detected.
                $name(unsafe { $last(self.0, key.0) })
            }
        }
    };
}

register!(
    One,
    1,
    __m128i,
    core::convert::identity,
    _mm_loadu_si128,
    _mm_storeu_si128,
    _mm_add_epi64,
    |x, a, b| _mm_sub_epi64(x, _mm_cmpgt_epi64(a, b)),
    _mm_shuffle_epi8,
    _mm_xor_si128,
    _mm_aesenc_si128,
    _mm_aesenclast_si128
);
register!(
    Two,
    2,
    __m256i,
    _mm256_broadcastsi128_si256,
    _mm256_loadu_si256,
    _mm256_storeu_si256,
    _mm256_add_epi64,
    |x, a, b| _mm256_sub_epi64(x, _mm256_cmpgt_epi64(a, b)),
    _mm256_shuffle_epi8,
    _mm256_xor_si256,
    _mm256_aesenc_epi128,
    _mm256_aesenclast_epi128
);
register!(
    Four,
    4,
    __m512i,
    _mm512_broadcast_i32x4,
    _mm512_loadu_si512,
    _mm512_storeu_si512,
    _mm512_add_epi64,
    |x, a, b| _mm512_mask_sub_epi64(x, _mm512_cmpgt_epi64_mask(a, b), x, _mm512_set1_epi64(-1)),
    _mm512_shuffle_epi8,
    _mm512_xor_si512,
    _mm512_aesenc_epi128,
    _mm512_aesenclast_epi128
);

/// The instructions for AES that the processor has and `samplez_backend` allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Instructions {
    /// Nothing: bit operations.
    Bits,
    /// AES-NI.
    Aes,
    /// VAES on 256 bits, with AVX2.
    Vaes256,
    /// VAES on 512 bits, with AVX-512.
    Vaes512,
}

impl Instructions {
    const ALL: [Instructions; 4] =
        [Instructions::Bits, Instructions::Aes, Instructions::Vaes256, Instructions::Vaes512];

    /// The best.
    #[inline]
    fn current() -> Instructions {
        /// 1 + the place in `ALL`; 0 before it is known.
        static FOUND: AtomicU8 = AtomicU8::new(0);
        match FOUND.load(Ordering::Relaxed) {
            0 => {
                let found = Self::detected();
                FOUND.store(1 + found as u8, Ordering::Relaxed);
                found
            }
            found => Self::ALL[usize::from(found - 1)],
        }
    }

    /// The feature vaes of cpufeatures requires 512 bits as well.
    #[allow(unused_unsafe)] // newer Rust takes the call for safe
    fn has_vaes() -> bool {
        // SAFETY: leaf 7 is there where AVX2 is, after which this is asked.
        let leaf = unsafe { __cpuid_count(7, 0) };
        leaf.ecx >> 9 & 1 != 0
    }

    #[cold]
    fn detected() -> Instructions {
        if cfg!(samplez_backend = "scalar") || !has_aes::get() {
            return Instructions::Bits;
        }
        if Backend::Avx2.is_available() && Self::has_vaes() {
            if Backend::Avx512.is_available() { Instructions::Vaes512 } else { Instructions::Vaes256 }
        } else {
            Instructions::Aes
        }
    }
}

/// Encrypts the counters from `counter` on, in steps of [`TOGETHER`] registers while they fit. Returns the first
/// counter that was not used, and the part not written.
#[inline(always)]
fn steps<'a, R: Register, const N: usize>(
    keys: &RoundKeys<N>,
    mut counter: u128,
    out: &'a mut [u8],
) -> (u128, &'a mut [u8]) {
    let mut steps = out.chunks_exact_mut(16 * R::BLOCKS * TOGETHER);
    for out in &mut steps {
        // A lower half that n is added to overflows where n is above its complement.
        let (first, room) = (R::splat(counter), R::splat(u128::from(!(counter as u64) ^ 1 << 63) << 64));
        let mut x = [first; TOGETHER];
        for (i, x) in x.iter_mut().enumerate() {
            let sum = x.add(R::load(&NUMBERS, i)).carry(R::load(&CARRIES, i), room);
            *x = sum.reversed().xor(R::key(&keys[0]));
        }
        for key in &keys[1..N - 1] {
            let key = R::key(key);
            for x in &mut x {
                *x = x.round(key);
            }
        }
        let last = R::key(&keys[N - 1]);
        for (x, out) in x.iter().zip(out.chunks_exact_mut(16 * R::BLOCKS)) {
            x.last_round(last).store(out);
        }
        counter = counter.wrapping_add((R::BLOCKS * TOGETHER) as u128);
    }
    (counter, steps.into_remainder())
}

/// # Safety
///
/// The processor must have AES-NI and SSE4.2.
#[target_feature(enable = "aes,ssse3,sse4.1,sse4.2")]
unsafe fn by_aes<'a, const N: usize>(keys: &RoundKeys<N>, counter: u128, out: &'a mut [u8]) -> (u128, &'a mut [u8]) {
    steps::<One, N>(keys, counter, out)
}

/// # Safety
///
/// The processor must have AVX2, AES-NI and VAES.
#[target_feature(enable = "avx2,aes,vaes")]
unsafe fn by_vaes_256<'a, const N: usize>(
    keys: &RoundKeys<N>,
    counter: u128,
    out: &'a mut [u8],
) -> (u128, &'a mut [u8]) {
    align_frame::<__m256i>();
    steps::<Two, N>(keys, counter, out)
}

/// # Safety
///
/// The processor must have AVX-512 F, BW, DQ and VL, AES-NI and VAES.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,aes,vaes")]
unsafe fn by_vaes_512<'a, const N: usize>(
    keys: &RoundKeys<N>,
    counter: u128,
    out: &'a mut [u8],
) -> (u128, &'a mut [u8]) {
    align_frame::<__m512i>();
    steps::<Four, N>(keys, counter, out)
}

/// # Safety
///
/// The processor must have AES-NI and SSE4.2.
#[target_feature(enable = "aes,ssse3,sse4.1,sse4.2")]
unsafe fn expanded<const N: usize>(key: &[u8]) -> RoundKeys<N> {
    expanded_with(
        key,
        // The last round of four equal columns, whose rows may move.
        #[inline(always)]
        |word| {
            let zero = _mm_setzero_si128();
            _mm_cvtsi128_si32(_mm_aesenclast_si128(_mm_set1_epi32(word.cast_signed()), zero)).cast_unsigned()
        },
    )
}

/// # Safety
///
/// The processor must have AES-NI and SSE4.2.
#[target_feature(enable = "aes,ssse3,sse4.1,sse4.2")]
unsafe fn encrypted<const N: usize>(keys: &RoundKeys<N>, block: &mut [u8; 16]) {
    let mut x = One::splat(u128::from_le_bytes(*block)).xor(One::key(&keys[0]));
    for key in &keys[1..N - 1] {
        x = x.round(One::key(key));
    }
    x.last_round(One::key(&keys[N - 1])).store(block);
}

/// The counters from `counter` on, encrypted one by one; the last is cut off where `out` ends.
///
/// # Safety
///
/// The processor must have AES-NI and SSE4.2.
#[target_feature(enable = "aes,ssse3,sse4.1,sse4.2")]
unsafe fn one_by_one<const N: usize>(keys: &RoundKeys<N>, mut counter: u128, out: &mut [u8]) {
    let (blocks, tail) = out.as_chunks_mut();
    for block in blocks {
        *block = counter.to_be_bytes();
        // SAFETY: as this function's.
        unsafe { encrypted(keys, block) };
        counter = counter.wrapping_add(1);
    }
    if !tail.is_empty() {
        let mut block = counter.to_be_bytes();
        // SAFETY: as this function's.
        unsafe { encrypted(keys, &mut block) };
        tail.copy_from_slice(&block[..tail.len()]);
        block.zeroize();
    }
}

/// AES with N - 1 rounds under one key. Zeroised on drop.
pub(crate) struct Aes<const N: usize> {
    keys: RoundKeys<N>,
    instructions: Instructions,
}

impl<const N: usize> Aes<N> {
    /// Under a key of 4·(N - 7) bytes.
    pub(crate) fn new(key: &[u8]) -> Self {
        Self::by(Instructions::current(), key)
    }

    /// By `instructions`, which must be at most [`Instructions::current`].
    fn by(instructions: Instructions, key: &[u8]) -> Self {
        assert!(instructions <= Instructions::current());
        let keys = match instructions {
            Instructions::Bits => bitsliced::expanded(key),
            // SAFETY: more than bits has AES-NI, and is detected.
            _ => unsafe { expanded(key) },
        };
        Aes { keys, instructions }
    }

    pub(crate) fn encrypt(&self, block: &mut [u8; 16]) {
        if self.instructions == Instructions::Bits {
            let planes = &mut planes(&self.keys);
            bitsliced::encrypt(planes, block);
            planes.zeroize();
        } else {
            // SAFETY: more than bits has AES-NI, and is detected.
            unsafe { encrypted(&self.keys, block) };
        }
    }

    /// The encryptions of `counter`, `counter` + 1, … mod 2^128 as big-endian blocks; the last is cut off where `out` ends.
    pub(crate) fn keystream(&self, counter: u128, out: &mut [u8]) {
        let (counter, rest) = match self.instructions {
            Instructions::Bits => (counter, out),
            Instructions::Aes => (counter, out),
            // SAFETY: detected.
            Instructions::Vaes256 => unsafe { by_vaes_256(&self.keys, counter, out) },
            // SAFETY: detected.
            Instructions::Vaes512 => unsafe { by_vaes_512(&self.keys, counter, out) },
        };
        if rest.is_empty() {
            return;
        }
        if self.instructions == Instructions::Bits {
            let planes = &mut planes(&self.keys);
            bitsliced::keystream(planes, counter, rest);
            planes.zeroize();
            return;
        }
        // SAFETY: more than bits has AES-NI, and is detected.
        unsafe {
            let (counter, rest) = by_aes(&self.keys, counter, rest);
            one_by_one(&self.keys, counter, rest);
        }
    }
}

impl<const N: usize> Drop for Aes<N> {
    fn drop(&mut self) {
        self.keys.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    /// Every set of instructions against block by block, across the carries of every length of word, at every length.
    fn check<const N: usize>() {
        let key: [u8; 32] = core::array::from_fn(|i| (i * 37) as u8);
        let key = &key[..4 * (N - 7)];
        let bits = Aes::<N>::by(Instructions::Bits, key);
        for instructions in Instructions::ALL.into_iter().filter(|found| *found <= Instructions::current()) {
            let aes = Aes::<N>::by(instructions, key);
            assert_eq!(aes.keys, bits.keys, "{instructions:?}");
            for carry in [0, 1 << 32, 1 << 63, 1 << 64, 1 << 96, 1 << 127, 5 << 64 | 1 << 40] {
                for back in [0, 1, 2, 3, 4, 5, 6, 7, 8, 13, 30, 31, 32, 33, 64] {
                    let first = u128::wrapping_sub(carry, back);
                    for length in [1, 16, 127, 128, 129, 513, 1200] {
                        let (mut out, mut expected) = (vec![0; length], vec![0; length]);
                        aes.keystream(first, &mut out);
                        for (i, out) in expected.chunks_mut(16).enumerate() {
                            let mut block = first.wrapping_add(i as u128).to_be_bytes();
                            if instructions == Instructions::Bits { &aes } else { &bits }.encrypt(&mut block);
                            out.copy_from_slice(&block[..out.len()]);
                        }
                        assert!(out == expected, "{instructions:?}: {length} bytes from {first:#x}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_instruction_computes_the_same() {
        check::<11>();
        check::<15>();
    }
}
