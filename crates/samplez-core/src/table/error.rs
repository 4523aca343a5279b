//! Why the parts of a table are rejected.

use crate::params::{ParamError, Rational};
use core::fmt;

/// The most levels of a convolution; it adds up 2^levels base samples.
pub const MAX_LEVELS: usize = 4;

/// Samples of a batch.
pub(crate) const LAZY_BATCH: usize = 2048;

/// The most thresholds of a [`LazyTable`](super::LazyTable).
pub const MAX_LAZY_THRESHOLDS: usize = 4095;

/// The most slots: a rank among them is a byte.
pub(crate) const MAX_LAZY_SLOTS: usize = 240;

/// Why digits, words or parts do not form a table.
///
/// ```
/// use samplez_core::table::TableError;
/// assert_eq!(TableError::NotDescending { index: 3 }.to_string(), "threshold 3 is above threshold 2");
/// assert_eq!(TableError::Levels { levels: 5 }.to_string(), "levels: got 5, expected 1 to 4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableError {
    /// A parameter is out of range, or the method does not allow the distribution.
    Param(ParamError),
    /// The number of digits is not a positive multiple of ⌈precision/32⌉.
    Digits {
        /// The number of digits given.
        digits: usize,
        /// Digits of a threshold.
        per_threshold: usize,
    },
    /// The number of digits, words or bytes differs from the number that the other parts require.
    Length {
        /// The name of the part.
        part: &'static str,
        /// The number given.
        given: usize,
        /// The unit after a space, or nothing if `part` names it.
        unit: &'static str,
        /// The number required.
        expected: usize,
    },
    /// Bits below the precision are set.
    LooseBits {
        /// A threshold, an entry, or a height; the densities of a Ziggurat follow the rectangles' heights.
        entry: &'static str,
        /// Its index: of thresholds from 1, otherwise from 0.
        index: usize,
    },
    /// An entry of the index table, or a byte of the lazy parts, does not follow from the table.
    Entry {
        /// The entry as the message names it.
        entry: &'static str,
        /// Its index, from 0.
        index: usize,
    },
    /// A value of the support is not an `i64`.
    Support {
        /// A table or a convolution.
        of: &'static str,
    },
    /// A threshold is above its predecessor.
    NotDescending {
        /// Its index, from 1.
        index: usize,
    },
    /// The number of levels of a convolution is not 1 to 4.
    Levels {
        /// The number given.
        levels: usize,
    },
    /// The pair is not coprime, of numbers from 1 to 2^32 - 1 whose squares' sum is below 2^64.
    Legs {
        /// Its level, from 1.
        level: usize,
    },
    /// The centre of a convolution is not an integer.
    Center {
        /// The centre.
        center: Rational,
    },
    /// The base table is not folded, is not centred at 0, or its width is not the target's divided by all M.
    Base,
    /// The number of entries of an index table is not 2^g with 1 <= g <= `max`.
    GuideLength {
        /// The number of entries.
        entries: usize,
        /// The largest g: 26, or the bits of the table's first draw if these are fewer.
        max: u32,
    },
    /// The table has 2^31 thresholds or more, too many for an index table.
    GuideThresholds {
        /// Their number.
        thresholds: usize,
    },
    /// The table has more than [`MAX_LAZY_THRESHOLDS`], too many for lazy parts.
    LazyThresholds {
        /// Their number.
        thresholds: usize,
    },
    /// So many samples of a lazy batch are open that more than 240 slots would be necessary.
    Open {
        /// A sample is open with probability 2^-`open_bits`.
        open_bits: u32,
    },
    /// The table has more thresholds than bytes can count, too many for pooled levels.
    PooledThresholds {
        /// Their number.
        thresholds: usize,
        /// The most: 127 (folded) or 254 (full).
        most: usize,
    },
    /// So many draws of a level are open that its pool would need more than 240 entries.
    PooledOpen {
        /// The level, from 1.
        level: usize,
    },
    /// The offsets of a Knuth–Yao matrix fall, or a column has bits beyond the rows.
    Column {
        /// The column, from 0.
        column: u32,
    },
    /// The probabilities do not add up to 1: down to this column there are too many ones, or too few for the rest.
    Tree {
        /// The column, from 0.
        column: u32,
    },
    /// An entry of the first table is not where the Knuth–Yao walk leads.
    FirstTable {
        /// Its index.
        index: usize,
    },
    /// A range of the Ziggurat's chord exceeds the rectangles.
    Chord,
    /// The right edges do not begin with 0, fall, or exceed 2^24.
    Edges {
        /// The index of the edge.
        index: usize,
    },
    /// A height of a Ziggurat is not below its predecessor.
    Heights {
        /// The index of the predecessor.
        index: usize,
    },
    /// y_0 is within 2^-62 of 2, and y_1 below 2^-63.
    TooHigh,
    /// The constant log2(e)/(2σ²) is 0.
    Constant,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Param(error) => error.fmt(f),
            Self::Digits { digits, per_threshold } => {
                write!(f, "digits: got {digits}, expected a positive multiple of {per_threshold}")
            }
            Self::Length { part, given, unit, expected } => write!(f, "{part}: got {given}{unit}, expected {expected}"),
            Self::LooseBits { entry, index } => write!(f, "{entry} {index} has bits set below the precision"),
            Self::Entry { entry, index } => write!(f, "{entry} {index} does not fit the table"),
            Self::Support { of } => write!(f, "the {of}'s support exceeds the range of i64"),
            Self::NotDescending { index } => write!(f, "threshold {index} is above threshold {}", index - 1),
            Self::Levels { levels } => write!(f, "levels: got {levels}, expected 1 to {MAX_LEVELS}"),
            Self::Legs { level } => {
                write!(f, "level {level}: expected coprime legs from 1 to 2^32 - 1, the sum of their squares below 2^64")
            }
            Self::Center { center } => write!(f, "center = {center}: a convolution allows an integer center"),
            Self::Base => f.write_str(
                "the base table must be folded and centred at 0, and its width must be the target's divided by the levels' widths",
            ),
            Self::GuideLength { entries, max } => {
                write!(f, "guide: got {entries} entries, expected a power of two from 2 to 2^{max}")
            }
            Self::GuideThresholds { thresholds } => {
                write!(f, "guide: the table has {thresholds} thresholds, expected fewer than 2^31")
            }
            Self::LazyThresholds { thresholds } => {
                write!(f, "thresholds = {thresholds}: expected a number between 1 and {MAX_LAZY_THRESHOLDS}")
            }
            Self::Open { open_bits } => write!(
                f,
                "parts: a sample of this table stays open with probability 2^-{open_bits}, and {LAZY_BATCH} of them need \
                 more than the {MAX_LAZY_SLOTS} slots allowed"
            ),
            Self::PooledThresholds { thresholds, most } => {
                write!(f, "thresholds = {thresholds}: expected a number between 1 and {most}")
            }
            Self::PooledOpen { level } => write!(
                f,
                "parts: level {level} leaves so many draws of this table open that a pool would need more than the \
                 {MAX_LAZY_SLOTS} entries allowed"
            ),
            Self::Column { column } => write!(f, "column {column} does not fit the rows or its neighbour"),
            Self::Tree { column } => write!(f, "the probabilities do not add up to 1: seen at column {column}"),
            Self::FirstTable { index } => write!(f, "entry {index} of the first table is not where the walk leads"),
            Self::Chord => f.write_str("chord: accept_to and reject_after must be at most the number of rectangles"),
            Self::Edges { index } => {
                write!(f, "edge {index}: edges must begin with 0, then be positive, not fall, and be at most 2^24")
            }
            Self::Heights { index } => write!(f, "height {} is not below height {index}", index + 1),
            Self::TooHigh => f.write_str("the first rectangle is nearly 2 high: 2 - y_0 + y_1 must be above 2^-62"),
            Self::Constant => f.write_str("the constant log2(e)/(2 sigma^2) is 0"),
        }
    }
}

