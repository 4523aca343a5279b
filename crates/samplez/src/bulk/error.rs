//! Why a fill failed.

use crate::narrow::NarrowType;
use samplez_core::RangeError;
use samplez_core::bits::Failure;
use samplez_sources::EntropyError;
use std::fmt;

/// The error of a fill. If the source failed, the output is all zeros. Otherwise it is unspecified.
///
/// ```
/// use samplez::{Bulk, Recipe, Seed, Source};
/// let sampler = "sigma=1000".parse::<Recipe>()?.build()?.into_sampler();
/// let bulk = Bulk::new(&*sampler, Source::ChaCha20, Seed::from_bytes([0; 32]));
/// let e = bulk.fill(0, &mut [0_i8; 100]).unwrap_err();
/// assert!(e.to_string().starts_with("output type = i8: the samples range from "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum FillError {
    /// The output type is too narrow for the distribution. Nothing was drawn, and the output is as it was.
    Narrow(Box<NarrowType>),
    /// A sample does not fit the output type.
    Range(RangeError),
    /// The source failed, or is stuck.
    Entropy(Failure<EntropyError>),
    /// The last address, `first` + `len` - 1, is not below 2^64.
    Address {
        /// The address asked for.
        first: u64,
        /// The number of samples asked for.
        len: u64,
    },
    /// The last address of the block, (`index` + 1)·`len` - 1, is not below 2^64.
    Block {
        /// The block asked for.
        index: u64,
        /// The samples of a block.
        len: u64,
    },
    /// The progress callback returned false.
    Stopped,
}

impl fmt::Display for FillError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FillError::Narrow(e) => e.fmt(f),
            FillError::Range(e) => e.fmt(f),
            FillError::Entropy(e) => e.fmt(f),
            FillError::Address { first, len } => {
                write!(f, "first = {first}: expected at most {} with {len} samples", len.wrapping_neg())
            }
            FillError::Block { index, len } => {
                write!(f, "index = {index}: expected a last address below 2^64, with blocks of {len} samples")
            }
            FillError::Stopped => f.write_str("stopped on request"),
        }
    }
}

impl std::error::Error for FillError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            FillError::Narrow(e) => e.source(),
            FillError::Range(e) => e.source(),
            FillError::Entropy(e) => e.source(),
            FillError::Address { .. } | FillError::Block { .. } | FillError::Stopped => None,
        }
    }
}

impl From<RangeError> for FillError {
    fn from(e: RangeError) -> Self {
        FillError::Range(e)
    }
}

impl From<Box<NarrowType>> for FillError {
    fn from(e: Box<NarrowType>) -> Self {
        FillError::Narrow(e)
    }
}
