//! Building the probability matrix of a Knuth–Yao sampler: the weights of an inversion table, by
//! columns.

mod matrix;

use crate::cdt::{CdtOptions, build_cdt};
use crate::error::{BuildError, in_range};
use alloc::vec::Vec;
use samplez_core::DiscreteGaussian;
use samplez_core::table::{KnuthYaoParts, KnuthYaoTable, MAX_FIRST_LEVELS, Table};

/// The limits of a table's size, its precision and rounding, and the levels of its first table.
///
/// ```
/// use samplez_tables::{CdtOptions, KnuthYaoOptions};
/// let options = KnuthYaoOptions::default();
/// assert_eq!((options.cdt, options.first_levels), (CdtOptions::default(), None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnuthYaoOptions {
    /// Precision, rounding, and the most memory that an inversion table of the same law, and the
    /// matrix itself, may take.
    pub cdt: CdtOptions,
    /// The number g of levels in the first table, whose size is 4·2^g bytes: 0 to 16, and at
    /// most the precision. 0 is the plain walk; `None` chooses by the number of rows.
    pub first_levels: Option<u32>,
}

/// Builds the matrix of the weights of the inversion table that [`build_cdt`] makes, with its bound: the same
/// law.
///
/// # Errors
///
/// [`BuildError`].
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::{CdtOptions, KnuthYaoOptions, build_cdt, build_knuth_yao};
/// let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
/// let fast = build_knuth_yao(&law, &KnuthYaoOptions::default())?;
/// let small = build_knuth_yao(&law, &KnuthYaoOptions { first_levels: Some(0), ..KnuthYaoOptions::default() })?;
/// assert_eq!(fast.bytes() - small.bytes(), 4 << fast.parts().first_levels);
/// assert_eq!(small.bound(), build_cdt(&law, &CdtOptions::default())?.bound());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build_knuth_yao(
    law: &DiscreteGaussian,
    options: &KnuthYaoOptions,
) -> Result<KnuthYaoTable<Vec<u32>>, BuildError> {
    let precision = options.cdt.precision;
    let table = build_cdt(law, &options.cdt)?;
    let most = MAX_FIRST_LEVELS.min(precision);
    let first_levels = options.first_levels.unwrap_or(first_levels(table.len()).min(most));
    in_range("first_levels", first_levels, 0, most)?;
    // T_1 = 0, or T_n = 2^B, which no digits hold.
    if table.digits().iter().all(|digit| *digit == 0) {
        return Err(BuildError::Single { target: *law, precision: Some(precision) });
    }
    let rows = table.len() + 1;
    let limit = options.cdt.max_bytes;
    let too_large = |words: u128| {
        let bytes = 4 * words + if first_levels == 0 { 0 } else { 4 << first_levels };
        BuildError::TooLarge { target: Some(*law), what: "the matrix", precision: None, bytes, limit }
    };
    // The uncut columns take at most the memory of the inversion table, which is within the limit. A column's offset in
    // bits must fit 32 bits.
    let uncut = u128::from(precision) * rows.div_ceil(32) as u128;
    if uncut >= 1 << 27 {
        return Err(too_large(uncut));
    }
    let digits = matrix::of(&table).ok_or(too_large(uncut))?;
    let bytes = 4 * digits.len() as u64 + if first_levels == 0 { 0 } else { 4 << first_levels };
    if bytes > limit {
        return Err(too_large(digits.len() as u128));
    }
    let (shape, first) = (table.shape(), table.first());
    let mut parts = KnuthYaoParts { shape, first, precision, rows, first_levels: 0, digits };
    let plain = KnuthYaoTable::new(*law, table.bound(), parts.clone())?;
    if first_levels == 0 {
        return Ok(plain);
    }
    parts.digits.extend(plain.first_table(first_levels));
    Ok(KnuthYaoTable::new(*law, table.bound(), KnuthYaoParts { first_levels, ..parts })?)
}

/// Levels after which few walks are still going: there are fewer than n inner nodes on a level.
fn first_levels(n: usize) -> u32 {
    (n.next_power_of_two().ilog2() + 3).clamp(8, 16)
}