impl core::error::Error for TableError {}

impl From<ParamError> for TableError {
    fn from(error: ParamError) -> Self {
        TableError::Param(error)
    }
}

#[cfg(test)]
mod tests {
    use super::TableError::*;
    use crate::params::{ParamError, Rational};
    use std::string::ToString;

    #[test]
    fn messages_name_the_place_and_what_is_allowed() {
        for (error, message) in [
            (
                ParamError::OutOfRange { argument: "precision", value: 300, min: 1, max: 256 }.into(),
                "precision = 300: expected a number between 1 and 256",
            ),
            (Digits { digits: 3, per_threshold: 2 }, "digits: got 3, expected a positive multiple of 2"),
            (Length { part: "digits", given: 3, unit: "", expected: 4 }, "digits: got 3, expected 4"),
            (Length { part: "digits", given: 3, unit: " words", expected: 4 }, "digits: got 3 words, expected 4"),
            (LooseBits { entry: "threshold", index: 5 }, "threshold 5 has bits set below the precision"),
            (
                Entry { entry: "guide: the entry of cell", index: 4 },
                "guide: the entry of cell 4 does not fit the table",
            ),
            (Entry { entry: "parts: byte", index: 3 }, "parts: byte 3 does not fit the table"),
            (Support { of: "convolution" }, "the convolution's support exceeds the range of i64"),
            (NotDescending { index: 5 }, "threshold 5 is above threshold 4"),
            (Levels { levels: 9 }, "levels: got 9, expected 1 to 4"),
            (
                Legs { level: 2 },
                "level 2: expected coprime legs from 1 to 2^32 - 1, the sum of their squares below 2^64",
            ),
            (Center { center: Rational::new(1, 3).unwrap() }, "center = 1/3: a convolution allows an integer center"),
            (
                Base,
                "the base table must be folded and centred at 0, and its width must be the target's divided by the levels' widths",
            ),
            (GuideLength { entries: 3, max: 20 }, "guide: got 3 entries, expected a power of two from 2 to 2^20"),
            (GuideThresholds { thresholds: 9 }, "guide: the table has 9 thresholds, expected fewer than 2^31"),
            (LazyThresholds { thresholds: 0 }, "thresholds = 0: expected a number between 1 and 4095"),
            (
                Open { open_bits: 3 },
                "parts: a sample of this table stays open with probability 2^-3, and 2048 of them need more than the 240 slots allowed",
            ),
            (PooledThresholds { thresholds: 128, most: 127 }, "thresholds = 128: expected a number between 1 and 127"),
            (
                PooledOpen { level: 2 },
                "parts: level 2 leaves so many draws of this table open that a pool would need more than the 240 entries allowed",
            ),
            (Column { column: 3 }, "column 3 does not fit the rows or its neighbour"),
            (Tree { column: 3 }, "the probabilities do not add up to 1: seen at column 3"),
            (FirstTable { index: 3 }, "entry 3 of the first table is not where the walk leads"),
            (Chord, "chord: accept_to and reject_after must be at most the number of rectangles"),
            (Edges { index: 3 }, "edge 3: edges must begin with 0, then be positive, not fall, and be at most 2^24"),
            (Heights { index: 3 }, "height 4 is not below height 3"),
            (TooHigh, "the first rectangle is nearly 2 high: 2 - y_0 + y_1 must be above 2^-62"),
            (Constant, "the constant log2(e)/(2 sigma^2) is 0"),
        ] {
            assert_eq!(error.to_string(), message);
        }
    }
}
