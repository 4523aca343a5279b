//! Building the probability matrix of a Knuth–Yao sampler: the weights of an inversion table, by
//! columns.

use crate::cdt::{CdtOptions, build_cdt};
use crate::error::{BuildError, in_range};
use alloc::vec;
use alloc::vec::Vec;
use samplez_core::DiscreteGaussian;
use samplez_core::table::{CdtTable, Columns, KnuthYaoParts, KnuthYaoTable, MAX_FIRST_LEVELS, Shape, Table};

/// What a table may cost, how it is rounded and how it is stored.
///
/// ```
/// use samplez_core::table::Columns;
/// use samplez_tables::{CdtOptions, KnuthYaoOptions};
/// let options = KnuthYaoOptions::default();
/// assert_eq!((options.cdt, options.columns, options.first_levels), (CdtOptions::default(), Columns::Compact, None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnuthYaoOptions {
    /// Precision, rounding, and the most memory that an inversion table of the same law, and the
    /// matrix itself, may take.
    pub cdt: CdtOptions,
    /// How the columns are stored.
    pub columns: Columns,
    /// The number g of levels in the first table, whose size is 4·2^g bytes: 0 to 16, and at
    /// most the precision. 0 is the plain walk; `None` chooses by the number of rows.
    pub first_levels: Option<u32>,
}

impl Default for KnuthYaoOptions {
    /// Compact, with a first table.
    fn default() -> Self {
        KnuthYaoOptions { cdt: CdtOptions::default(), columns: Columns::Compact, first_levels: None }
    }
}

/// The matrix of the weights of the inversion table that [`build_cdt`] makes, with its bound: the same
/// law.
///
/// # Errors
///
/// [`BuildError`].
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::DiscreteGaussian;
/// use samplez_core::table::Columns;
/// use samplez_tables::{CdtOptions, KnuthYaoOptions, build_cdt, build_knuth_yao};
/// let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
/// let compact = build_knuth_yao(&law, &KnuthYaoOptions::default())?;
/// let options = KnuthYaoOptions { columns: Columns::Packed, ..KnuthYaoOptions::default() };
/// let packed = build_knuth_yao(&law, &options)?;
/// assert!(compact.bytes() < packed.bytes());
/// assert_eq!(compact.bound(), build_cdt(&law, &CdtOptions::default())?.bound());
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
    let matrix = 4 * u128::from(precision) * rows.div_ceil(32) as u128;
    let bytes = matrix + if first_levels == 0 { 0 } else { 4 << first_levels };
    let limit = options.cdt.max_bytes;
    let target = Some(*law);
    let refused = BuildError::TooLarge { target, what: "the matrix", precision: None, bytes, limit };
    // Columns are told apart by their offset in bits, 32 bits wide.
    if bytes > limit.into() || matrix >= 1 << 29 {
        return Err(refused);
    }
    let packed = pack(&table).ok_or(refused)?;
    let digits = match options.columns {
        Columns::Packed => packed,
        Columns::Compact => compact(&packed, rows, precision, table.shape()),
    };
    let (shape, first, columns) = (table.shape(), table.first(), options.columns);
    let mut parts = KnuthYaoParts { shape, first, precision, rows, columns, first_levels: 0, digits };
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

/// The columns of the table's weights, a bit for each row.
fn pack(table: &CdtTable<Vec<u32>>) -> Option<Vec<u32>> {
    let (len, precision) = (table.len(), table.precision() as usize);
    let each = precision.div_ceil(32);
    let words = (len + 1).div_ceil(32);
    let mut columns = Vec::new();
    columns.try_reserve_exact(words * precision).ok()?;
    columns.resize(words * precision, 0_u32);
    let (heads, tails) = table.digits().split_at(len);
    let digit = |j: usize, i: usize| match (j.checked_sub(1).filter(|j| *j < len), i) {
        (None, _) => 0, // T_0 = 2^B, of which the difference takes nothing but the carry; T_(n+1) = 0
        (Some(j), 0) => heads[j],
        (Some(j), i) => tails[j * (each - 1) + i - 1],
    };
    for row in 0..=len {
        // W = T_row - T_(row + 1), left-aligned, from the last digit up.
        let mut borrow = false;
        for i in (0..each).rev() {
            let (difference, below) = digit(row, i).overflowing_sub(digit(row + 1, i));
            let (difference, under) = difference.overflowing_sub(u32::from(borrow));
            borrow = below || under;
            for place in 0..32.min(precision - 32 * i) {
                let bit = difference >> (31 - place) & 1;
                columns[(32 * i + place) * words + row / 32] |= bit << (row % 32);
            }
        }
    }
    Some(columns)
}

/// The same columns without the zeros at their ends.
fn compact(packed: &[u32], rows: usize, precision: u32, shape: Shape) -> Vec<u32> {
    let words = rows.div_ceil(32);
    let (mut offsets, mut firsts, mut bits) = (vec![0], Vec::new(), Vec::new());
    let mut at = 0;
    for column in packed.chunks_exact(words).take(precision as usize) {
        let is_set = |row: &usize| column[row / 32] >> (row % 32) & 1 != 0;
        let first = (0..rows).find(is_set).filter(|_| shape == Shape::Full).unwrap_or(0);
        let end = (0..rows).rev().find(is_set).map_or(first, |last| last + 1);
        for row in first..end {
            if at % 32 == 0 {
                bits.push(0_u32);
            }
            if let Some(word) = bits.last_mut() {
                *word |= u32::from(is_set(&row)) << (at % 32);
            }
            at += 1;
        }
        offsets.push(at as u32);
        firsts.push(first as u32);
    }
    if shape == Shape::Full {
        offsets.extend(firsts);
    }
    offsets.extend(bits);
    offsets
}
