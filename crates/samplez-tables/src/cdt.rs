//! Building the table of a CDT sampler.

use alloc::vec::Vec;
use core::fmt;
use samplez_core::params::{DiscreteGaussian, ParamError};
use samplez_core::table::CdtTable;

/// How probabilities become integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rounding {
    /// Every entry but the mode rounded down, the mode gets the rest.
    #[default]
    Floor,
    /// Every threshold rounded to the nearest integer, as many published tables are.
    Nearest,
}

/// What a table may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CdtOptions {
    /// The precision B in bits, 1 to 256.
    pub precision: u32,
    /// The most memory that the table's digits may take.
    pub max_bytes: u64,
    /// How probabilities become integers.
    pub rounding: Rounding,
}

impl Default for CdtOptions {
    fn default() -> Self {
        CdtOptions { precision: 128, max_bytes: 1 << 30, rounding: Rounding::Floor }
    }
}

/// Why a table cannot be built.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum BuildError {
    /// The precision is out of range.
    Precision(ParamError),
    /// The table would exceed the memory allowed, or the memory there is.
    TooLarge {
        /// The law aimed at.
        target: DiscreteGaussian,
        /// The size of the table in bytes.
        bytes: u128,
        /// The limit in bytes.
        limit: u64,
    },
    /// A value of the support is not an `i64`.
    Support,
}

impl fmt::Display for BuildError {
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        todo!()
    }
}

impl core::error::Error for BuildError {}

/// The inversion table of the law.
pub fn build(_law: &DiscreteGaussian, _options: &CdtOptions) -> Result<CdtTable<Vec<u32>>, BuildError> {
    todo!()
}
