//! What bindings and tools need beyond the crate's root: lists of methods and options, parts of streams, instruction sets.

pub use crate::bulk::{AnyNoise, BLOCK, Blocks, Part, block_address};
pub use crate::method::Row;
pub use crate::options::{Kind, OptionInfo};
pub use crate::plan::NoMethod;
pub use samplez_core::arch::{Backend, Kernel};
pub use samplez_core::bits::Latched;
#[cfg(feature = "rand")]
pub use samplez_core::distribution::SupportError;
pub use samplez_core::sampler::Slots;
#[cfg(feature = "testing")]
pub use samplez_core::testing::Counted;
pub use samplez_sources::{ParseSeedError, UnknownSource};
