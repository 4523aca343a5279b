//! The arguments of laws that are no Gaussian.

use super::recipe::RecipeArgs;
use crate::failure::Failure;
use clap::Args;
use samplez::{NoiseLaw, ParseRationalError, Rational};

const HEADING: &str = "Distribution, instead of a Gaussian";

/// A law that is no Gaussian.
#[derive(Args)]
#[group(id = "finite", multiple = false)]
pub(crate) struct Finite {
    /// Uniform on -1, 0 and 1
    #[arg(long, help_heading = HEADING)]
    ternary: bool,
    /// The centred binomial CBD(ETA): the sum of ETA fair bits minus the sum of as many others. ETA is from 1 to 32
    #[arg(long, value_name = "ETA", value_parser = eta, allow_hyphen_values = true, help_heading = HEADING)]
    centered_binomial: Option<u32>,
    /// TUniform(B) of TFHE: uniform on -2^B to 2^B, with half the mass at each end. B is from 0 to 62
    #[arg(long, value_name = "B", value_parser = bound, allow_hyphen_values = true, help_heading = HEADING)]
    tuniform: Option<u32>,
    /// Skellam noise of this variance, the difference of two Poisson variables. VARIANCE is a number from 2^-16 to 2^20, for verify
    /// and plot to 2^26
    #[arg(long, value_name = "VARIANCE", value_parser = variance, allow_hyphen_values = true, help_heading = HEADING)]
    skellam: Option<Rational>,
    /// Discrete Laplace noise of this scale: P(x) is proportional to exp(-|x|/SCALE). SCALE is a number from 2^-16 to 2^50
    #[arg(long, value_name = "SCALE", value_parser = scale, allow_hyphen_values = true, help_heading = HEADING)]
    laplace: Option<Rational>,
}

impl Finite {
    /// The law, if one is given. The recipe is then empty.
    pub(crate) fn law<const L: bool, const O: bool, const M: bool>(
        &self,
        recipe: &RecipeArgs<L, O, M>,
    ) -> Result<Option<NoiseLaw>, Failure> {
        let (said, law) = match *self {
            Finite { ternary: true, .. } => ("--ternary".into(), NoiseLaw::Ternary),
            Finite { centered_binomial: Some(eta), .. } => {
                (format!("--centered-binomial {eta}"), NoiseLaw::CenteredBinomial { eta })
            }
            Finite { tuniform: Some(b), .. } => (format!("--tuniform {b}"), NoiseLaw::TUniform { bound_log2: b }),
            Finite { skellam: Some(variance), .. } => (format!("--skellam {variance}"), NoiseLaw::Skellam { variance }),
            Finite { laplace: Some(scale), .. } => (format!("--laplace {scale}"), NoiseLaw::DiscreteLaplace { scale }),
            _ => return Ok(None),
        };
        alone(&said, recipe).map(|()| Some(law))
    }
}

/// Refuses a Gaussian's arguments if another law is named.
pub(crate) fn alone<const L: bool, const O: bool, const M: bool>(
    said: &str,
    recipe: &RecipeArgs<L, O, M>,
) -> Result<(), Failure> {
    recipe.first().map_or(Ok(()), |other| {
        Err(Failure::input(
            said,
            format!("{other} belongs to a Gaussian, and this law has a sampler of its own; leave out one of them"),
        ))
    })
}

/// Refuses a law that can be judged and not sampled.
pub(crate) fn sampled(law: &NoiseLaw) -> Result<(), Failure> {
    match law {
        NoiseLaw::Skellam { variance } if law.bound().is_err() => Err(Failure::input(
            &format!("--skellam {variance}"),
            "expected a number from 2^-16 to 2^20; beyond, add samples: their variances add",
        )),
        _ => Ok(()),
    }
}

fn eta(text: &str) -> Result<u32, String> {
    whole(text, 1, 32, "such as 2 for ML-KEM-768 or 21 for Microsoft SEAL")
}

fn bound(text: &str) -> Result<u32, String> {
    whole(text, 0, 62, "the binary logarithm of the largest value")
}

/// The number, or 0 in place of one that is too long and not from 2^-16 to `most`: both are out of range.
fn number(text: &str, most: f64) -> Result<Rational, String> {
    text.parse().or_else(|error| match text.parse::<f64>() {
        Ok(value) if error == ParseRationalError::TooLarge && !(2_f64.powi(-16)..=most).contains(&value) => {
            Ok(Rational::ZERO)
        }
        _ => Err(error.to_string()),
    })
}

fn variance(text: &str) -> Result<Rational, String> {
    let (least, most) = ((1.0 / f64::from(1 << 16)), f64::from(1 << 26));
    let variance = number(text, most)?;
    if (least..=most).contains(&variance.to_f64()) {
        return Ok(variance);
    }
    Err("expected a number from 2^-16 to 2^26, and to 2^20 for sample, whose samples may be added: their variances add. To judge sums beyond, \
         use --sigma-squared: at the same variance the Gaussian is within a distance of about 0.07/VARIANCE"
        .into())
}

fn scale(text: &str) -> Result<Rational, String> {
    let scale = number(text, 2_f64.powi(50))?;
    match (NoiseLaw::DiscreteLaplace { scale }).bound() {
        Ok(_) => Ok(scale),
        Err(_) => Err("expected a number from 2^-16 to 2^50; for privacy, sensitivity/epsilon".into()),
    }
}

fn whole(text: &str, least: u32, most: u32, hint: &str) -> Result<u32, String> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let number = if digits { text.parse().ok() } else { None };
    number
        .filter(|n| (least..=most).contains(n))
        .ok_or_else(|| format!("expected a whole number from {least} to {most}, {hint}"))
}
