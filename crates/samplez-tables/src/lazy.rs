//! Building the table of a lazy CDT sampler in constant time.

use crate::cdt::{CdtOptions, build_cdt};
use crate::error::BuildError;
use alloc::vec::Vec;
use samplez_core::DiscreteGaussian;
use samplez_core::table::{CdtTable, LazyTable, Table};

/// Builds the thresholds that [`build_cdt`] makes, with their bound, and their parts; `options.max_bytes` limits both together.
///
/// # Errors
///
/// [`BuildError`].
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::{CdtOptions, build_lazy};
/// let table = build_lazy(&DiscreteGaussian::with_sigma("3.2".parse()?)?, &CdtOptions::default())?;
/// assert_eq!(table.bytes(), 672 + 2 * 64 + 15 * 64);
/// // Samples of a batch have exactly the table's law.
/// assert_eq!(table.bound(), table.table().bound());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build_lazy(law: &DiscreteGaussian, options: &CdtOptions) -> Result<LazyTable<Vec<u32>, Vec<i8>>, BuildError> {
    let table = build_cdt(law, options)?;
    let parts = room(&table, LazyTable::<Vec<u32>, Vec<i8>>::parts_len(&table)?, options.max_bytes)?;
    Ok(LazyTable::with_parts_in(table, parts)?)
}

/// Returns the parts that [`build_lazy`] makes for this table, where both may take `max_bytes` together.
///
/// # Errors
///
/// [`BuildError`].
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::{DiscreteGaussian, table::LazyTable};
/// use samplez_tables::{CdtOptions, build_cdt, parts};
/// let table = build_cdt(&DiscreteGaussian::with_sigma("3.2".parse()?)?, &CdtOptions::default())?;
/// let parts = parts(&table, 1 << 20)?;
/// assert_eq!(LazyTable::new(table, parts)?.bytes(), 672 + 2 * 64 + 15 * 64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parts<S: AsRef<[u32]>>(table: &CdtTable<S>, max_bytes: u64) -> Result<Vec<i8>, BuildError> {
    let mut parts = room(table, LazyTable::<S, Vec<i8>>::parts_len(table)?, max_bytes)?;
    LazyTable::with_parts_in(table.view(), parts.as_mut_slice())?;
    Ok(parts)
}

/// So many bytes for the parts of `table`, where both may take `limit` together.
pub(crate) fn room<S: AsRef<[u32]>>(table: &CdtTable<S>, len: usize, limit: u64) -> Result<Vec<i8>, BuildError> {
    let bytes = table.bytes() as u128 + len as u128;
    if bytes > limit.into() {
        return Err(too_large(bytes, limit));
    }
    let mut parts = Vec::new();
    parts.try_reserve_exact(len).map_err(|_| too_large(bytes, limit))?;
    parts.resize(len, 0);
    Ok(parts)
}

fn too_large(bytes: u128, limit: u64) -> BuildError {
    BuildError::TooLarge { target: None, what: "a table with its parts", precision: None, bytes, limit }
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
        assert_eq!(build(bytes - 1), Err(too_large(bytes.into(), bytes - 1)));
    }
}
