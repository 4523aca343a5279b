//! Inversion in two parts, for 2048 samples at once in constant time.
//!
//! Every sample has a draw of 16 bits, which decides it or leaves it open; a few numbers, as many whatever the samples
//! are, are drawn for those that are open, and are handed out in order.

mod batch;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod neon;
mod planes;
#[cfg(any(
    target_arch = "x86_64",
    samplez_backend = "simd128",
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
))]
mod search;
#[cfg(samplez_backend = "simd128")]
mod simd128;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub(crate) use batch::{Batch, COLUMNS, MAX_DIGITS, MAX_LEVELS, MAX_ROWS, MAX_SLOTS, Tree};

use super::Backend;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
use neon as machine;
#[cfg(samplez_backend = "simd128")]
use simd128 as machine;
#[cfg(target_arch = "x86_64")]
use x86_64 as machine;

impl Batch<'_> {
    /// Fills `low` and `high`, by the fastest way that the backend has; 1 if more samples are open than there are
    /// slots (then those beyond have no meaning), or else 0.
    #[inline]
    pub(crate) fn run(self, backend: Backend) -> u32 {
        #[cfg(any(
            target_arch = "x86_64",
            samplez_backend = "simd128",
            all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
        ))]
        if machine::has(backend) {
            return machine::run(self, backend);
        }
        backend.run_in_registers(planes::Planes(self))
    }
}
