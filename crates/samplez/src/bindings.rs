//! Items for bindings and tools beyond the crate's root: lists of methods and options, parts of streams, instruction
//! sets.

use crate::finite::{CenteredBinomial, TUniform, Ternary};
use crate::{Noise, NoiseLaw, Refused};

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

/// Builds the sampler of a finite law.
///
/// # Errors
///
/// [`Refused`] for parameters that no sampler of [`finite`](crate::finite) has, for a Gaussian, which recipes build, and for Skellam,
/// which [`skellam`](crate::skellam()) builds.
///
/// ```
/// use samplez::{NoiseLaw, bindings::finite_noise};
/// assert_eq!(finite_noise(&NoiseLaw::TUniform { bound_log2: 3 })?.profile().support, -8..=8);
/// # Ok::<(), samplez::Refused>(())
/// ```
pub fn finite_noise(law: &NoiseLaw) -> Result<Box<dyn Noise>, Refused> {
    Ok(match *law {
        NoiseLaw::CenteredBinomial { eta } => Box::new(CenteredBinomial::new(eta)?),
        NoiseLaw::TUniform { bound_log2 } => Box::new(TUniform::new(bound_log2)?),
        NoiseLaw::Ternary => Box::new(Ternary),
        law => {
            return Err(Refused::new(
                "law",
                law,
                "expected a finite law; a recipe builds a Gaussian, and samplez::skellam Skellam noise",
            ));
        }
    })
}

/// Returns the planner's order: methods, the preferred one first, each with its condition in words.
#[cfg(feature = "testing")]
pub fn order() -> impl Iterator<Item = (crate::Method, String)> {
    crate::order::ORDER.iter().map(|(method, when)| (*method, when.to_string()))
}
