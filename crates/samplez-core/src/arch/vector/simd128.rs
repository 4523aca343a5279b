//! Vectors in the registers of WebAssembly's simd128.
//!
//! # Safety
//!
//! A module that has simd128 loads only where there is simd128, so its intrinsics are safe. Loads and stores
//! need no alignment. Each takes its pointer from an array, or from a slice cut to its size in the same expression.

use super::bits::Vector;
use super::bytes::ByteVector;
use super::sixteens::{self, Sixteens};
use super::words::WordVector;
use core::arch::wasm32::*;

/// 16 bytes; tables of 16 entries.
#[derive(Clone, Copy)]
pub(super) struct Simd128(v128);

impl Simd128 {
    intrinsics! {
        // The outcome of the comparison is -1.
        fn count_signed16(self, key: Self, number: Self) -> Self {
            Simd128(u16x8_sub(self.0, i16x8_gt(key.0, number.0)))
        }
    }
    intrinsics! { Simd128: plus64 = u64x2_add; minus64 = u64x2_sub; below64 = i64x2_lt; }
}

impl Vector for Simd128 {
    const WORDS: usize = 2;

    intrinsics! {
        fn load(words: &[u64]) -> Self { Simd128(v128_load(words[..2].as_ptr().cast())) }
        fn store(self, words: &mut [u64]) { v128_store(words[..2].as_mut_ptr().cast(), self.0) }
        fn splat(word: u64) -> Self { Simd128(u64x2_splat(word)) }
        fn splat16(number: u16) -> Self { Simd128(u16x8_splat(number)) }
        // The instruction takes n modulo 64.
        fn shl(self, n: u32) -> Self { if n < 64 { Simd128(u64x2_shl(self.0, n)) } else { Self::splat(0) } }
        fn shr(self, n: u32) -> Self { if n < 64 { Simd128(u64x2_shr(self.0, n)) } else { Self::splat(0) } }
    }
    intrinsics! { Simd128:
        and = v128_and;
        or = v128_or;
        xor = v128_xor;
        minus16 = u16x8_sub;
        minus_saturating16 = u16x8_sub_sat;
        min16 = u16x8_min;
    }
}

impl ByteVector for Simd128 {
    const INDEX_BITS: usize = 4;
    type Mask = v128;
    type Mask16 = v128;
    /// The low bytes and the high bytes.
    type Table16 = [v128; 2];
    type Keys16 = [Self; 15];

    intrinsics! {
        fn load8(bytes: &[u8]) -> Self { Simd128(v128_load(bytes[..16].as_ptr().cast())) }
        fn store8(self, bytes: &mut [u8]) { v128_store(bytes[..16].as_mut_ptr().cast(), self.0) }
        fn splat8(byte: u8) -> Self { Simd128(u8x16_splat(byte)) }
        // The instruction gives 0 from 16 on.
        fn index(self) -> Self { Simd128(v128_and(self.0, u8x16_splat(0x0f))) }
        fn look_up_rank(self, rank: Self, first: usize) -> Self {
            Simd128(u8x16_swizzle(self.0, u8x16_sub(rank.0, u8x16_splat(first as u8))))
        }
        fn below(self, key: Self) -> v128 { i8x16_gt(key.0, self.0) }
        fn below_or(self, key: Self, behind: v128) -> v128 {
            v128_or(self.below(key), v128_and(i8x16_eq(self.0, key.0), behind))
        }
        fn is_zero(self) -> v128 { i8x16_eq(self.0, u8x16_splat(0)) }
        fn both(a: v128, b: v128) -> v128 { v128_and(a, b) }
        fn select(mask: v128, yes: Self, no: Self) -> Self { Simd128(v128_bitselect(yes.0, no.0, mask)) }
        fn negated(self, signs: Self) -> Self {
            let signs = i8x16_lt(signs.0, u8x16_splat(0));
            Simd128(u8x16_sub(v128_xor(self.0, signs), signs))
        }
        // A mask is -1.
        fn count(self, mask: v128) -> Self { Simd128(u8x16_sub(self.0, mask)) }
        fn look_up16(indices: [Self; 2], table: [v128; 2]) -> [Self; 2] {
            let index = Self::narrow(indices).0;
            let (low, high) = (u8x16_swizzle(table[0], index), u8x16_swizzle(table[1], index));
            let first = u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(low, high);
            let second = u8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(low, high);
            [Simd128(first), Simd128(second)]
        }
        fn shl16(self, n: u32) -> Self { Simd128(u16x8_shl(self.0, n)) }
        fn shr16(self, n: u32) -> Self { Simd128(u16x8_shr(self.0, n)) }
        fn shr_each16(self, n: Self) -> Self {
            // 2^(16 - n) in the high byte for 1 <= n, and the high half of the product by it.
            let powers = u64x2(0x0204_0810_2040_8000, 0);
            let power = u8x16_swizzle(powers, v128_or(u16x8_shl(n.0, 8), u16x8_splat(0x80)));
            let [low, high] = [u32x4_extmul_low_u16x8(self.0, power), u32x4_extmul_high_u16x8(self.0, power)];
            let shifted = u16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(low, high);
            Simd128(v128_or(shifted, v128_and(self.0, u16x8_eq(n.0, u16x8_splat(0)))))
        }
        fn below16(self, other: Self) -> v128 { u16x8_lt(self.0, other.0) }
        fn where16(self, mask: v128) -> Self { Simd128(v128_and(self.0, mask)) }
        fn widen(self) -> [Self; 2] {
            [Simd128(u16x8_extend_low_u8x16(self.0)), Simd128(u16x8_extend_high_u8x16(self.0))]
        }
        fn narrow(pair: [Self; 2]) -> Self { Simd128(u8x16_narrow_i16x8(pair[0].0, pair[1].0)) }
        fn bits(mask: v128) -> u64 { u8x16_bitmask(mask).into() }
        fn shuffle8(bytes: [u8; 8], places: &[u8; 8]) -> [u8; 8] {
            let moved = u8x16_swizzle(u64x2(u64::from_le_bytes(bytes), 0), u64x2(u64::from_le_bytes(*places), 0));
            u64x2_extract_lane::<0>(moved).to_le_bytes()
        }
    }
    intrinsics! { Simd128:
        look_up = u8x16_swizzle;
        plus_at_most = u8x16_add_sat;
        plus8 = u8x16_add;
        minus8 = u8x16_sub;
        plus16 = u16x8_add;
        product16 = i16x8_q15mulr_sat;
    }

