//! The arguments that state a law.

use super::values::rational;
use crate::failure::Failure;
use clap::Args;
use samplez::{DiscreteGaussian, Rational, Width};

/// The law D_Z(σ, c).
#[derive(Args)]
pub(crate) struct Law {
    #[command(flatten)]
    width: WidthArgs,
    /// The centre c, any rational
    #[arg(long, value_name = "C", default_value = "0", value_parser = rational, allow_hyphen_values = true)]
    center: Rational,
}

#[derive(Args)]
#[group(id = "width", required = true, multiple = false)]
struct WidthArgs {
    /// The width, as σ
    #[arg(long, value_name = "Q", value_parser = rational, allow_hyphen_values = true)]
    sigma: Option<Rational>,
    /// The width, as σ²
    #[arg(long, value_name = "Q", value_parser = rational, allow_hyphen_values = true)]
    sigma_squared: Option<Rational>,
    /// The width, as k with σ = k·sqrt(1/(2 ln 2))
    #[arg(long = "k-sigma2", value_name = "Q", value_parser = rational, allow_hyphen_values = true)]
    k_sigma2: Option<Rational>,
    /// The width, as s with σ = s/sqrt(2π)
    #[arg(long, value_name = "Q", value_parser = rational, allow_hyphen_values = true)]
    s: Option<Rational>,
}

impl Law {
    /// The law that the arguments state.
    pub(crate) fn law(&self) -> Result<DiscreteGaussian, Failure> {
        self.law_or(None)
    }

    /// The law that the arguments state. The parser has seen to a width, except where none is
    /// needed: then it is `default`.
    pub(crate) fn law_or(&self, default: Option<Width>) -> Result<DiscreteGaussian, Failure> {
        let WidthArgs { sigma, sigma_squared, k_sigma2, s } = &self.width;
        let width = (sigma.map(Width::Sigma))
            .or(sigma_squared.map(Width::SigmaSq))
            .or(k_sigma2.map(Width::KSigma2))
            .or(s.map(Width::S))
            .or(default)
            .ok_or_else(|| {
                Failure::Input("a width is missing: give --sigma, --sigma-squared, --k-sigma2 or --s".into())
            })?;
        DiscreteGaussian::new(self.center, width).map_err(|error| Failure::refused(&error.into()))
    }
}
