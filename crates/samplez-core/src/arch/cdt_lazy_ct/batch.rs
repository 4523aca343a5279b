//! The data of a batch.

use crate::arch::tree::Tree;

/// The most slots: a rank among them is a byte.
pub(crate) const MAX_SLOTS: usize = 240;
/// The most digits of a slot's number.
pub(crate) const MAX_DIGITS: usize = 32;

/// Samples of a row. Their draws lie together: the higher bytes, then the lower ones.
pub(crate) const COLUMNS: usize = 64;
/// The most rows of a batch.
pub(crate) const MAX_ROWS: usize = 32;
/// Slots of a batch, and space to read one row too many.
pub(super) const SLOTS: usize = MAX_SLOTS.next_multiple_of(COLUMNS);

/// A batch of up to 2048 samples.
///
/// The sample in row r and column c has the draw 2^8·h + l. Its h is `draws[128 r + c]`, and its l is `draws[128
/// r + 64 + c]`. The number v is this draw, or if `folded` its lowest 15 bits. Its index is #{D above v} - 1 unless
/// that is -1: then the sample is open.
///
/// The open samples have the indices of the slots 0, 1, …, column after column, and each column's from its first row
/// on. Slot k has the index `offset` + #{F above w}. The digits of w are `spare[k]`, `spare[slots + k]`, …, the most
/// significant first.
///
/// No branch, index or address depends on `draws` and `spare`.
pub(crate) struct Batch<'a> {
    pub(crate) coarse: Tree<'a>,
    pub(crate) fine: Tree<'a>,
    /// Digits of w.
    pub(crate) digits: usize,
    /// A multiple of 8.
    pub(crate) slots: usize,
    /// Index of a slot whose w is below no F; modulo 2^16.
    pub(crate) offset: u16,
    pub(crate) folded: bool,
    /// 128 bytes for each row.
    pub(crate) draws: &'a [u8],
    /// `digits`·`slots` bytes, and [`COLUMNS`] more of no meaning.
    pub(crate) spare: &'a [u8],
    /// The lower bytes of the indices, row by row.
    pub(crate) low: &'a mut [u8],
    /// The higher bytes, as many; or none, if nobody asks.
    pub(crate) high: &'a mut [u8],
}

/// Turns the numbers of open samples in the columns into the ranks of each column's first one. Returns 1 if there are
/// more in all than `slots`, below 256, or else 0. If there are more, the ranks have no meaning.
#[inline(always)]
pub(super) fn ranks(open: &mut [u8; COLUMNS], slots: usize) -> u32 {
    const BYTES: u64 = 0x0101_0101_0101_0101;
    const PAIRS: u64 = 0x0001_0001_0001_0001;
    let (mut before, mut total) = (0, 0);
    for counts in open.as_chunks_mut::<8>().0 {
        let word = u64::from_le_bytes(*counts);
        // Byte i is the sum of the bytes up to i, as long as that is below 256.
        let up_to = word.wrapping_mul(BYTES);
        *counts = (up_to << 8).wrapping_add(before * BYTES).to_le_bytes();
        before = (before + (up_to >> 56)) & 0xff;
        let pairs = (word & (PAIRS * 0xff)) + (word >> 8 & (PAIRS * 0xff));
        total += (pairs.wrapping_mul(PAIRS) >> 48) as u32;
    }
    (slots as u32).wrapping_sub(total) >> 31
}
