//! A recipe's options as those of the builders of tables.

use crate::exact::Exact;
use crate::export::Export;
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::table::ConvolutionTable;
use samplez_core::table::Table;
use samplez_core::{Bound, DiscreteGaussian, Exactness, Noise, Width};
use samplez_tables::{CdtOptions, ConvolutionOptions, KnuthYaoOptions, Remainder};
use std::f64::consts::{LN_2, PI};

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

/// Returns the convolution's table.
///
/// # Errors
///
/// [`Refused`], of a narrow σ with the least value of its form.
pub(super) fn build_convolution(
    method: &str,
    law: &DiscreteGaussian,
    options: &ConvolutionOptions,
) -> Result<ConvolutionTable<Vec<u32>>, Refused> {
    samplez_tables::build_convolution(law, options).map_err(|error| {
        let width = law.width();
        // One level over legs of norm 2 or over hypotenuse 5, each node with σ/M >= κM.
        let kappa = (f64::from(options.bound + 6) * LN_2 / (2.0 * PI * PI)).sqrt();
        let norm = match width {
            Width::Sigma(_) | Width::SigmaSq(_) if options.any_legs => 2.0,
            _ => 25.0,
        };
        let (unit, power) = match width {
            Width::SigmaSq(_) => (1.0, 2),
            Width::KSigma2(_) => ((2.0 * LN_2).sqrt(), 1),
            Width::S(_) => ((2.0 * PI).sqrt(), 1),
            Width::Sigma(_) => (1.0, 1),
        };
        let least = (norm * kappa * unit).powi(power);
        let refused = Refused::from(error);
        if refused.argument() != width.name() || width.value().to_f64() >= least {
            return refused;
        }
        // Rounded up, so that this value is allowed.
        let (least, bits) = ((least * 100.0).ceil() / 100.0, options.precision);
        let (argument, value) = (refused.argument().to_string(), refused.value().to_string());
        let allowed = format!("method {method} allows {argument} >= {least} for {bits} bits");
        Refused::new(argument, value, allowed).with_kind(refused.kind())
    })
}

/// This sampler, which has the law of the inversion table, with the table's remainder.
pub(super) fn exactly(
    sampler: Box<dyn Noise>,
    law: &DiscreteGaussian,
    options: &Options,
) -> Result<Box<dyn Noise>, Refused> {
    with_remainder(sampler, |bound| remainder(law, options, bound))
}

/// This sampler with the remainder of its law, which this function makes from its bound.
pub(super) fn with_remainder(
    sampler: Box<dyn Noise>,
    remainder: impl FnOnce(&Bound) -> Result<Remainder, Refused>,
) -> Result<Box<dyn Noise>, Refused> {
    let Exactness::Within(bound) = sampler.profile().exactness else { return Ok(sampler) };
    Ok(Box::new(Exact::new(sampler, remainder(&bound)?)))
}

fn remainder(law: &DiscreteGaussian, options: &Options, bound: &Bound) -> Result<Remainder, Refused> {
    Ok(Remainder::of_cdt(law, &cdt(options), bound)?)
}

/// A table with the law of the inversion table, and its remainder if the sampler is exact.
pub(super) fn exported(
    export: Export,
    bound: &Bound,
    law: &DiscreteGaussian,
    options: &Options,
) -> Result<Export, Refused> {
    Ok(if options.exact() { export.with_remainder(remainder(law, options, bound)?.tosses()) } else { export })
}

/// The inversion table.
pub(super) fn inversion(law: &DiscreteGaussian, options: &Options) -> Result<Export, Refused> {
    let table = samplez_tables::build_cdt(law, &cdt(options))?;
    exported(Export::inversion(&table)?, &table.bound(), law, options)
}

/// The probabilities of a Knuth–Yao walk.
pub(super) fn probabilities(law: &DiscreteGaussian, options: &Options) -> Result<Export, Refused> {
    let wanted = KnuthYaoOptions { cdt: cdt(options), first_levels: Some(0) };
    let table = samplez_tables::build_knuth_yao(law, &wanted)?;
    exported(Export::knuth_yao(&table)?, &table.bound(), law, options)
}
