//! A table as bytes, and the sampler of such a table.

use crate::head;
use samplez_core::bits::BitReader;
#[cfg(not(samplez_kernel = "pooled"))]
use samplez_core::samplers::CdtLazyCt;
#[cfg(not(samplez_kernel = "lazy"))]
use samplez_core::samplers::KnuthYaoCt;
#[cfg(not(samplez_kernel = "pooled"))]
use samplez_core::table::LazyTable;
#[cfg(not(samplez_kernel = "lazy"))]
use samplez_core::table::PooledTable;
use samplez_core::table::{CdtTable, Shape};
use samplez_core::{Bound, DiscreteGaussian, RangeError, Rational, Sampler};
use samplez_sources::ChaCha20;

/// A constant-time sampler of the law of an inversion table. A module for the npm package has one of them.
enum Kernel {
    #[cfg(not(samplez_kernel = "lazy"))]
    Pooled(KnuthYaoCt<Vec<u32>, Vec<i8>>),
    #[cfg(not(samplez_kernel = "pooled"))]
    Lazy(CdtLazyCt<Vec<u32>, Vec<i8>>),
}

/// A sampler, and the exponent t of its remainder's probability 2^-t.
pub(crate) struct Loaded {
    kernel: Kernel,
    pub(crate) tosses: u32,
}

impl Loaded {
    /// Reads a table. `None` for other bytes, and for a kernel that this module has not.
    ///
    /// Numbers are little-endian. At these places:
    ///
    /// - 8, one byte: the kernel, 0 pooled or 1 lazy
    /// - 9, one byte: the shape, 0 folded or 1 full
    /// - 10, two bytes: the precision
    /// - 12, four bytes: t
    /// - 16, four bytes: the number of digits
    /// - 28, four bytes: the first value, in two's complement
    /// - 32, four bytes: the library's version
    /// - 36, four bytes each: the digits
    ///
    /// JavaScript reads the other bytes, and compares the version.
    pub(crate) fn read(bytes: &[u8]) -> Option<Loaded> {
        let number = |at: usize, len: usize| {
            let bytes = bytes.get(at..at + len)?;
            Some(bytes.iter().rev().fold(0_u32, |number, byte| number << 8 | u32::from(*byte)))
        };
        let (kind, shape, precision) = (number(8, 1)?, number(9, 1)?, number(10, 2)?);
        let (tosses, count, first) = (number(12, 4)?, number(16, 4)?, i64::from(number(28, 4)?.cast_signed()));
        let (digits, rest) = bytes.get(head::LEN..)?.as_chunks();
        if digits.len() != usize::try_from(count).ok()? || !rest.is_empty() || !(14..=256).contains(&tosses) {
            return None;
        }
        let digits = digits.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        let shape = if shape == 0 { Shape::Folded } else { Shape::Full };
        // The law is part of profiles only.
        let law = DiscreteGaussian::with_sigma(Rational::from(1)).ok()?;
        let table = CdtTable::<Vec<u32>>::new(law, Bound::TRIVIAL, shape, first, precision, digits).ok()?;
        let support = table.support();
        i16::try_from(*support.start()).and(i16::try_from(*support.end())).ok()?;
        let kernel = match kind {
            #[cfg(not(samplez_kernel = "lazy"))]
            0 => Kernel::Pooled(KnuthYaoCt::from_table(PooledTable::with_parts_in(table, |len| vec![0; len]).ok()?)),
            #[cfg(not(samplez_kernel = "pooled"))]
            1 => Kernel::Lazy(CdtLazyCt::from_table(LazyTable::with_parts_in(table, |len| vec![0; len]).ok()?)),
            _ => return None,
        };
        Some(Loaded { kernel, tosses })
    }

    /// Fills `out` with the table's law.
    pub(crate) fn fill(&self, bits: &mut BitReader<ChaCha20>, out: &mut [i16]) -> Result<(), RangeError> {
        match &self.kernel {
            #[cfg(not(samplez_kernel = "lazy"))]
            Kernel::Pooled(sampler) => sampler.fill(bits, out),
            #[cfg(not(samplez_kernel = "pooled"))]
            Kernel::Lazy(sampler) => sampler.fill(bits, out),
        }
    }
}
