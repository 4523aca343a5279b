//! Vectors in the registers of NEON.
//!
//! # Safety
//!
//! The methods are intrinsics. This file is compiled only for targets that have NEON. Each load and store takes its pointer
//! from an array, or from a slice cut to the size of the access in the same expression.

use super::bits::Vector;
use super::bytes::ByteVector;
use super::sixteens::{self, Sixteens};
use super::words::WordVector;
use core::arch::aarch64::*;

/// 16 bytes; tables of 16 entries.
#[derive(Clone, Copy)]
pub(super) struct Neon(uint8x16_t);

impl Neon {
    intrinsics! {
        fn words(self) -> uint64x2_t { vreinterpretq_u64_u8(self.0) }
        fn from_words(words: uint64x2_t) -> Self { Neon(vreinterpretq_u8_u64(words)) }
        fn numbers(self) -> uint16x8_t { vreinterpretq_u16_u8(self.0) }
        fn from_numbers(numbers: uint16x8_t) -> Self { Neon(vreinterpretq_u8_u16(numbers)) }
        fn halves(self) -> uint32x4_t { vreinterpretq_u32_u8(self.0) }
        fn shifted(self, left: i64) -> Self { Self::from_words(vshlq_u64(self.words(), vdupq_n_s64(left))) }
        fn plus64(self, other: Self) -> Self { Self::from_words(vaddq_u64(self.words(), other.words())) }
        fn minus64(self, other: Self) -> Self { Self::from_words(vsubq_u64(self.words(), other.words())) }
        fn below64(self, other: Self) -> Self { Self::from_words(vcltq_u64(self.words(), other.words())) }
        fn shl64(self, n: int64x2_t) -> Self { Self::from_words(vshlq_u64(self.words(), n)) }
        fn count16(self, key: Self, number: Self) -> Self {
            // The outcome of the comparison is -1.
            Self::from_numbers(vsubq_u16(self.numbers(), vcgtq_u16(key.numbers(), number.numbers())))
        }
    }
}

impl Vector for Neon {
    const WORDS: usize = 2;

    intrinsics! {
        fn load(words: &[u64]) -> Self { Self::from_words(vld1q_u64(words[..2].as_ptr())) }
        fn store(self, words: &mut [u64]) { vst1q_u64(words[..2].as_mut_ptr(), self.words()) }
        fn splat(word: u64) -> Self { Self::from_words(vdupq_n_u64(word)) }
        fn splat16(number: u16) -> Self { Self::from_numbers(vdupq_n_u16(number)) }
        fn minus16(self, other: Self) -> Self { Self::from_numbers(vsubq_u16(self.numbers(), other.numbers())) }
        fn minus_saturating16(self, other: Self) -> Self {
            Self::from_numbers(vqsubq_u16(self.numbers(), other.numbers()))
        }
        fn min16(self, other: Self) -> Self { Self::from_numbers(vminq_u16(self.numbers(), other.numbers())) }
        fn exchange(self, other: Self, shift: u32, mask: u64) -> (Self, Self) {
            let mask = Self::splat(mask).0;
            (Neon(vbslq_u8(mask, self.0, other.shl(shift).0)), Neon(vbslq_u8(mask, self.shr(shift).0, other.0)))
        }
    }
    intrinsics! { Neon: and = vandq_u8; or = vorrq_u8; xor = veorq_u8; }

    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        self.shifted(n.min(64).into())
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        self.shifted(-i64::from(n.min(64)))
    }
}

impl ByteVector for Neon {
    const INDEX_BITS: usize = 4;
    type Mask = uint8x16_t;
    type Mask16 = uint16x8_t;
    /// The low bytes and the high bytes.
    type Table16 = [uint8x16_t; 2];
    type Keys16 = [Self; 15];

