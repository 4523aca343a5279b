//! Inversion in two parts, for 2048 samples at once in constant time.
//!
//! Every sample has a draw of 16 bits, which decides it or leaves it open; a few numbers, as many whatever the samples
//! are, are drawn for those that are open, and are handed out in order.

mod batch;
mod planes;
#[cfg(target_arch = "x86_64")]
mod search;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub(crate) use batch::{Batch, COLUMNS, MAX_DIGITS, MAX_LEVELS, MAX_ROWS, MAX_SLOTS, Tree};

use super::Backend;

impl Batch<'_> {
    /// Fills `low` and `high`, by the fastest way that the backend has; 1 if more samples are open than there are
    /// slots (then those beyond have no meaning), or else 0.
    #[inline]
    pub(crate) fn run(self, backend: Backend) -> u32 {
        #[cfg(target_arch = "x86_64")]
        if x86_64::has(backend) {
            return x86_64::run(self, backend);
        }
        backend.run_in_registers(planes::Planes(self))
    }
}
