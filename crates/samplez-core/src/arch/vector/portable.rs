//! The operations by their definition, in arrays: the specification of the machines' code.

use super::bits::Vector;
use super::bytes::ByteVector;
use super::words::WordVector;

/// 16 bytes; tables of 16 entries.
#[derive(Clone, Copy)]
pub(crate) struct Portable([u8; 16]);

/// All ones or 0.
#[inline(always)]
const fn mask8(condition: bool) -> u8 {
    (condition as u8).wrapping_neg()
}

/// All ones or 0.
#[inline(always)]
const fn mask16(condition: bool) -> u16 {
    (condition as u16).wrapping_neg()
}

impl Portable {
    #[inline(always)]
    fn words(self) -> [u64; 2] {
        let [a, b] = [self.0.first_chunk(), self.0.last_chunk()];
        [a, b].map(|word| word.map_or(0, |word| u64::from_le_bytes(*word)))
    }
    #[inline(always)]
    fn from_words(words: [u64; 2]) -> Self {
        Portable(core::array::from_fn(|i| words[i / 8].to_le_bytes()[i % 8]))
    }
    #[inline(always)]
    fn each(self, other: Self, operation: impl Fn(u8, u8) -> u8) -> Self {
        Portable(core::array::from_fn(|i| operation(self.0[i], other.0[i])))
    }
    #[inline(always)]
    fn numbers(self) -> [u16; 8] {
        core::array::from_fn(|i| u16::from_le_bytes([self.0[2 * i], self.0[2 * i + 1]]))
    }
    #[inline(always)]
    fn from_numbers(numbers: [u16; 8]) -> Self {
        Portable(core::array::from_fn(|i| numbers[i / 2].to_le_bytes()[i % 2]))
    }
    /// The entries at these indices: every entry is read for every index.
    #[cfg_attr(samplez_outlined, inline(never))]
    #[cfg_attr(not(samplez_outlined), inline(always))]
    fn entries16(self, table: &[u16; 16]) -> Self {
        let indices = self.numbers();
        let mut found = [0_u16; 8];
        for (i, entry) in table.iter().enumerate() {
            for lane in 0..8 {
                // All ones where the difference is 0.
                let difference = indices[lane] ^ i as u16;
                found[lane] |= (difference.wrapping_sub(1).cast_signed() >> 15).cast_unsigned() & entry;
            }
        }
        Self::from_numbers(found)
    }
    #[cfg_attr(samplez_outlined, inline(never))]
    #[cfg_attr(not(samplez_outlined), inline(always))]
    fn each16(self, other: Self, operation: impl Fn(u16, u16) -> u16) -> Self {
        let (a, b) = (self.numbers(), other.numbers());
        Self::from_numbers(core::array::from_fn(|i| operation(a[i], b[i])))
    }
}

impl Vector for Portable {
    const WORDS: usize = 2;
    #[inline(always)]
    fn load(words: &[u64]) -> Self {
        Self::from_words([words[0], words[1]])
    }
    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        self.words().store(words);
    }
    #[inline(always)]
    fn splat(word: u64) -> Self {
        Self::from_words([word; 2])
    }
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        Self::from_words(self.words().shl(n))
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        Self::from_words(self.words().shr(n))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.each(other, |a, b| a | b)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.each(other, |a, b| a ^ b)
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.each(other, |a, b| a & b)
    }
    #[inline(always)]
    fn splat16(number: u16) -> Self {
        Self::from_numbers([number; 8])
    }
    #[inline(always)]
    fn minus16(self, other: Self) -> Self {
        self.each16(other, u16::wrapping_sub)
    }
    #[inline(always)]
    fn minus_saturating16(self, other: Self) -> Self {
        self.each16(other, u16::saturating_sub)
    }
    #[inline(always)]
    fn min16(self, other: Self) -> Self {
        self.each16(other, u16::min)
    }
}

impl ByteVector for Portable {
    type Mask = [u8; 16];
    const INDEX_BITS: usize = 4;