    intrinsics! {
        fn load8(bytes: &[u8]) -> Self { Neon(vld1q_u8(bytes[..16].as_ptr())) }
        fn store8(self, bytes: &mut [u8]) { vst1q_u8(bytes[..16].as_mut_ptr(), self.0) }
        fn splat8(byte: u8) -> Self { Neon(vdupq_n_u8(byte)) }
        // The instruction gives 0 from 16 on.
        fn index(self) -> Self { Neon(vandq_u8(self.0, vdupq_n_u8(0x0f))) }
        fn look_up_rank(self, rank: Self, first: usize) -> Self {
            Neon(vqtbl1q_u8(self.0, vsubq_u8(rank.0, vdupq_n_u8(first as u8))))
        }
        fn below(self, key: Self) -> uint8x16_t { vcgtq_s8(vreinterpretq_s8_u8(key.0), vreinterpretq_s8_u8(self.0)) }
        fn below_or(self, key: Self, behind: uint8x16_t) -> uint8x16_t {
            vorrq_u8(self.below(key), vandq_u8(vceqq_u8(self.0, key.0), behind))
        }
        fn is_zero(self) -> uint8x16_t { vceqzq_u8(self.0) }
        fn both(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t { vandq_u8(a, b) }
        fn select(mask: uint8x16_t, yes: Self, no: Self) -> Self { Neon(vbslq_u8(mask, yes.0, no.0)) }
        fn negated(self, signs: Self) -> Self {
            let signs = vreinterpretq_u8_s8(vshrq_n_s8::<7>(vreinterpretq_s8_u8(signs.0)));
            Neon(vsubq_u8(veorq_u8(self.0, signs), signs))
        }
        // A mask is -1.
        fn count(self, mask: uint8x16_t) -> Self { Neon(vsubq_u8(self.0, mask)) }
        fn look_up16(indices: [Self; 2], table: [uint8x16_t; 2]) -> [Self; 2] {
            let index = Self::narrow(indices).0;
            let (low, high) = (vqtbl1q_u8(table[0], index), vqtbl1q_u8(table[1], index));
            [Neon(vzip1q_u8(low, high)), Neon(vzip2q_u8(low, high))]
        }
        fn product16(self, other: Self) -> Self {
            let product = vqrdmulhq_s16(vreinterpretq_s16_u8(self.0), vreinterpretq_s16_u8(other.0));
            Neon(vreinterpretq_u8_s16(product))
        }
        fn plus16(self, other: Self) -> Self { Self::from_numbers(vaddq_u16(self.numbers(), other.numbers())) }
        fn shl16(self, n: u32) -> Self { Self::from_numbers(vshlq_u16(self.numbers(), vdupq_n_s16(n as i16))) }
        fn shr16(self, n: u32) -> Self { Self::from_numbers(vshlq_u16(self.numbers(), vdupq_n_s16(-(n as i16)))) }
        fn shr_each16(self, n: Self) -> Self {
            Self::from_numbers(vshlq_u16(self.numbers(), vnegq_s16(vreinterpretq_s16_u8(n.0))))
        }
        fn below16(self, other: Self) -> uint16x8_t { vcltq_u16(self.numbers(), other.numbers()) }
        fn where16(self, mask: uint16x8_t) -> Self { Self::from_numbers(vandq_u16(self.numbers(), mask)) }
        fn widen(self) -> [Self; 2] {
            [Self::from_numbers(vmovl_u8(vget_low_u8(self.0))), Self::from_numbers(vmovl_high_u8(self.0))]
        }
        fn narrow(pair: [Self; 2]) -> Self { Neon(vuzp1q_u8(pair[0].0, pair[1].0)) }
        fn bits(mask: uint8x16_t) -> u64 {
            const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
            let bits = vandq_u8(mask, vld1q_u8(BITS.as_ptr()));
            u64::from(vaddv_u8(vget_low_u8(bits))) | u64::from(vaddv_u8(vget_high_u8(bits))) << 8
        }
        fn shuffle8(bytes: [u8; 8], places: &[u8; 8]) -> [u8; 8] {
            let mut moved = [0; 8];
            vst1_u8(moved.as_mut_ptr(), vtbl1_u8(vld1_u8(bytes.as_ptr()), vld1_u8(places.as_ptr())));
            moved
        }
    }
    intrinsics! { Neon:
        look_up = vqtbl1q_u8;
        plus_at_most = vqaddq_u8;
        plus8 = vaddq_u8;
        minus8 = vsubq_u8;
    }

    #[inline(always)]
    fn table(entries: &[u8]) -> Self {
        Self::load8(entries)
    }
    #[inline(always)]
    fn hand_out<const ENTRIES: usize>(self, open: uint8x16_t, tables: &[Self; 16], taken: &mut Self) -> Self {
        sixteens::hand_out::<Self, ENTRIES>(self, open, tables, taken)
    }
    #[inline(always)]
    fn table16(entries: &[u16; 16]) -> [uint8x16_t; 2] {
        [0, 8].map(|shift| Self::load8(&entries.map(|entry| (entry >> shift) as u8)).0)
    }
    #[inline(always)]
    fn keys16(keys: &[u16; 16]) -> [Self; 15] {
        core::array::from_fn(|i| Self::splat16(keys[i]))
    }
    #[inline(always)]
    fn keys_above16(self, keys: &[Self; 15]) -> Self {
        keys.iter().fold(Self::splat16(0), |count, key| count.count16(*key, self))
    }
}

impl Sixteens for Neon {
    intrinsics! {
        fn bit(self, bit: usize) -> uint8x16_t { vtstq_u8(self.0, vdupq_n_u8(1 << bit)) }
        fn sums(self) -> Self {
            let zero = vdupq_n_u8(0);
            let sums = vaddq_u8(self.0, vextq_u8::<15>(zero, self.0));
            let sums = vaddq_u8(sums, vextq_u8::<14>(zero, sums));
            let sums = vaddq_u8(sums, vextq_u8::<12>(zero, sums));
            Neon(vaddq_u8(sums, vextq_u8::<8>(zero, sums)))
        }
        fn totals(sums: Self) -> [Self; 2] { [Self::splat8(0), Neon(vdupq_laneq_u8::<15>(sums.0))] }
    }
}

/// Each vector of two pairs.
#[inline(always)]
fn each([a, b]: [Neon; 2], [c, d]: [Neon; 2], operation: impl Fn(Neon, Neon) -> Neon) -> [Neon; 2] {
    [operation(a, c), operation(b, d)]
}

impl WordVector for [Neon; 2] {
    const TOGETHER: usize = 2;
    /// One behind the other.
    type Half = uint32x4_t;
    type Count = int64x2_t;
    /// The entries' bytes.
    type Table16 = uint8x16x2_t;
    /// The bytes of the high halves, and of the low halves.
    type Table8 = [uint8x16x2_t; 2];

