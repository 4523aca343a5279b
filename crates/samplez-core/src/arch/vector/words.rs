//! Vectors of 64-bit words.

use super::bits::Vector;

/// A vector of 4 or 8 words.
///
/// The implementation for `[u64; 4]` is the specification.
pub(crate) trait WordVector: Vector {
    /// Vectors that a kernel of dependent steps should work on at the same time, 2 or 4.
    const TOGETHER: usize = 4;
    /// Whether trials with constants of their own are faster in vectors.
    const CALLS: bool = false;
    /// A half of each word, as products take it.
    type Half: Copy;
    /// A number of places below 64, the same for all words, as shifts take it.
    type Count: Copy;
    /// A table of 16 numbers of 16 bits.
    type Table16: Copy;
    /// A table of 8 words.
    type Table8: Copy;
    /// a + b.
    fn plus(self, other: Self) -> Self;
    /// a - b.
    fn minus(self, other: Self) -> Self;
    /// The low halves.
    fn low(self) -> Self::Half;
    /// The high halves.
    fn high(self) -> Self::Half;
    /// The products of halves.
    fn product(a: Self::Half, b: Self::Half) -> Self;
    /// For shifts by so many places.
    fn places(n: u32) -> Self::Count;
    /// All shifted left.
    fn shl_by(self, n: Self::Count) -> Self;
    /// All shifted right.
    fn shr_by(self, n: Self::Count) -> Self;
    /// Each shifted right by its own number of places below 128, from 64 on to zero.
    fn shr_each(self, n: Self) -> Self;
    /// Of 16-bit lanes: one more where `key` is above `number`.
    fn count_above16(self, key: Self, number: Self) -> Self;
    /// A table.
    fn table16(entries: &[u16; 16]) -> Self::Table16;
    /// Of 16-bit lanes: the entries at these indices.
    fn look_up16(self, table: Self::Table16) -> Self;
    /// A table.
    fn table8(entries: &[u64; 8]) -> Self::Table8;
    /// The high and low halves of the entries at the indices in the lowest 3 bits.
    fn look_up8(self, table: Self::Table8) -> (Self::Half, Self::Half);
    /// A bit for each lane: a < b, both below 2^63.
    fn is_below(self, other: Self) -> u32;
    /// The lanes' low halves, one register's after the other's, of an even number of them or of one.
    fn store_low<const G: usize>(registers: [Self; G], out: &mut [i32]);

    /// The same. The compiler does not move what makes it behind what takes it.
    #[inline(always)]
    fn made(self) -> Self {
        self
    }

    /// Each shifted right by its own number of places below 2^16, from 64 on to zero.
    #[inline(always)]
    fn shr_any(self, n: Self) -> Self {
        self.shr_each(n.min16(Self::splat(127)))
    }

    /// [`table8`](Self::table8), of its high halves and its low halves.
    #[inline(always)]
    fn halves8([high, low]: &[[u32; 8]; 2]) -> Self::Table8 {
        let mut entries = [0; 8];
        for (entry, (high, low)) in entries.iter_mut().zip(high.iter().zip(low)) {
            *entry = u64::from(*high) << 32 | u64::from(*low);
        }
        Self::table8(&entries)
    }

    /// Of 16-bit lanes, as signed numbers: one more where `key` is above `number`.
    #[inline(always)]
    fn count_above_signed16(self, key: Self, number: Self) -> Self {
        let bias = Self::splat16(1 << 15);
        self.count_above16(key.xor(bias), number.xor(bias))
    }

    /// As [`load`](Vector::load), of words that have just been stored two at a time.
    #[inline(always)]
    fn load_halves(words: &[u64]) -> Self {
        Self::load(words)
    }

    /// The halves of the first words, the lower one first.
    #[inline(always)]
    fn load_narrow(words: &[u64]) -> Self {
        let mut halves = [0; 8];
        for (i, half) in halves.iter_mut().enumerate().take(Self::WORDS) {
            *half = words[i / 2] >> (32 * (i % 2)) & 0xffff_ffff;
        }
        Self::load(&halves)
    }

    /// Moves the words whose bits are set to the head. The others are unspecified.
    #[inline(always)]
    fn compress(self, mask: u8) -> Self {
        let (mut words, mut moved, mut made) = ([0; 8], [0; 8], 0);
        self.store(&mut words);
        for (i, word) in words.into_iter().enumerate().take(Self::WORDS) {
            moved[made & 7] = word;
            made += usize::from(mask >> i & 1);
        }
        Self::load(&moved)
    }
}
