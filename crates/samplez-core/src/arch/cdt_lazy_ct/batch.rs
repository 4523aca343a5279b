//! What a batch is made of.

/// The most slots: a rank among them is a byte.
pub(crate) const MAX_SLOTS: usize = 240;
/// The most digits of a slot's number.
pub(crate) const MAX_DIGITS: usize = 32;
/// The most levels of a tree.
pub(crate) const MAX_LEVELS: usize = 12;

/// Samples of a row. Their draws lie together: the higher bytes, then the lower ones.
pub(crate) const COLUMNS: usize = 64;
/// The most rows of a batch.
pub(crate) const MAX_ROWS: usize = 32;
/// Slots of a batch, and room to read one row too many.
pub(super) const SLOTS: usize = MAX_SLOTS.next_multiple_of(COLUMNS);

/// A search tree of falling numbers, by digits of 8 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tree<'a> {
    /// For each digit, the most significant first, `stride` bytes, of which byte 2^i + q is that digit, less 128, of the
    /// number of rank (2q+1)·2^(levels-1-i), counted from 1; or -128 if there are not so many.
    pub(crate) rows: &'a [i8],
    /// 2^levels, and at least 64.
    pub(crate) stride: usize,
    /// 4 to [`MAX_LEVELS`].
    pub(crate) levels: u32,
    /// How many numbers there are.
    pub(crate) len: usize,
}

impl Tree<'_> {
    /// The place in a row of the number of this rank, counted from 1.
    #[inline(always)]
    pub(super) fn place(&self, rank: usize) -> usize {
        let zeros = rank.trailing_zeros();
        (1 << (self.levels - 1 - zeros)) + (rank >> zeros >> 1)
    }
}

/// A batch of up to 2048 samples.
///
/// The sample in row r and column c has the draw 2^8·h + l, with h = `draws[128 r + c]` and l = `draws[128 r + 64 + c]`;
/// v is this number, or if `folded` its lowest 15 bits. Its index is #{D above v} - 1 unless that is -1: then the
/// sample is open. The open samples, column after column and each column's from its first row on, have the indices of
/// the slots 0, 1, …: slot k has `offset` + #{F above w}, where w's digits are `spare[k]`, `spare[slots + k]`, …, the
/// most significant first.
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

/// From how many samples of each column are open, the rank of its first one (modulo 2^8); and 1 if there are more in
/// all than slots, or else 0.
#[inline(always)]
pub(super) fn ranks(open: &mut [u8; COLUMNS], slots: usize) -> u32 {
    let mut total = 0;
    for count in open {
        let before = total;
        total += u32::from(*count);
        *count = before as u8;
    }
    (slots as u32).wrapping_sub(total) >> 31
}
