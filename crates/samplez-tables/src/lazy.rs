//! Building the table of a lazy CDT sampler in constant time.

use crate::cdt::{BuildError, CdtOptions, Size, build_cdt};
use alloc::vec::Vec;
use core::fmt;
use samplez_core::params::DiscreteGaussian;
use samplez_core::table::Table;
use samplez_core::table::{CdtTable, LazyError, LazyTable};

/// Why a table with its parts cannot be built.
///
/// ```
/// use samplez_core::params::DiscreteGaussian;
/// use samplez_tables::{CdtOptions, build_lazy};
/// let law = DiscreteGaussian::with_sigma("1000".parse()?)?;
/// let refused = build_lazy(&law, &CdtOptions::default()).unwrap_err();
/// assert_eq!(refused.to_string(), "thresholds = 12774: must be between 1 and 4095");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum LazyBuildError {
    /// The thresholds cannot be built.
    Table(BuildError),
    /// They have no parts.
    Parts(LazyError),
    /// Thresholds and parts together would take more memory than allowed, or than there is.
    TooLarge {
        /// Their size in bytes.
        bytes: u128,
        /// The limit in bytes.
        limit: u64,
    },
}

impl fmt::Display for LazyBuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table(error) => error.fmt(f),
            Self::Parts(error) => error.fmt(f),
            Self::TooLarge { bytes, limit } => write!(
                f,
                "a table with its parts takes {}, more than the {} allowed (max_bytes)",
                Size(*bytes),
                Size(u128::from(*limit))
            ),
        }
    }
}

impl core::error::Error for LazyBuildError {}

/// The thresholds that [`build_cdt`] makes, with their bound, and their parts; `options.max_bytes` limits both together.
///
/// # Errors
///
/// [`LazyBuildError`].
///
/// ```
/// use samplez_core::params::DiscreteGaussian;
/// use samplez_tables::{CdtOptions, build_lazy};
/// let table = build_lazy(&DiscreteGaussian::with_sigma("3.2".parse()?)?, &CdtOptions::default())?;
/// assert_eq!((table.open_bits(), table.slots(2048), table.fine_digits()), (11, 40, 15));
/// assert_eq!(table.bytes(), 672 + 2 * 64 + 15 * 64);
/// // Which of the 2048 samples need more is hidden, and with probability 2^-136 this fails.
/// assert!(table.log2_overflow() <= -136 && table.bound().log2_sd < table.table().bound().log2_sd + 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build_lazy(
    law: &DiscreteGaussian,
    options: &CdtOptions,
) -> Result<LazyTable<Vec<u32>, Vec<i8>>, LazyBuildError> {
    let table: CdtTable<Vec<u32>> = build_cdt(law, options).map_err(LazyBuildError::Table)?;
    with_parts(table, options.max_bytes)
}

/// The parts that [`build_lazy`] makes for this table, where both may take `max_bytes` together.
///
/// # Errors
///
/// [`LazyBuildError`].
///
/// ```
/// use samplez_core::{params::DiscreteGaussian, table::LazyTable};
/// use samplez_tables::{CdtOptions, build_cdt, parts};
/// let table = build_cdt(&DiscreteGaussian::with_sigma("3.2".parse()?)?, &CdtOptions::default())?;
/// let parts = parts(&table, 1 << 20)?;
/// assert_eq!(LazyTable::new(table, parts)?.bytes(), 672 + 2 * 64 + 15 * 64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parts<S: AsRef<[u32]>>(table: &CdtTable<S>, max_bytes: u64) -> Result<Vec<i8>, LazyBuildError> {
    with_parts(table.view(), max_bytes).map(LazyTable::into_parts)
}

fn with_parts<S: AsRef<[u32]>>(table: CdtTable<S>, limit: u64) -> Result<LazyTable<S, Vec<i8>>, LazyBuildError> {
    let len = LazyTable::<S, Vec<i8>>::parts_len(&table).map_err(LazyBuildError::Parts)?;
    let bytes = table.bytes() as u128 + len as u128;
    let refused = LazyBuildError::TooLarge { bytes, limit };
    if bytes > limit.into() {
        return Err(refused);
    }
    let mut parts = Vec::new();
    parts.try_reserve_exact(len).map_err(|_| refused)?;
    parts.resize(len, 0);
    LazyTable::with_parts_in(table, parts).map_err(LazyBuildError::Parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_and_parts_share_the_memory() {
        let law = DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap();
        let build = |max_bytes: u64| {
            build_lazy(&law, &CdtOptions { max_bytes, ..CdtOptions::default() }).map(|table| table.bytes())
        };
        let bytes = 672 + 17 * 64;
        assert_eq!(build(bytes), Ok(bytes as usize));
        let refused = LazyBuildError::TooLarge { bytes: bytes.into(), limit: bytes - 1 };
        assert_eq!(build(bytes - 1), Err(refused));
    }
}
