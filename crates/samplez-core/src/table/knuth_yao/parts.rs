//! What a Knuth–Yao table is made of, and why parts can be refused.

use crate::params::ParamError;
use crate::table::Shape;
use core::fmt;

/// The most levels that the first table of a walk can hold.
pub const MAX_FIRST_LEVELS: u32 = 16;

/// How a [`KnuthYaoTable`](super::KnuthYaoTable) stores its columns.
///
/// ```
/// use samplez_core::table::Columns;
/// assert_ne!(Columns::Packed, Columns::Compact);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns {
    /// Every column has a bit for every row.
    Packed,
    /// Every column has the bits from its first one to its last one.
    Compact,
}

/// What a [`KnuthYaoTable`](super::KnuthYaoTable) is made of.
///
/// ```
/// use samplez_core::table::{Columns, KnuthYaoParts, Shape};
/// // P(0) = 0.10, P(±1) = P(±2) = 0.01 in binary: row 0 in the first column, 1 and 2 in the second.
/// let parts = KnuthYaoParts { shape: Shape::Folded, first: 0, precision: 2, rows: 3, columns: Columns::Packed,
///     first_levels: 0, digits: [0b001, 0b110] };
/// assert_eq!(parts.rows, 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnuthYaoParts<S> {
    /// The layout of the line: row j means `first + j` (`Full`) or `first ± j` (`Folded`).
    pub shape: Shape,
    /// The value of row 0.
    pub first: i64,
    /// The number B of columns, 1 to 256.
    pub precision: u32,
    /// The number of rows, 2 to 2^26 - 1.
    pub rows: usize,
    /// How the columns are stored.
    pub columns: Columns,
    /// The number g of levels that the first table holds, 0 (no table) to min(16, B).
    pub first_levels: u32,
    /// The columns, then the first table, as the documentation of [`KnuthYaoTable`](super::KnuthYaoTable) says.
    pub digits: S,
}

/// Why parts do not form a [`KnuthYaoTable`](super::KnuthYaoTable).
///
/// ```
/// use samplez_core::table::KnuthYaoError;
/// assert!(KnuthYaoError::Tree { column: 3 }.to_string().contains("column 3"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KnuthYaoError {
    /// Precision, rows or first levels are out of range.
    Range(ParamError),
    /// The number of words is not what the parts say.
    Length {
        /// Words given.
        words: usize,
        /// Words wanted.
        wanted: usize,
    },
    /// The offsets fall, or a column has bits beyond the rows.
    Column {
        /// The column, from 0.
        column: u32,
    },
    /// The probabilities do not add up to 1: down to this column there are too many ones, or
    /// too few for what is left.
    Tree {
        /// The column, from 0.
        column: u32,
    },
    /// An entry of the first table is not where the walk leads.
    FirstTable {
        /// Its index.
        index: usize,
    },
    /// A value of the support is not an `i64`.
    Support,
}

impl fmt::Display for KnuthYaoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range(error) => error.fmt(f),
            Self::Length { words, wanted } => write!(f, "digits: got {words} words, must be {wanted}"),
            Self::Column { column } => write!(f, "column {column} does not fit the rows or its neighbour"),
            Self::Tree { column } => write!(f, "the probabilities do not add up to 1: seen at column {column}"),
            Self::FirstTable { index } => write!(f, "entry {index} of the first table is not where the walk leads"),
            Self::Support => f.write_str("the table's support exceeds the range of i64"),
        }
    }
}

impl core::error::Error for KnuthYaoError {}
