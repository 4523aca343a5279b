//! AVX2. The parent's head has the argument for `unsafe`.

use crate::arch::vector::bits::Vector;
use crate::arch::vector::bytes::{ByteVector, PLACES};
use crate::arch::vector::sixteens::{self, Sixteens};
use crate::arch::vector::words::WordVector;
use core::arch::x86_64::*;

/// 32 bytes; tables of 16 entries, twice.
#[derive(Clone, Copy)]
pub(in crate::arch::vector) struct Avx2(__m256i);

impl Vector for Avx2 {
    const WORDS: usize = 4;

    intrinsics! {
        fn load(words: &[u64]) -> Self { Avx2(_mm256_loadu_si256(words[..4].as_ptr().cast())) }
        fn store(self, words: &mut [u64]) { _mm256_storeu_si256(words[..4].as_mut_ptr().cast(), self.0) }
        fn splat(word: u64) -> Self { Avx2(_mm256_set1_epi64x(word.cast_signed())) }
        fn splat16(number: u16) -> Self { Avx2(_mm256_set1_epi16(number.cast_signed())) }
        fn shl(self, n: u32) -> Self { Avx2(_mm256_sll_epi64(self.0, _mm_cvtsi32_si128(n.cast_signed()))) }
        fn shr(self, n: u32) -> Self { Avx2(_mm256_srl_epi64(self.0, _mm_cvtsi32_si128(n.cast_signed()))) }
    }
    intrinsics! { Avx2:
        and = _mm256_and_si256;
        or = _mm256_or_si256;
        xor = _mm256_xor_si256;
        minus16 = _mm256_sub_epi16;
        minus_saturating16 = _mm256_subs_epu16;
        min16 = _mm256_min_epu16;
    }

    #[inline(always)]
    fn exchange(self, other: Self, shift: u32, mask: u64) -> (Self, Self) {
        if shift.is_multiple_of(8) {
            // The mask is whole bytes: one instruction selects them.
            let mask = Self::splat(mask).0;
            return (Self::select(mask, self, other.shl(shift)), Self::select(mask, self.shr(shift), other));
        }
        let differing = self.shr(shift).xor(other).and(Self::splat(mask));
        (self.xor(differing.shl(shift)), other.xor(differing))
    }
}

impl ByteVector for Avx2 {
    const INDEX_BITS: usize = 4;
    type Mask = __m256i;
    type Mask16 = __m256i;
    /// The low bytes and the high bytes, twice.
    type Table16 = [__m256i; 2];
    /// One less than each key, less 2^15, and how many there are.
    type Keys16 = ([__m256i; 15], __m256i);

