//! Building the table of a lazy CDT sampler in constant time.

use crate::cdt::{CdtOptions, build_cdt};
use crate::error::BuildError;
use alloc::vec::Vec;
use samplez_core::DiscreteGaussian;
use samplez_core::table::{CdtTable, LazyTable, Table, TableError};

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
    let mut room = Room::beside(&table, options.max_bytes);
    let made = LazyTable::with_parts_in(table, |len| room.of(len));
    room.checked(made)
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
    let mut room = Room::beside(table, max_bytes);
    let made = LazyTable::with_parts_in(table.view(), |len| room.of(len));
    room.checked(made).map(|table| table.parts().clone())
}

/// The memory for a table's parts, where both may take `limit` bytes together.
pub(crate) struct Room {
    table_bytes: usize,
    limit: u64,
    refused: Option<BuildError>,
}

impl Room {
    pub(crate) fn beside<S: AsRef<[u32]>>(table: &CdtTable<S>, limit: u64) -> Self {
        Room { table_bytes: table.bytes(), limit, refused: None }
    }

    /// Returns so many bytes. If that is too many, it returns none, and [`checked`](Self::checked) the error.
    pub(crate) fn of(&mut self, len: usize) -> Vec<i8> {
        let bytes = self.table_bytes as u128 + len as u128;
        let mut parts = Vec::new();
        if bytes > self.limit.into() || parts.try_reserve_exact(len).is_err() {
            self.refused = Some(too_large(bytes, self.limit));
        } else {
            parts.resize(len, 0);
        }
        parts
    }

    /// Returns what was made in this memory, or the reason why there was none.
    pub(crate) fn checked<T>(self, made: Result<T, TableError>) -> Result<T, BuildError> {
        self.refused.map_or(made.map_err(BuildError::Table), Err)
    }
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
