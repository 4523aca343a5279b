//! Inversion in two parts, for 2048 samples at once in constant time.
//!
//! Every sample has a draw of 16 bits, which decides it or leaves it open. A few numbers are drawn for the open
//! samples, and are handed out in order. How many is independent of the samples.

mod batch;
pub(super) mod planes;
mod search;
#[cfg(test)]
mod tests;

pub(crate) use batch::{Batch, COLUMNS, MAX_DIGITS, MAX_ROWS, MAX_SLOTS};

use super::Backend;
use super::vector::{Machine, VectorKernel};

impl VectorKernel for Batch<'_> {
    const BYTES: bool = true;
    type Output = u32;

    #[inline(always)]
    fn run<M: Machine>(self) -> u32 {
        if M::IS_VECTOR { search::run::<M::Bytes>(self) } else { self.run_in_planes::<M::Block>() }
    }
}

impl Batch<'_> {
    /// Fills `low` and `high`, by the fastest way that the backend has. Returns 1 if more samples are open than there
    /// are slots, or else 0. With 1, the samples beyond the slots have no meaning.
    #[inline]
    pub(crate) fn run(self, backend: Backend) -> u32 {
        backend.run_in_vectors(self)
    }
}