    intrinsics! {
        fn load8(bytes: &[u8]) -> Self { Avx2(_mm256_loadu_si256(bytes[..32].as_ptr().cast())) }
        fn store8(self, bytes: &mut [u8]) { _mm256_storeu_si256(bytes[..32].as_mut_ptr().cast(), self.0) }
        fn splat8(byte: u8) -> Self { Avx2(_mm256_set1_epi8(byte.cast_signed())) }
        fn table(entries: &[u8]) -> Self {
            Avx2(_mm256_broadcastsi128_si256(_mm_loadu_si128(entries[..16].as_ptr().cast())))
        }
        // The instruction gives 0 where an index's highest bit is set.
        fn index(self) -> Self { Avx2(_mm256_and_si256(self.0, _mm256_set1_epi8(0x0f))) }
        fn look_up_rank(self, rank: Self, first: usize) -> Self {
            // From 16 on, and below 0 as well, the highest bit is set.
            let place = _mm256_sub_epi8(rank.0, _mm256_set1_epi8(first as i8));
            Avx2(_mm256_shuffle_epi8(self.0, _mm256_adds_epu8(place, _mm256_set1_epi8(0x70))))
        }
        fn below(self, key: Self) -> __m256i { _mm256_cmpgt_epi8(key.0, self.0) }
        fn below_or(self, key: Self, behind: __m256i) -> __m256i {
            _mm256_or_si256(self.below(key), _mm256_and_si256(_mm256_cmpeq_epi8(self.0, key.0), behind))
        }
        fn is_zero(self) -> __m256i { _mm256_cmpeq_epi8(self.0, _mm256_setzero_si256()) }
        fn both(a: __m256i, b: __m256i) -> __m256i { _mm256_and_si256(a, b) }
        fn select(mask: __m256i, yes: Self, no: Self) -> Self { Avx2(_mm256_blendv_epi8(no.0, yes.0, mask)) }
        // The instruction gives 0 where the sign is 0.
        fn negated(self, signs: Self) -> Self {
            Avx2(_mm256_sign_epi8(self.0, _mm256_or_si256(signs.0, _mm256_set1_epi8(1))))
        }
        // A mask is -1.
        fn count(self, mask: __m256i) -> Self { Avx2(_mm256_sub_epi8(self.0, mask)) }
        fn table16(entries: &[u16; 16]) -> [__m256i; 2] {
            let (mut low, mut high) = ([0_u8; 16], [0_u8; 16]);
            for (entry, (low, high)) in entries.iter().zip(low.iter_mut().zip(&mut high)) {
                [*low, *high] = entry.to_le_bytes();
            }
            [
                _mm256_broadcastsi128_si256(_mm_loadu_si128(low.as_ptr().cast())),
                _mm256_broadcastsi128_si256(_mm_loadu_si128(high.as_ptr().cast())),
            ]
        }
        fn look_up16(indices: [Self; 2], table: [__m256i; 2]) -> [Self; 2] {
            let index = Self::narrow(indices).0;
            let (low, high) = (_mm256_shuffle_epi8(table[0], index), _mm256_shuffle_epi8(table[1], index));
            [Avx2(_mm256_unpacklo_epi8(low, high)), Avx2(_mm256_unpackhi_epi8(low, high))]
        }
        fn keys16(keys: &[u16; 16]) -> ([__m256i; 15], __m256i) {
            let (mut all, mut above) = ([_mm256_setzero_si256(); 15], 0);
            for (register, key) in all.iter_mut().zip(keys) {
                // No number is above 2^15 - 1.
                let bound = if *key == 0 { i16::MAX } else { ((*key - 1) ^ 0x8000).cast_signed() };
                *register = _mm256_set1_epi16(core::hint::black_box(bound));
                above += i16::from(*key > 0);
            }
            (all, _mm256_set1_epi16(above))
        }
        fn keys_above16(self, keys: &([__m256i; 15], __m256i)) -> Self {
            let (bounds, mut count) = (&keys.0, keys.1);
            let number = _mm256_xor_si256(self.0, _mm256_set1_epi16(i16::MIN));
            for bound in bounds {
                // A mask is -1.
                count = _mm256_add_epi16(count, _mm256_cmpgt_epi16(number, *bound));
            }
            Avx2(count)
        }
        fn shl16(self, n: u32) -> Self { Avx2(_mm256_sll_epi16(self.0, _mm_cvtsi32_si128(n.cast_signed()))) }
        fn shr16(self, n: u32) -> Self { Avx2(_mm256_srl_epi16(self.0, _mm_cvtsi32_si128(n.cast_signed()))) }
        fn shr_each16(self, n: Self) -> Self {
            // 2^(16 - n) in the high byte for 1 <= n, and the high half of the product by it.
            let powers = _mm256_broadcastsi128_si256(_mm_set_epi64x(0, 0x0204_0810_2040_8000));
            let place = _mm256_or_si256(_mm256_slli_epi16::<8>(n.0), _mm256_set1_epi16(0x80));
            let shifted = _mm256_mulhi_epu16(self.0, _mm256_shuffle_epi8(powers, place));
            let unshifted = _mm256_cmpeq_epi16(n.0, _mm256_setzero_si256());
            Avx2(_mm256_or_si256(shifted, _mm256_and_si256(self.0, unshifted)))
        }
        fn below16(self, other: Self) -> __m256i {
            let sign = _mm256_set1_epi16(i16::MIN);
            _mm256_cmpgt_epi16(_mm256_xor_si256(other.0, sign), _mm256_xor_si256(self.0, sign))
        }
        fn where16(self, mask: __m256i) -> Self { Avx2(_mm256_and_si256(self.0, mask)) }
        fn load_pair(bytes: &[u8]) -> [Self; 2] {
            // As bytes are unpacked in the register's halves: eight numbers, and eight from 16 on.
            let at = bytes[..64].as_ptr().cast::<__m128i>();
            let (a, b) = (_mm_loadu_si128(at), _mm_loadu_si128(at.add(1)));
            let (c, d) = (_mm_loadu_si128(at.add(2)), _mm_loadu_si128(at.add(3)));
            [Avx2(_mm256_set_m128i(c, a)), Avx2(_mm256_set_m128i(d, b))]
        }
        fn store_pair(pair: [Self; 2], bytes: &mut [u8]) {
            let [first, second] = pair;
            Avx2(_mm256_permute2x128_si256::<0x20>(first.0, second.0)).store8(bytes);
            Avx2(_mm256_permute2x128_si256::<0x31>(first.0, second.0)).store8(&mut bytes[32..]);
        }
        fn widen(self) -> [Self; 2] {
            let zero = _mm256_setzero_si256();
            [Avx2(_mm256_unpacklo_epi8(self.0, zero)), Avx2(_mm256_unpackhi_epi8(self.0, zero))]
        }
        fn narrow(pair: [Self; 2]) -> Self { Avx2(_mm256_packus_epi16(pair[0].0, pair[1].0)) }
        fn bits(mask: __m256i) -> u64 { _mm256_movemask_epi8(mask).cast_unsigned().into() }
        fn shuffle8(bytes: [u8; 8], places: &[u8; 8]) -> [u8; 8] {
            let places = _mm_cvtsi64_si128(i64::from_le_bytes(*places));
            _mm_cvtsi128_si64(_mm_shuffle_epi8(_mm_cvtsi64_si128(i64::from_le_bytes(bytes)), places)).to_le_bytes()
        }
    }
    intrinsics! { Avx2:
        look_up = _mm256_shuffle_epi8;
        plus_at_most = _mm256_adds_epu8;
        plus8 = _mm256_add_epi8;
        minus8 = _mm256_sub_epi8;
        plus16 = _mm256_add_epi16;
        product16 = _mm256_mulhrs_epi16;
    }

