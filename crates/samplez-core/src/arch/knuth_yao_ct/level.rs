//! The parts of a level.

use crate::arch::tree::Tree;

/// Samples of a row.
pub(crate) const COLUMNS: usize = 64;
/// Entries that are looked at: a rank among them is a byte.
pub(crate) const POOL: usize = 256;

/// A level of a batch.
///
/// A sample has a draw v of a byte, whose highest bit is its sign if `folded`, and does not belong to v. Its value is
/// `base` + #{D above v} - 1 modulo 2^8, unless no D is above. Then the sample is open. The pool has entries for each
/// section of rows. The open samples of a section take its entries in order. A value with a sign is negated where the sign
/// is 1.
///
/// No branch, index or address depends on the draws and the pool.
pub(crate) struct Level<'a> {
    /// Numbers of one digit, at most 255.
    pub(crate) tree: Tree<'a>,
    pub(crate) folded: bool,
    pub(crate) base: u8,
    /// In whole rows.
    pub(crate) draws: &'a [u8],
    /// As many.
    pub(crate) values: &'a mut [u8],
    /// Entries, and [`POOL`] bytes of no meaning.
    pub(crate) pool: &'a [u8],
    /// Rows of a section, and its entries: a multiple of 8, at most 240. The last section may have fewer of both.
    pub(crate) section: [usize; 2],
}

impl<'a> Level<'a> {
    /// The sections' draws, values, pools and entries.
    #[inline(always)]
    pub(super) fn sections(self) -> impl Iterator<Item = (&'a [u8], &'a mut [u8], &'a [u8; POOL], usize)> {
        let ([rows, entries], pool) = (self.section, self.pool);
        let cells = self.draws.chunks(COLUMNS * rows).zip(self.values.chunks_mut(COLUMNS * rows));
        cells.enumerate().map(move |(i, (draws, values))| {
            let pool = &pool[i * entries..];
            (draws, values, &pool.as_chunks().0[0], entries.min(pool.len() - POOL))
        })
    }
}