    #[inline(always)]
    fn table(entries: &[u8]) -> Self {
        Self::load8(entries)
    }
    #[inline(always)]
    fn hand_out<const ENTRIES: usize>(self, open: v128, tables: &[Self; 16], taken: &mut Self) -> Self {
        sixteens::hand_out::<Self, ENTRIES>(self, open, tables, taken)
    }
    #[inline(always)]
    fn table16(entries: &[u16; 16]) -> [v128; 2] {
        [0, 8].map(|shift| Self::load8(&entries.map(|entry| (entry >> shift) as u8)).0)
    }
    #[inline(always)]
    fn keys16(keys: &[u16; 16]) -> [Self; 15] {
        // Less 2^15: engines have one instruction for the comparison of signed numbers.
        let mut all = [Self::splat16(0); 15];
        for (key, number) in all.iter_mut().zip(keys) {
            *key = Self::splat16(number ^ 1 << 15);
        }
        all
    }
    #[inline(always)]
    fn keys_above16(self, keys: &[Self; 15]) -> Self {
        let number = self.xor(Self::splat16(1 << 15));
        keys.iter().fold(Self::splat16(0), |count, key| count.count_signed16(*key, number))
    }
}

impl Sixteens for Simd128 {
    intrinsics! {
        // Bits of the byte before come in at the low end, below the sign. Engines have no instruction for shifts of bytes.
        fn bit(self, bit: usize) -> v128 { i8x16_lt(i16x8_shl(self.0, 7 - bit as u32), u8x16_splat(0)) }
        fn sums(self) -> Self {
            let zero = u8x16_splat(0);
            // Consecutive places, for which engines have one instruction.
            let by_one =
                u8x16_shuffle::<15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(zero, self.0);
            let sums = u8x16_add(self.0, by_one);
            let by_two =
                u8x16_shuffle::<14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(zero, sums);
            let sums = u8x16_add(sums, by_two);
            let by_four =
                u8x16_shuffle::<12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27>(zero, sums);
            let sums = u8x16_add(sums, by_four);
            let by_eight =
                u8x16_shuffle::<8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23>(zero, sums);
            Simd128(u8x16_add(sums, by_eight))
        }
        fn totals(sums: Self) -> [Self; 2] {
            let last = u8x16_shuffle::<15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15>(sums.0, sums.0);
            [Self::splat8(0), Simd128(last)]
        }
    }
}

