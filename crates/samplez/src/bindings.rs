//! Items for bindings and tools beyond the crate's root: lists of methods and options, parts of streams, instruction
//! sets.

pub use crate::bulk::{AnyNoise, BLOCK, Blocks, Part, block_address};
pub use crate::method::Row;
pub use crate::options::{Kind, OptionInfo};
pub use crate::plan::NoMethod;
pub use crate::rounding::rounding_among;
pub use samplez_core::Slots;
#[cfg(feature = "rand")]
pub use samplez_core::SupportError;
pub use samplez_core::arch::{Backend, Kernel};
pub use samplez_core::bits::Latched;
#[cfg(feature = "testing")]
pub use samplez_core::testing::{Counted, mark_public};
pub use samplez_sources::{ParseSeedError, UnknownSource};

/// Returns the planner's order: methods, the preferred one first, each with its condition in words.
#[cfg(feature = "testing")]
pub fn order() -> impl Iterator<Item = (crate::Method, String)> {
    crate::order::ORDER.iter().map(|(method, when)| (*method, when.to_string()))
}