    #[inline(always)]
    fn hand_out<const ENTRIES: usize>(self, open: __m256i, tables: &[Self; 16], taken: &mut Self) -> Self {
        sixteens::hand_out::<Self, ENTRIES>(self, open, tables, taken)
    }
}

impl Sixteens for Avx2 {
    intrinsics! {
        fn bit(self, bit: usize) -> __m256i {
            // Blends look at the highest bit of each byte.
            match bit {
                4 => _mm256_slli_epi16::<3>(self.0),
                5 => _mm256_slli_epi16::<2>(self.0),
                6 => _mm256_slli_epi16::<1>(self.0),
                _ => self.0,
            }
        }
        fn sums(self) -> Self {
            let sums = _mm256_add_epi8(self.0, _mm256_slli_si256::<1>(self.0));
            let sums = _mm256_add_epi8(sums, _mm256_slli_si256::<2>(sums));
            let sums = _mm256_add_epi8(sums, _mm256_slli_si256::<4>(sums));
            Avx2(_mm256_add_epi8(sums, _mm256_slli_si256::<8>(sums)))
        }
        fn totals(sums: Self) -> [Self; 2] {
            let own = _mm256_shuffle_epi8(sums.0, _mm256_set1_epi8(15));
            let other = _mm256_permute2x128_si256::<0x01>(own, own);
            let upper = _mm256_set_epi64x(-1, -1, 0, 0);
            [Avx2(_mm256_and_si256(other, upper)), Avx2(_mm256_add_epi8(own, other))]
        }
    }
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

/// Two words, wherever they are.
#[repr(C, packed(8))]
#[derive(Clone, Copy)]
struct Pair(__m128i);

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

impl WordVector for Avx2 {
    const CALLS: bool = true;
    /// The low halves of the words.
    type Half = Self;
    type Count = Self;
    /// The low bytes and the high bytes, twice.
    type Table16 = [__m256i; 2];
    /// The high halves and the low halves.
    type Table8 = [__m256i; 2];

