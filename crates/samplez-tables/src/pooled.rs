//! Building the table of a Knuth–Yao sampler in constant time.

use crate::cdt::{CdtOptions, build_cdt};
use crate::error::BuildError;
use crate::lazy::Room;
use alloc::vec::Vec;
use samplez_core::DiscreteGaussian;
use samplez_core::table::PooledTable;

/// Builds the thresholds that [`build_cdt`] makes, with their bound, and their levels; `options.max_bytes` limits both together.
///
/// # Errors
///
/// [`BuildError`].
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::{CdtOptions, build_pooled};
/// let table = build_pooled(&DiscreteGaussian::with_sigma("3.2".parse()?)?, &CdtOptions::default())?;
/// assert_eq!(table.bytes(), 672 + (1 + 1 + 2 + 14) * 64);
/// // Samples of a batch have exactly the table's law.
/// assert_eq!(table.bound(), table.table().bound());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build_pooled(
    law: &DiscreteGaussian,
    options: &CdtOptions,
) -> Result<PooledTable<Vec<u32>, Vec<i8>>, BuildError> {
    let table = build_cdt(law, options)?;
    let mut room = Room::beside(&table, options.max_bytes);
    let made = PooledTable::with_parts_in(table, |len| room.of(len));
    room.checked(made)
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez_core::table::Table;

    #[test]
    fn thresholds_and_levels_share_the_memory() {
        let law = DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap();
        let build = |max_bytes: u64| {
            build_pooled(&law, &CdtOptions { max_bytes, ..CdtOptions::default() }).map(|table| table.bytes())
        };
        let bytes = 672 + 18 * 64;
        assert_eq!(build(bytes), Ok(bytes as usize));
        assert!(matches!(build(bytes - 1), Err(BuildError::TooLarge { .. })));
    }
}