    #[inline(always)]
    fn load8(bytes: &[u8]) -> Self {
        Portable(bytes.as_chunks().0[0])
    }
    #[inline(always)]
    fn store8(self, bytes: &mut [u8]) {
        bytes[..16].copy_from_slice(&self.0);
    }
    #[inline(always)]
    fn splat8(byte: u8) -> Self {
        Portable([byte; 16])
    }
    #[inline(always)]
    fn table(entries: &[u8]) -> Self {
        Portable(core::array::from_fn(|i| entries[i % 16]))
    }
    #[inline(always)]
    fn index(self) -> Self {
        Portable(self.0.map(|index| index & 0x0f))
    }
    #[inline(always)]
    fn look_up(self, index: Self) -> Self {
        self.look_up_rank(index, 0)
    }
    #[inline(always)]
    fn look_up_rank(self, rank: Self, first: usize) -> Self {
        // Every entry is read for every rank.
        let mut found = Portable([0; 16]);
        for (i, entry) in self.0.iter().enumerate().take(16) {
            for (found, rank) in found.0.iter_mut().zip(&rank.0) {
                // All ones where the difference is 0, without a comparison.
                let difference = rank ^ (first + i) as u8;
                *found |= entry & ((difference | difference.wrapping_neg()) >> 7).wrapping_sub(1);
            }
        }
        found
    }
    #[inline(always)]
    fn below(self, key: Self) -> [u8; 16] {
        self.each(key, |digit, key| mask8(key.cast_signed() > digit.cast_signed())).0
    }
    #[inline(always)]
    fn below_or(self, key: Self, behind: [u8; 16]) -> [u8; 16] {
        let equal = self.each(key, |digit, key| mask8(digit == key));
        Portable(self.below(key)).or(equal.each(Portable(behind), |a, b| a & b)).0
    }
    #[inline(always)]
    fn is_zero(self) -> [u8; 16] {
        self.0.map(|byte| mask8(byte == 0))
    }
    #[inline(always)]
    fn both(a: [u8; 16], b: [u8; 16]) -> [u8; 16] {
        Portable(a).each(Portable(b), |a, b| a & b).0
    }
    #[inline(always)]
    fn select(mask: [u8; 16], yes: Self, no: Self) -> Self {
        Portable(core::array::from_fn(|i| no.0[i] ^ (yes.0[i] ^ no.0[i]) & mask[i]))
    }
    #[inline(always)]
    fn plus_at_most(self, other: Self) -> Self {
        self.each(other, u8::saturating_add)
    }
    #[inline(always)]
    fn negated(self, signs: Self) -> Self {
        self.each(signs, |byte, sign| (byte ^ (sign.cast_signed() >> 7).cast_unsigned()).wrapping_add(sign >> 7))
    }
    #[cfg_attr(samplez_outlined, inline(never))]
    #[cfg_attr(not(samplez_outlined), inline(always))]
    fn hand_out<const ENTRIES: usize>(self, open: [u8; 16], tables: &[Self; 16], taken: &mut Self) -> Self {
        let (mut next, mut ranks) = (taken.0[0], self);
        for (rank, open) in ranks.0.iter_mut().zip(&open) {
            *rank = next;
            next = next.saturating_add(open & 1);
        }
        *taken = Self::splat8(next);
        Self::select(open, Self::of_rank::<ENTRIES>(tables, ranks), self)
    }
    #[inline(always)]
    fn plus8(self, other: Self) -> Self {
        self.each(other, u8::wrapping_add)
    }
    #[inline(always)]
    fn minus8(self, other: Self) -> Self {
        self.each(other, u8::wrapping_sub)
    }
    #[inline(always)]
    fn count(self, mask: [u8; 16]) -> Self {
        self.minus8(Portable(mask))
    }
    const PAIRS: usize = 1;
    type Mask16 = [u16; 8];
    type Table16 = [u16; 16];
    type Keys16 = [u16; 16];

    #[inline(always)]
    fn table16(entries: &[u16; 16]) -> [u16; 16] {
        *entries
    }
    #[inline(always)]
    fn look_up16([first, second]: [Self; 2], table: [u16; 16]) -> [Self; 2] {
        [first.entries16(&table), second.entries16(&table)]
    }
    #[inline(always)]
    fn keys16(keys: &[u16; 16]) -> [u16; 16] {
        *keys
    }
    #[cfg_attr(samplez_outlined, inline(never))]
    #[cfg_attr(not(samplez_outlined), inline(always))]
    fn keys_above16(self, keys: &[u16; 16]) -> Self {
        let (mut count, numbers) = ([0_u16; 8], self.numbers());
        for key in keys {
            for (count, number) in count.iter_mut().zip(&numbers) {
                // The borrow of the difference.
                *count += (u32::from(*number).wrapping_sub(u32::from(*key)) >> 31) as u16;
            }
        }
        Self::from_numbers(count)
    }
    #[inline(always)]
    fn plus16(self, other: Self) -> Self {
        self.each16(other, u16::wrapping_add)
    }
    #[inline(always)]
    fn product16(self, other: Self) -> Self {
        self.each16(other, |a, b| (((u32::from(a) * u32::from(b)) >> 14).wrapping_add(1) >> 1) as u16)
    }
    #[inline(always)]
    fn shl16(self, n: u32) -> Self {
        Self::from_numbers(self.numbers().map(|number| number << n))
    }
    #[inline(always)]
    fn shr16(self, n: u32) -> Self {
        Self::from_numbers(self.numbers().map(|number| number >> n))
    }
    #[cfg_attr(samplez_outlined, inline(never))]
    #[cfg_attr(not(samplez_outlined), inline(always))]
    fn shr_each16(self, n: Self) -> Self {
        // By 1, 2 and 4 places: not every machine shifts by a number of its own in constant time.
        let places = n.numbers();
        let mut shifted = self.numbers();
        for bit in 0..3 {
            for (number, n) in shifted.iter_mut().zip(&places) {
                // A mask by comparison becomes a branch where the compiler optimizes for size.
                let mask = ((n << (15 - bit)).cast_signed() >> 15).cast_unsigned();
                *number ^= (*number ^ *number >> (1 << bit)) & mask;
            }
        }
        Self::from_numbers(shifted)
    }
    #[inline(always)]
    fn below16(self, other: Self) -> [u16; 8] {
        self.each16(other, |a, b| mask16(a < b)).numbers()
    }
    #[inline(always)]
    fn where16(self, mask: [u16; 8]) -> Self {
        self.and(Self::from_numbers(mask))
    }
    #[inline(always)]
    fn widen(self) -> [Self; 2] {
        [0, 8].map(|first| Self::from_numbers(core::array::from_fn(|i| self.0[first + i].into())))
    }
    #[inline(always)]
    fn narrow([low, high]: [Self; 2]) -> Self {
        let (low, high) = (low.numbers(), high.numbers());
        Portable(core::array::from_fn(|i| if i < 8 { low[i] as u8 } else { high[i - 8] as u8 }))
    }
    #[inline(always)]
    fn bits(mask: [u8; 16]) -> u64 {
        mask.iter().rev().fold(0, |bits, byte| bits << 1 | u64::from(byte & 1))
    }
    #[inline(always)]
    fn compress8(bytes: [u8; 64], mask: u64, out: &mut [u8; 64]) {
        let mut made = 0;
        for (i, byte) in bytes.into_iter().enumerate() {
            out[made & 63] = byte;
            made += (mask >> i & 1) as usize;
        }
    }
    #[inline(always)]
    fn shuffle8(bytes: [u8; 8], places: &[u8; 8]) -> [u8; 8] {
        places.map(|place| bytes[usize::from(place)])
    }
}

