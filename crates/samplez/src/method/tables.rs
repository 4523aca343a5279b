//! A recipe's options as those of the builders of tables.

use crate::exact::Exact;
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::{DiscreteGaussian, Exactness, Noise};
use samplez_tables::{CdtOptions, ConvolutionOptions, Remainder};

pub(super) fn cdt(options: &Options) -> CdtOptions {
    CdtOptions { precision: options.precision(), max_bytes: options.memory(), ..CdtOptions::default() }
}

/// The convolutions may add as much error as the table's precision stands for.
pub(super) fn convolution(options: &Options) -> ConvolutionOptions {
    let default = ConvolutionOptions::default();
    ConvolutionOptions {
        precision: options.precision(),
        bound: options.precision(),
        max_bytes: default.max_bytes.min(options.memory()),
        ..default
    }
}

/// This sampler, which has the law of the inversion table, with the table's remainder.
pub(super) fn exactly(
    sampler: Box<dyn Noise>,
    law: &DiscreteGaussian,
    options: &Options,
) -> Result<Box<dyn Noise>, Refused> {
    let Exactness::Within(bound) = sampler.profile().exactness else { return Ok(sampler) };
    let remainder = Remainder::of_cdt(law, &cdt(options), &bound)?;
    Ok(Box::new(Exact::new(sampler, remainder)))
}
