//! Items for the workspace's own bindings and tools: lists of methods and options, parts of streams, instruction sets. They are
//! hidden from the documentation and carry no promise of stability.

pub use crate::bulk::{AnyNoise, BLOCK, Blocks, Part, block_address};
pub use crate::law::{LawInfo, LawRange};
pub use crate::method::Row;
pub use crate::options::{Kind, OptionInfo};
pub use crate::refused::rational;
pub use crate::rounding::rounding_among;
pub use crate::samples::{SamplerNumber, ShortFills};
pub use crate::timing::promised;
pub use crate::words::near;
#[cfg(feature = "words")]
pub use crate::words::{
    meant,
    table::{WORDS, Word},
    way_out,
};
pub use samplez_core::Slots;
#[cfg(feature = "rand")]
pub use samplez_core::SupportError;
pub use samplez_core::arch::{Backend, Kernel};
pub use samplez_core::bits::{Latch, Latched};
#[cfg(feature = "testing")]
pub use samplez_core::testing::{Counted, mark_public};
pub use samplez_sources::{ParseSeedError, UnknownSource};

/// Returns the planner's order: methods, the preferred one first, each with its condition in words.
#[cfg(feature = "testing")]
pub fn order() -> impl Iterator<Item = (crate::Method, String)> {
    crate::order::ORDER.iter().map(|(method, when)| (*method, when.to_string()))
}
