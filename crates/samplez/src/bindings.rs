//! Items for the workspace's own bindings and tools: lists of methods and options, parts of streams, instruction sets. They are
//! hidden from the documentation and carry no promise of stability.

use crate::{
    CenteredBinomial, Noise, NoiseLaw, Rational, Refused, RefusedKind, TUniform, Ternary, discrete_laplace, skellam,
};

pub use crate::bulk::{AnyNoise, BLOCK, Blocks, Part, block_address};
pub use crate::method::Row;
pub use crate::options::{Kind, OptionInfo};
pub use crate::refused::rational;
pub use crate::rounding::rounding_among;
pub use crate::timing::promised;
pub use crate::words::near;
#[cfg(feature = "words")]
pub use crate::words::{
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

/// Builds the sampler of a law other than a Gaussian.
///
/// # Errors
///
/// [`Refused`] for parameters that [`NoiseLaw::bound`] rejects, and for a Gaussian, which recipes build.
///
/// ```
/// use samplez::{NoiseLaw, bindings::noise_of};
/// assert_eq!(noise_of(&NoiseLaw::TUniform { bound_log2: 3 })?.profile().support, -8..=8);
/// # Ok::<(), samplez::Refused>(())
/// ```
pub fn noise_of(law: &NoiseLaw) -> Result<Box<dyn Noise>, Refused> {
    Ok(match *law {
        NoiseLaw::CenteredBinomial { eta } => Box::new(CenteredBinomial::new(eta)?),
        NoiseLaw::TUniform { bound_log2 } => Box::new(TUniform::new(bound_log2)?),
        NoiseLaw::Ternary => Box::new(Ternary),
        NoiseLaw::Skellam { variance } => skellam(variance)?,
        NoiseLaw::DiscreteLaplace { scale } => discrete_laplace(scale)?,
        law => return Err(Refused::new("law", law, "expected a law other than a Gaussian, which recipes build")),
    })
}

/// Builds the sampler of Skellam noise of this variance, as the user spelled it: [`skellam`](crate::skellam()) with errors in that spelling.
///
/// # Errors
///
/// [`Refused`] for a text that is no number, and unless 2^-16 <= `variance` <= 2^20.
///
/// ```
/// use samplez::bindings::skellam_noise;
/// assert_eq!(skellam_noise("2.5")?.profile().target.to_string(), "Skellam(5/2)");
/// assert_eq!(
///     skellam_noise("2e6").err().unwrap().to_string(),
///     "variance = 2e6: expected a number from 2^-16 to 2^20; for a larger variance add samples",
/// );
/// # Ok::<(), samplez::Refused>(())
/// ```
pub fn skellam_noise(variance: &str) -> Result<Box<dyn Noise>, Refused> {
    let allowed = "expected a number from 2^-16 to 2^20; for a larger variance add samples";
    skellam(within("variance", variance, |variance| NoiseLaw::Skellam { variance }, 20, allowed)?)
}

/// Builds the sampler of discrete Laplace noise of this scale, as the user spelled it: [`discrete_laplace`](crate::discrete_laplace())
/// with errors in that spelling.
///
/// # Errors
///
/// [`Refused`] for a text that is no number, and unless 2^-16 <= `scale` <= 2^50.
///
/// ```
/// use samplez::bindings::laplace_noise;
/// assert_eq!(laplace_noise("1.5")?.profile().target.to_string(), "DiscreteLaplace(3/2)");
/// assert_eq!(laplace_noise("1e16").err().unwrap().to_string(), "scale = 1e16: expected a number from 2^-16 to 2^50");
/// # Ok::<(), samplez::Refused>(())
/// ```
pub fn laplace_noise(scale: &str) -> Result<Box<dyn Noise>, Refused> {
    let allowed = "expected a number from 2^-16 to 2^50";
    discrete_laplace(within("scale", scale, |scale| NoiseLaw::DiscreteLaplace { scale }, 50, allowed)?)
}

/// The number, if the law admits it: from 2^-16 to 2^`most`.
fn within(
    argument: &str,
    text: &str,
    law: impl Fn(Rational) -> NoiseLaw,
    most: i32,
    allowed: &str,
) -> Result<Rational, Refused> {
    let range = 2_f64.powi(-16)..=2_f64.powi(most);
    match rational(argument, text) {
        Ok(exact) if law(exact).bound().is_ok() => Ok(exact),
        // A number that is too long may also be out of range.
        Err(error) if error.kind() != RefusedKind::TooLong || text.parse().is_ok_and(|near| range.contains(&near)) => {
            Err(error)
        }
        _ => Err(Refused::new(argument, text, allowed).with_kind(RefusedKind::OutOfRange)),
    }
}

/// Returns the planner's order: methods, the preferred one first, each with its condition in words.
#[cfg(feature = "testing")]
pub fn order() -> impl Iterator<Item = (crate::Method, String)> {
    crate::order::ORDER.iter().map(|(method, when)| (*method, when.to_string()))
}
