//! A base table and convolutions in constant time, over a narrower base.

use super::row::{Ask, Cost, Exporter, Row, as_said};
use super::tables;
use crate::export::Export;
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::samplers::ConvolutionCt;
use samplez_core::table::MAX_LEVELS;
use samplez_core::{DiscreteGaussian, Noise, Sampler};
use samplez_tables::{BuildError, ConvolutionOptions};
use std::f64::consts::{LN_2, PI};

pub(super) const ROW: Row = Row {
    name: "convolution-ct",
    summary: "sums of samples of cdt-lazy-ct in constant time; sigma above 5, its other forms above 54, integer center",
    paper: "[MW17], [JSDGS17]",
    file: "convolution_ct.rs",
    law: "**certified**; another base, hence other numbers than `convolution`",
    takes: "σ and σ² from about 4.4, kσ₂ and s from about 54 at 128 bits, to 2^57; integer centre",
    memory: "2 to 42 KB at 128 bits",
    timing: ConvolutionCt::<Vec<u32>, Vec<i8>>::TIMING,
    exact: false,
    exactly: None,
    heeds: &["precision"],
    settle: as_said,
    cost,
    build,
};

pub(super) const TABLE: Option<Exporter> = Some(export);

fn cost(ask: &Ask<'_>) -> Result<Cost, Refused> {
    ask.integer_center(ROW.name)?;
    // Its base.
    let base = base_width(ask);
    let table = ask.table_of(base);
    Ok(ask.cost(table.bytes() + ask.parts_bytes(base), table.setup()))
}

/// Levels are taken until the base is narrow enough, each of them to sqrt(κσ) or a bit more.
fn base_width(ask: &Ask<'_>) -> f64 {
    let options = ConvolutionOptions::constant_time();
    let kappa = (f64::from(ask.options.precision() + 6) * LN_2 / (2.0 * PI * PI)).sqrt();
    let level = |width: &f64| Some((kappa * width).sqrt());
    let mut widths = std::iter::successors(level(&ask.sigma), level).take(MAX_LEVELS);
    widths.find(|width| *width <= f64::from(options.base_sigma)).unwrap_or_else(|| f64::from(options.base_sigma))
}

fn build(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    let options = wanted(options);
    let table = tables::build_convolution(ROW.name, law, &options)?;
    let parts = samplez_tables::parts(table.base(), options.max_bytes)?;
    Ok(Box::new(ConvolutionCt::from_table(table, parts).map_err(BuildError::Table)?))
}

fn wanted(options: &Options) -> ConvolutionOptions {
    let fastest = ConvolutionOptions::constant_time();
    let options = tables::convolution(options);
    ConvolutionOptions { base_sigma: fastest.base_sigma, any_legs: fastest.any_legs, ..options }
}

fn export(law: &DiscreteGaussian, options: &Options) -> Result<Export, Refused> {
    Export::convolution(&tables::build_convolution(ROW.name, law, &wanted(options))?)
}
