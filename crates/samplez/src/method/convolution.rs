//! A base table and convolutions \[MW17\].

use super::row::{Ask, Cost, Exporter, Row, as_said};
use super::tables;
use crate::export::Export;
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::samplers::Convolution;
use samplez_core::{DiscreteGaussian, Noise, Sampler};
use samplez_tables::BuildError;

pub(super) const ROW: Row = Row {
    name: "convolution",
    summary: "sums of samples of a small certified table; any form of sigma above 54, integer center",
    paper: "[MW17]",
    file: "convolution.rs",
    law: "**certified**",
    takes: "every form of σ from about 54 at 128 bits and 40 at 64, to at least 2^57; integer centre",
    memory: "100 to 290 KB at 128 bits",
    timing: Convolution::<Vec<u32>, Vec<u32>>::TIMING,
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
    // Its base is at least as wide as this, and at most 640 or σ.
    let (least, most) = (ask.table_of(40.0), ask.table_of(640.0));
    Ok(ask.cost(least.bytes() + least.guide_bytes(1.0), most.setup()))
}

fn build(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    let options = tables::convolution(options);
    let table = tables::build_convolution(ROW.name, law, &options)?;
    let guide = samplez_tables::guide(table.base(), options.max_bytes)?;
    Ok(Box::new(Convolution::from_table(table, guide).map_err(BuildError::Table)?))
}

fn export(law: &DiscreteGaussian, options: &Options) -> Result<Export, Refused> {
    Export::convolution(&tables::build_convolution(ROW.name, law, &tables::convolution(options))?)
}