    intrinsics! { Avx2:
        plus = _mm256_add_epi64;
        minus = _mm256_sub_epi64;
        shl_by = _mm256_sllv_epi64;
        shr_by = _mm256_srlv_epi64;
        shr_each = _mm256_srlv_epi64;
        shr_any = _mm256_srlv_epi64;
    }
    intrinsics! {
        fn product(a: Self, b: Self) -> Self { Avx2(_mm256_mul_epu32(a.0, b.0)) }
        fn count_above_signed16(self, key: Self, number: Self) -> Self {
            // The outcome of the comparison is -1.
            Avx2(_mm256_sub_epi16(self.0, _mm256_cmpgt_epi16(key.0, number.0)))
        }
        fn look_up16(self, table: [__m256i; 2]) -> Self {
            // A byte whose highest bit is set gives 0.
            let low = _mm256_shuffle_epi8(table[0], self.or(Self::splat16(0x8000)).0);
            let high = _mm256_shuffle_epi8(table[1], self.shl(8).or(Self::splat16(0x0080)).0);
            Avx2(_mm256_or_si256(low, high))
        }
        fn halves8(halves: &[[u32; 8]; 2]) -> [__m256i; 2] {
            [_mm256_loadu_si256(halves[0].as_ptr().cast()), _mm256_loadu_si256(halves[1].as_ptr().cast())]
        }
        fn look_up8(self, table: [__m256i; 2]) -> (Self, Self) {
            // The instruction takes the lowest 3 bits of each half.
            let (high, low) = (_mm256_permutevar8x32_epi32(table[0], self.0), _mm256_permutevar8x32_epi32(table[1], self.0));
            (Avx2(high), Avx2(low))
        }
        fn is_below(self, other: Self) -> u32 {
            _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(other.0, self.0))).cast_unsigned()
        }
        fn store_low<const G: usize>(vectors: [Self; G], out: &mut [i32]) {
            const { assert!(G.is_multiple_of(2)) };
            for ([a, b], out) in vectors.as_chunks().0.iter().zip(out[..4 * G].as_chunks_mut::<8>().0) {
                let (a, b) = (_mm256_castsi256_ps(a.0), _mm256_castsi256_ps(b.0));
                let halves = _mm256_castps_si256(_mm256_shuffle_ps::<0x88>(a, b));
                _mm256_storeu_si256(out.as_mut_ptr().cast(), _mm256_permute4x64_epi64::<0xd8>(halves));
            }
        }
        fn load_halves(words: &[u64]) -> Self {
            // By loads of two words: a load waits for stores that it has pieces of. They are volatile, because the compiler
            // makes one of them otherwise.
            let at = words[..4].as_ptr().cast::<Pair>();
            Avx2(_mm256_set_m128i(at.add(1).read_volatile().0, at.read_volatile().0))
        }
        fn load_narrow(words: &[u64]) -> Self {
            Avx2(_mm256_cvtepu32_epi64(_mm_loadu_si128(words[..2].as_ptr().cast())))
        }
        fn compress(self, mask: u8) -> Self {
            let places = _mm_loadl_epi64(HALVES[usize::from(mask % 16)].as_ptr().cast());
            Avx2(_mm256_permutevar8x32_epi32(self.0, _mm256_cvtepu8_epi32(places)))
        }
        fn made(self) -> Self { Avx2(made(self.0)) }
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
    fn count_above16(self, key: Self, number: Self) -> Self {
        let bias = Self::splat16(1 << 15);
        self.count_above_signed16(key.xor(bias), number.xor(bias))
    }
    #[inline(always)]
    fn table16(entries: &[u16; 16]) -> [__m256i; 2] {
        <Self as ByteVector>::table16(entries)
    }
    #[inline(always)]
    fn table8(entries: &[u64; 8]) -> [__m256i; 2] {
        Self::halves8(&[entries.map(|entry| (entry >> 32) as u32), entries.map(|entry| entry as u32)])
    }
}
