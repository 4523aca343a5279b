//! The parts of a level.

use crate::arch::tree::Tree;

/// Samples of a row.
pub(crate) const COLUMNS: usize = 64;
/// Entries that are looked at: a rank among them is a byte.
pub(crate) const POOL: usize = 256;

/// A level of up to 2048 samples.
///
/// The sample in row r and column c has the draw `draws[64 r + c]`; v is this byte, or if `folded` its lowest 7 bits.
/// Its value is `base` + #{D above v} - 1 modulo 2^8, unless no D is above. Then the sample is open.
///
/// The pool has entries for each section of rows. The open samples of a section take its entries in order, column after
/// column, and in each column from the first row on.
///
/// No branch, index or address depends on `draws` and `pool`.
pub(crate) struct Level<'a> {
    /// Numbers of one digit, at most 255.
    pub(crate) tree: Tree<'a>,
    pub(crate) folded: bool,
    pub(crate) base: u8,
    pub(crate) draws: &'a [u8],
    /// Entries, and [`POOL`] bytes of no meaning.
    pub(crate) pool: &'a [u8],
    /// Rows of a section, and its entries: a multiple of 8, at most 240. The last section may have fewer of both.
    pub(crate) section: [usize; 2],
    /// As many as draws.
    pub(crate) values: &'a mut [u8],
}

impl<'a> Level<'a> {
    /// The sections' draws, pools, entries and values.
    #[inline(always)]
    pub(super) fn sections(&mut self) -> impl Iterator<Item = (&'a [u8], &'a [u8; POOL], usize, &mut [u8])> {
        let ([rows, entries], pool) = (self.section, self.pool);
        let values = self.values.chunks_mut(COLUMNS * rows).enumerate();
        self.draws.chunks(COLUMNS * rows).zip(values).map(move |(draws, (i, values))| {
            let pool = &pool[i * entries..];
            (draws, &pool.as_chunks().0[0], entries.min(pool.len() - POOL), values)
        })
    }
}
