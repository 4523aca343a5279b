//! The parts of a Knuth–Yao table.

use crate::table::Shape;

/// The most levels that the first table of a walk can hold.
pub const MAX_FIRST_LEVELS: u32 = 16;

/// The parts of a [`KnuthYaoTable`](super::KnuthYaoTable).
///
/// ```
/// use samplez_core::table::{KnuthYaoParts, Shape};
/// // P(0) = 0.10, P(±1) = P(±2) = 0.01 in binary: row 0 in the first column, 1 and 2 in the second.
/// // The columns begin at bits 0 and 1, and end at 4; a block, with its ranks and 4 bits; 3 ones; two hints.
/// let mut digits = [0; 25];
/// digits[..7].copy_from_slice(&[0, 1, 4, 0, 0x180c_0603, 0x00c0_6030, 0b1101]);
/// digits[22..].copy_from_slice(&[3, 2, 0]);
/// let parts = KnuthYaoParts { shape: Shape::Folded, first: 0, precision: 2, rows: 3, first_levels: 0, digits };
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
    /// The number g of levels that the first table holds, 0 (no table) to min(16, B).
    pub first_levels: u32,
    /// The columns, then the first table, in the form that [`KnuthYaoTable`](super::KnuthYaoTable) documents.
    pub digits: S,
}