    intrinsics! {
        fn low(self) -> uint32x4_t { vuzp1q_u32(self[0].halves(), self[1].halves()) }
        fn high(self) -> uint32x4_t { vuzp2q_u32(self[0].halves(), self[1].halves()) }
        fn product(a: uint32x4_t, b: uint32x4_t) -> Self {
            let low = vmull_u32(vget_low_u32(a), vget_low_u32(b));
            [Neon::from_words(low), Neon::from_words(vmull_high_u32(a, b))]
        }
        fn places(n: u32) -> int64x2_t { vdupq_n_s64(n.into()) }
        fn shr_by(self, n: int64x2_t) -> Self { self.shl_by(vnegq_s64(n)) }
        fn shr_each(self, n: Self) -> Self {
            // The instruction takes the lowest byte, signed, and gives 0 from 64 places on.
            let [a, b] = [vreinterpretq_s64_u8(n[0].0), vreinterpretq_s64_u8(n[1].0)];
            [self[0].shl64(vnegq_s64(a)), self[1].shl64(vnegq_s64(b))]
        }
        fn table16(entries: &[u16; 16]) -> uint8x16x2_t {
            // The entries are little-endian here.
            let at = entries.as_ptr().cast();
            uint8x16x2_t(vld1q_u8(at), vld1q_u8(at.add(16)))
        }
        fn look_up16(self, table: uint8x16x2_t) -> Self {
            // The places of two bytes each: the index twice, and 0, 1.
            let [a, b] = self;
            let first = vmlaq_n_u16(vdupq_n_u16(0x0100), a.numbers(), 0x0202);
            let second = vmlaq_n_u16(vdupq_n_u16(0x0100), b.numbers(), 0x0202);
            let [first, second] = [Neon::from_numbers(first).0, Neon::from_numbers(second).0];
            [Neon(vqtbl2q_u8(table, first)), Neon(vqtbl2q_u8(table, second))]
        }
        fn table8(entries: &[u64; 8]) -> [uint8x16x2_t; 2] {
            let [a, b] = [Self::load(&entries[..4]), Self::load(&entries[4..])];
            [
                uint8x16x2_t(vreinterpretq_u8_u32(a.high()), vreinterpretq_u8_u32(b.high())),
                uint8x16x2_t(vreinterpretq_u8_u32(a.low()), vreinterpretq_u8_u32(b.low())),
            ]
        }
        fn look_up8(self, table: [uint8x16x2_t; 2]) -> (uint32x4_t, uint32x4_t) {
            // The places of four bytes each: the index 4 times, and 0, 1, 2, 3.
            let index = vandq_u32(self.low(), vdupq_n_u32(7));
            let places = vreinterpretq_u8_u32(vmlaq_n_u32(vdupq_n_u32(0x0302_0100), index, 0x0404_0404));
            (vreinterpretq_u32_u8(vqtbl2q_u8(table[0], places)), vreinterpretq_u32_u8(vqtbl2q_u8(table[1], places)))
        }
        fn is_below(self, other: Self) -> u32 {
            const BITS: [u32; 4] = [1, 2, 4, 8];
            vaddvq_u32(vandq_u32(each(self, other, Neon::below64).low(), vld1q_u32(BITS.as_ptr())))
        }
        fn store_low<const G: usize>(vectors: [Self; G], out: &mut [i32]) {
            for (vector, out) in vectors.into_iter().zip(out[..4 * G].as_chunks_mut::<4>().0) {
                vst1q_u32(out.as_mut_ptr().cast(), vector.low());
            }
        }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        each(self, other, Neon::plus64)
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        each(self, other, Neon::minus64)
    }
    #[inline(always)]
    fn shl_by(self, n: int64x2_t) -> Self {
        self.map(|vector| vector.shl64(n))
    }
    #[inline(always)]
    fn count_above16(self, [c, d]: Self, [e, f]: Self) -> Self {
        [self[0].count16(c, e), self[1].count16(d, f)]
    }
}