/// 1 if a < b, both below 2^63.
#[inline(always)]
const fn less(a: u64, b: u64) -> u64 {
    a.wrapping_sub(b) >> 63
}

/// The 16-bit numbers of a word.
#[inline(always)]
fn numbers(word: u64) -> [u16; 4] {
    [0, 16, 32, 48].map(|shift| (word >> shift) as u16)
}

/// The word of 16-bit numbers.
#[inline(always)]
fn word(numbers: [u16; 4]) -> u64 {
    numbers.iter().rev().fold(0, |word, number| word << 16 | u64::from(*number))
}

impl WordVector for [u64; 4] {
    const CALLS: bool = true;
    type Half = [u32; 4];
    type Count = u32;
    type Table16 = [u16; 16];
    type Table8 = [u64; 8];

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        core::array::from_fn(|i| self[i].wrapping_add(other[i]))
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        core::array::from_fn(|i| self[i].wrapping_sub(other[i]))
    }
    #[inline(always)]
    fn low(self) -> [u32; 4] {
        self.map(|word| word as u32)
    }
    #[inline(always)]
    fn high(self) -> [u32; 4] {
        self.map(|word| (word >> 32) as u32)
    }
    #[inline(always)]
    fn product(a: [u32; 4], b: [u32; 4]) -> Self {
        core::array::from_fn(|i| u64::from(a[i]) * u64::from(b[i]))
    }
    #[inline(always)]
    fn places(n: u32) -> u32 {
        n
    }
    #[inline(always)]
    fn shl_by(self, n: u32) -> Self {
        self.shl(n)
    }
    #[inline(always)]
    fn shr_by(self, n: u32) -> Self {
        self.shr(n)
    }
    #[inline(always)]
    fn shr_each(self, n: Self) -> Self {
        core::array::from_fn(|i| self[i].checked_shr(n[i] as u32).unwrap_or(0))
    }
    #[inline(always)]
    fn count_above16(self, key: Self, number: Self) -> Self {
        core::array::from_fn(|i| {
            let (count, key, number) = (numbers(self[i]), numbers(key[i]), numbers(number[i]));
            word(core::array::from_fn(|j| count[j].wrapping_add((key[j] > number[j]).into())))
        })
    }
    #[inline(always)]
    fn table16(entries: &[u16; 16]) -> [u16; 16] {
        *entries
    }
    #[inline(always)]
    fn look_up16(self, table: [u16; 16]) -> Self {
        self.map(|indices| word(numbers(indices).map(|index| table[usize::from(index) % 16])))
    }
    #[inline(always)]
    fn table8(entries: &[u64; 8]) -> [u64; 8] {
        *entries
    }
    #[inline(always)]
    fn look_up8(self, table: [u64; 8]) -> ([u32; 4], [u32; 4]) {
        let entries = self.map(|index| table[(index % 8) as usize]);
        (entries.high(), entries.low())
    }
    #[inline(always)]
    fn is_below(self, other: Self) -> u32 {
        (0..4).fold(0, |bits, i| bits | (less(self[i], other[i]) as u32) << i)
    }
    #[inline(always)]
    fn store_low<const G: usize>(vectors: [Self; G], out: &mut [i32]) {
        for (word, out) in vectors.as_flattened().iter().zip(out) {
            *out = *word as i32;
        }
    }
}