/// The entries of two tables, one behind the other, at these places, below 32.
#[inline(always)]
fn of_two(tables: [v128; 2], places: v128) -> v128 {
    // From 16 on, and below 0 as well, the instruction gives 0.
    v128_or(u8x16_swizzle(tables[0], places), u8x16_swizzle(tables[1], u8x16_sub(places, u8x16_splat(16))))
}

/// Each vector of two pairs.
#[inline(always)]
fn each([a, b]: [Simd128; 2], [c, d]: [Simd128; 2], operation: impl Fn(Simd128, Simd128) -> Simd128) -> [Simd128; 2] {
    [operation(a, c), operation(b, d)]
}

impl WordVector for [Simd128; 2] {
    /// One behind the other.
    type Half = v128;
    type Count = u32;
    /// The low bytes and the high bytes.
    type Table16 = [v128; 2];
    /// The high halves and the low halves.
    type Table8 = [[v128; 2]; 2];

    intrinsics! {
        fn low(self) -> v128 { u32x4_shuffle::<0, 2, 4, 6>(self[0].0, self[1].0) }
        fn high(self) -> v128 { u32x4_shuffle::<1, 3, 5, 7>(self[0].0, self[1].0) }
        fn product(a: v128, b: v128) -> Self {
            [Simd128(u64x2_extmul_low_u32x4(a, b)), Simd128(u64x2_extmul_high_u32x4(a, b))]
        }
        fn look_up8(self, table: [[v128; 2]; 2]) -> (v128, v128) {
            // The places of four bytes each: the index 4 times, and 0, 1, 2, 3.
            let index = v128_and(self.low(), u32x4_splat(7));
            let places = u32x4_add(u32x4_mul(index, u32x4_splat(0x0404_0404)), u32x4_splat(0x0302_0100));
            (of_two(table[0], places), of_two(table[1], places))
        }
        fn is_below(self, other: Self) -> u32 { u32x4_bitmask(each(self, other, Simd128::below64).high()).into() }
        fn store_low<const G: usize>(vectors: [Self; G], out: &mut [i32]) {
            for (vector, out) in vectors.into_iter().zip(out[..4 * G].as_chunks_mut::<4>().0) {
                v128_store(out.as_mut_ptr().cast(), vector.low());
            }
        }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        each(self, other, Simd128::plus64)
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        each(self, other, Simd128::minus64)
    }
    #[inline(always)]
    fn places(n: u32) -> u32 {
        n
    }
    #[inline(always)]
    fn shl_by(self, n: u32) -> Self {
        self.map(|vector| Simd128(u64x2_shl(vector.0, n)))
    }
    #[inline(always)]
    fn shr_by(self, n: u32) -> Self {
        self.map(|vector| Simd128(u64x2_shr(vector.0, n)))
    }
    #[inline(always)]
    fn shr_each(self, n: Self) -> Self {
        // There is no such instruction: once by each word's number, modulo 64.
        each(self, n, |Simd128(a), Simd128(n)| {
            let [low, high] = [u64x2_extract_lane::<0>(n), u64x2_extract_lane::<1>(n)].map(|n| u64x2_shr(a, n as u32));
            let near = u64x2_sub(u64x2_shr(n, 6), u64x2_splat(1));
            Simd128(v128_and(u64x2_shuffle::<0, 3>(low, high), near))
        })
    }
    #[inline(always)]
    fn count_above16(self, key: Self, number: Self) -> Self {
        let bias = Self::splat16(1 << 15);
        let (key, number) = (key.xor(bias), number.xor(bias));
        [self[0].count_signed16(key[0], number[0]), self[1].count_signed16(key[1], number[1])]
    }
    #[inline(always)]
    fn table16(entries: &[u16; 16]) -> [v128; 2] {
        <Simd128 as ByteVector>::table16(entries)
    }
    #[inline(always)]
    fn look_up16(self, [low, high]: [v128; 2]) -> Self {
        // A byte whose highest bit is set gives 0.
        self.map(|Simd128(index)| {
            let low = u8x16_swizzle(low, v128_or(index, u16x8_splat(0x8000)));
            let high = u8x16_swizzle(high, v128_or(u16x8_shl(index, 8), u16x8_splat(0x0080)));
            Simd128(v128_or(low, high))
        })
    }
    #[inline(always)]
    fn table8(entries: &[u64; 8]) -> [[v128; 2]; 2] {
        let [a, b] = [Self::load(&entries[..4]), Self::load(&entries[4..])];
        [[a.high(), b.high()], [a.low(), b.low()]]
    }
}
