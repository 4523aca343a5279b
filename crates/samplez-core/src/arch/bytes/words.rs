//! The operations of kernels that take a register of bytes as one of half as many 16-bit numbers.

use super::lanes::Bytes;
use crate::arch::RegisterKernel;

/// A register of 16-bit numbers, each of two bytes, the lower one first.
pub(crate) trait Words: Bytes {
    /// Pairs of registers that a kernel of dependent steps should work on at the same time, 1 or 2.
    const PAIRS: usize = 2;
    /// A bit for each number, in the form that comparisons give.
    type Mask16: Copy;
    /// A table of 16 numbers.
    type Table16: Copy;
    /// Falling numbers, at most 15 above 0, that numbers are compared with.
    type Keys16: Copy;
    /// This number everywhere.
    fn splat16(number: u16) -> Self;
    /// A table.
    fn table16(entries: &[u16; 16]) -> Self::Table16;
    /// The entries at these indices below 16, of a [pair](Self::load_pair).
    fn look_up16(indices: [Self; 2], table: Self::Table16) -> [Self; 2];
    /// Keys.
    fn keys16(keys: &[u16; 16]) -> Self::Keys16;
    /// How many keys are above each number.
    fn keys_above16(self, keys: &Self::Keys16) -> Self;
    /// a + b.
    fn plus16(self, other: Self) -> Self;
    /// a - b.
    fn minus16(self, other: Self) -> Self;
    /// a - b, or 0.
    fn minus_saturating16(self, other: Self) -> Self;
    /// The lesser.
    fn min16(self, other: Self) -> Self;
    /// ab/2^15, rounded to the nearest; both are below 2^15.
    fn product16(self, other: Self) -> Self;
    /// All shifted left by `n` < 16.
    fn shl16(self, n: u32) -> Self;
    /// All shifted right by `n` < 16.
    fn shr16(self, n: u32) -> Self;
    /// Each shifted right by its own number of places, below 8.
    fn shr_each16(self, n: Self) -> Self;
    /// Where a < b.
    fn below16(self, other: Self) -> Self::Mask16;
    /// a where the mask is set, else 0.
    fn where16(self, mask: Self::Mask16) -> Self;
    /// As many numbers as a register has bytes, in two registers, in an order that the other functions of pairs share.
    #[inline(always)]
    fn load_pair(bytes: &[u8]) -> [Self; 2] {
        [Self::load(bytes), Self::load(&bytes[Self::LANES..])]
    }
    /// To as many numbers.
    #[inline(always)]
    fn store_pair([first, second]: [Self; 2], bytes: &mut [u8]) {
        first.store(bytes);
        second.store(&mut bytes[Self::LANES..]);
    }
    /// The bytes as numbers.
    fn widen(self) -> [Self; 2];
    /// The numbers, below 2^8, as bytes.
    fn narrow(pair: [Self; 2]) -> Self;
    /// A bit for each byte, the first byte's the lowest.
    fn bits(mask: Self::Mask) -> u64;
    /// Moves the bytes whose bits are set to the head of `out`. The bytes behind them are overwritten.
    #[inline(always)]
    fn compress(bytes: [u8; 64], mask: u64, out: &mut [u8; 64]) {
        let mut made = 0;
        for (group, mask) in bytes.as_chunks::<8>().0.iter().zip(mask.to_le_bytes()) {
            let places = &PLACES[usize::from(mask)];
            // A group is moved to its own place or to a lower one.
            if let Some(out) = out[made..].first_chunk_mut() {
                *out = Self::shuffle8(*group, places);
            }
            made += mask.count_ones() as usize;
        }
    }
    /// The bytes at these places below 8.
    fn shuffle8(bytes: [u8; 8], places: &[u8; 8]) -> [u8; 8];
}

/// A pure function over registers of bytes, and the same over words. As for [`Kernel`](crate::arch::Kernel), all must be
/// inlined.
pub(crate) trait ByteKernel: RegisterKernel {
    /// The computation.
    fn run_in_bytes<V: Words>(self) -> Self::Output;
}

/// A pure function over registers of bytes and of 16-bit numbers. As for [`Kernel`](crate::arch::Kernel), all must be inlined.
pub(crate) trait WordKernel {
    /// The result.
    type Output;
    /// The computation.
    fn run_in_words<V: Words>(self) -> Self::Output;
}

/// For each mask of 8 the places of its bits, the lowest first.
pub(crate) static PLACES: [[u8; 8]; 256] = {
    let mut places = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut i, mut made) = (0, 0);
        while i < 8 {
            if mask >> i & 1 != 0 {
                places[mask][made] = i as u8;
                made += 1;
            }
            i += 1;
        }
        mask += 1;
    }
    places
};
