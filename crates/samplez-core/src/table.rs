//! Views of tables, with the law that each aims at and the certified distance from it. The digits may be in a
//! `static`, in a vector or in foreign memory.

mod bernoulli;
mod cdt;
mod convolution;
mod direct;
mod error;
mod guided;
mod knuth_yao;
mod lazy;
mod pooled;
mod rejection;
mod split;
mod ziggurat;

pub use bernoulli::BernoulliTable;
pub use cdt::{CdtTable, Shape};
pub use convolution::{ConvolutionTable, narrowed_by, norm};
pub(crate) use direct::{Cells, Direct};
pub(crate) use error::{LAZY_BATCH, MAX_LAZY_SLOTS};
pub use error::{MAX_LAZY_THRESHOLDS, MAX_LEVELS, TableError};
pub use guided::{GuidedTable, MAX_GUIDE_BITS};
pub(crate) use knuth_yao::{Entry, KNOWN_LEVELS, Leaf, Step};
pub use knuth_yao::{KnuthYaoParts, KnuthYaoTable, MAX_FIRST_LEVELS};
pub use lazy::LazyTable;
pub(crate) use lazy::{LAZY_ROW, MAX_FINE_DIGITS};
pub use pooled::PooledTable;
pub(crate) use pooled::{MAX_POOL, MAX_POOLED_ROWS, Pools};
pub use rejection::RejectionTable;
pub(crate) use split::Levels;
pub use ziggurat::{Chord, MAX_COLUMNS, ZigguratParts, ZigguratTable};
pub(crate) use ziggurat::{Height, LIMBS};

use crate::params::DiscreteGaussian;
use crate::profile::Bound;
use core::ops::RangeInclusive;

/// The properties of every table.
pub trait Table {
    /// Returns the distribution aimed at.
    fn target(&self) -> &DiscreteGaussian;

    /// Returns the certified distance from it.
    fn bound(&self) -> Bound;

    /// Returns the range of possible values.
    fn support(&self) -> RangeInclusive<i64>;

    /// Returns the memory of the digits, in bytes.
    fn bytes(&self) -> usize;
}

/// The largest precision of a table, in bits.
pub const MAX_PRECISION: u32 = 256;
/// The default precision of a table, in bits.
pub const DEFAULT_PRECISION: u32 = 128;
