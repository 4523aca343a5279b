//! BLISS's binary sampler: coins from a short table \[DDLL13\].

use super::row::{Ask, Cost, Exporter, Row, TableSize, as_said};
use super::tables;
use crate::export::Export;
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::samplers::Bernoulli;
use samplez_core::table::Table as _;
use samplez_core::{Bound, DiscreteGaussian, Noise, Sampler, Width};
use samplez_tables::{BernoulliOptions, Remainder};

pub(super) const ROW: Row = Row {
    name: "bernoulli",
    summary: "binary rejection by a few certified coins, in little memory; sigma = k sqrt(1/(2 ln 2)), integer k and center",
    paper: "[DDLL13]",
    file: "bernoulli.rs",
    law: "**certified**, 1 to 256 bits; **exact** with the option `exact`, k up to 2^14",
    takes: "σ = k·sqrt(1/(2 ln 2)), integer k up to 2^28, integer centre",
    memory: "336 bytes of coins and 3 KiB of their products at k = 254",
    timing: Bernoulli::<Vec<u32>>::TIMING,
    exact: false,
    exactly: Some(exactly),
    heeds: &["precision", "frugal"],
    settle: as_said,
    cost,
    build,
};

pub(super) const TABLE: Option<Exporter> = Some(export);

fn cost(ask: &Ask<'_>) -> Result<Cost, Refused> {
    let k = match ask.law.width() {
        Width::KSigma2(k) if k.is_integer() => k.to_f64(),
        width => {
            return Err(Refused::width(
                width,
                "method bernoulli allows sigma = k sqrt(1/(2 ln 2)) with integer k only",
            ));
        }
    };
    ask.integer_center(ROW.name)?;
    // An entry for each bit of (2X + 1)k², X about sqrt(precision).
    let precision = ask.options.precision();
    let reach = 2.0 * f64::from(precision).sqrt() + 1.0;
    let size = TableSize { entries: (k * k * reach).log2().ceil(), precision };
    Ok(ask.cost(size.bytes(), 1e-3))
}

fn wanted(options: &Options) -> BernoulliOptions {
    BernoulliOptions { precision: options.precision(), max_bytes: options.memory() }
}

fn build(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    let sampler = Bernoulli::from_table(samplez_tables::build_bernoulli(law, &wanted(options))?);
    Ok(if options.frugal() { Box::new(sampler.frugal()) } else { Box::new(sampler) })
}

fn remainder(law: &DiscreteGaussian, options: &Options, bound: &Bound) -> Result<Remainder, Refused> {
    Ok(Remainder::of_bernoulli(law, &wanted(options), bound)?)
}

fn exactly(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    tables::with_remainder(build(law, options)?, |bound| remainder(law, options, bound))
}

fn export(law: &DiscreteGaussian, options: &Options) -> Result<Export, Refused> {
    let built = samplez_tables::build_bernoulli(law, &wanted(options))?;
    let export = Export::bernoulli(&built);
    Ok(if options.exact() { export.with_remainder(remainder(law, options, &built.bound())?.tosses()) } else { export })
}
