//! Tables, as views: digits that live in a static, in a builder's vector or in foreign memory,
//! with the law they aim at and their certified distance from it. One file for each kind.

mod bernoulli;
mod cdt;
mod convolution;
mod guided;
mod knuth_yao;
mod lazy;
mod rejection;
mod select;
mod ziggurat;

pub use bernoulli::{BernoulliError, BernoulliTable};
pub use cdt::{CdtTable, Shape};
pub use convolution::{ConvolutionError, ConvolutionTable, MAX_LEVELS, hypotenuse, narrowed_by, norm};
pub(crate) use guided::SHARED;
pub use guided::{GuideError, GuidedTable, MAX_GUIDE_BITS};
pub use knuth_yao::{Columns, KnuthYaoError, KnuthYaoParts, KnuthYaoTable, MAX_FIRST_LEVELS};
pub(crate) use knuth_yao::{Entry, KNOWN_LEVELS, Step};
pub use lazy::{LAZY_BATCH, LazyError, LazyTable, MAX_LAZY_THRESHOLDS};
pub(crate) use lazy::{LAZY_ROW, Levels, MAX_FINE_DIGITS, MAX_LAZY_SLOTS, conditioned};
pub use rejection::RejectionTable;
pub use ziggurat::{Chord, Height, LIMBS, MAX_COLUMNS, ZigguratError, ZigguratParts, ZigguratTable};

use crate::params::{DiscreteGaussian, ParamError};
use crate::profile::Bound;
use core::fmt;
use core::ops::RangeInclusive;

/// What every table says of itself.
pub trait Table {
    /// The distribution aimed at.
    fn target(&self) -> &DiscreteGaussian;

    /// The certified distance from it.
    fn bound(&self) -> Bound;

    /// The values that can come out.
    fn support(&self) -> RangeInclusive<i64>;

    /// The memory of the digits, in bytes.
    fn bytes(&self) -> usize;
}

/// The largest precision of a table, in bits.
pub const MAX_PRECISION: u32 = 256;

/// Why digits do not form a [`CdtTable`].
///
/// ```
/// use samplez_core::table::TableError;
/// assert!(TableError::NotDescending { index: 3 }.to_string().contains("threshold 3"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableError {
    /// The precision is out of range.
    Precision(ParamError),
    /// The number of digits is not a positive multiple of ⌈precision/32⌉.
    Length {
        /// The number of digits given.
        digits: usize,
        /// Digits a threshold takes.
        per_threshold: usize,
    },
    /// A threshold is above its predecessor.
    NotDescending {
        /// Its index, from 1.
        index: usize,
    },
    /// Bits below the precision are set.
    LooseBits {
        /// The threshold's index, from 1.
        index: usize,
    },
    /// A value of the support is not an `i64`.
    Support,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Precision(e) => e.fmt(f),
            Self::Length { digits, per_threshold } => {
                write!(f, "digits: got {digits}, must be a positive multiple of {per_threshold}")
            }
            Self::NotDescending { index } => write!(f, "threshold {index} is above threshold {}", index - 1),
            Self::LooseBits { index } => write!(f, "threshold {index} has bits set below the precision"),
            Self::Support => f.write_str("the table's support exceeds the range of i64"),
        }
    }
}

impl core::error::Error for TableError {}
