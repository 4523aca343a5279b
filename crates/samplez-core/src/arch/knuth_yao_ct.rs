//! One level of a Knuth–Yao tree of radix 2^7 or 2^8, for a thousand samples at once in constant time.
//!
//! Every sample has a draw of a byte, which decides it or leaves it open. The open samples take the entries of a pool,
//! which were drawn before anybody knew who would need them.

mod planes;
mod search;
#[cfg(test)]
mod tests;

use super::Backend;
use super::bytes::{ByteKernel, Bytes};
use super::tree::Tree;

/// Samples of a row.
pub(crate) const COLUMNS: usize = 64;
/// Entries that are looked at: a rank among them is a byte.
pub(crate) const POOL: usize = 256;

/// A level of up to 2048 samples.
///
/// The sample in row r and column c has the draw `draws[64 r + c]`; v is this byte, or if `folded` its lowest 7 bits.
/// Its value is `base` + #{D above v} - 1, unless no D is above: then the sample is open. The open samples of the rows of
/// a section, column after column and each column's from its first row on, have the values of the section's entries of the
/// pool, in order; all are modulo 2^8.
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

impl ByteKernel for Level<'_> {
    #[inline(always)]
    fn run_in_bytes<V: Bytes>(self) -> u32 {
        search::run::<V>(self)
    }
}

impl<'a> Level<'a> {
    /// The sections' draws, pools, entries and values.
    #[inline(always)]
    fn sections(&mut self) -> impl Iterator<Item = (&'a [u8], &'a [u8; POOL], usize, &mut [u8])> {
        let ([rows, entries], pool) = (self.section, self.pool);
        let values = self.values.chunks_mut(COLUMNS * rows).enumerate();
        self.draws.chunks(COLUMNS * rows).zip(values).map(move |(draws, (i, values))| {
            let pool = &pool[i * entries..];
            (draws, &pool.as_chunks().0[0], entries.min(pool.len() - POOL), values)
        })
    }

    /// Fills `values`, by the fastest way that the backend has; 1 if more samples of a section are open than
    /// it has entries (then those beyond have no meaning), or else 0.
    #[inline]
    pub(crate) fn run(self, backend: Backend) -> u32 {
        backend.run_in_bytes(self)
    }
}
