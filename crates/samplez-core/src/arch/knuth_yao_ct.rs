//! One level of a Knuth–Yao tree of radix 2^7 or 2^8, for a thousand samples at once in constant time.
//!
//! Every sample has a draw of a byte, which decides it or leaves it open. The open samples take the entries of a pool,
//! which are drawn before it is known which samples are open.

mod level;
mod planes;
mod search;
#[cfg(test)]
mod tests;

pub(crate) use level::{COLUMNS, Level, POOL};

use super::Backend;
use super::vector::{Machine, VectorKernel};

impl VectorKernel for Level<'_> {
    const BYTES: bool = true;
    type Output = u32;

    #[inline(always)]
    fn run<M: Machine>(self) -> u32 {
        if M::IS_VECTOR { search::run::<M::Bytes>(self) } else { self.run_in_planes::<M::Block>() }
    }
}

impl Level<'_> {
    /// Fills `values`, by the fastest way that the backend has. Returns 1 if more samples of a section are open than it
    /// has entries, otherwise 0. After a 1 the values have no meaning.
    #[inline]
    pub(crate) fn run(self, backend: Backend) -> u32 {
        backend.run_in_vectors(self)
    }
}
