//! Inversion over a certified table.

use super::row::{Ask, Cost, Exporter, Row, as_said};
use super::tables;
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::samplers::Cdt;
use samplez_core::{DiscreteGaussian, Noise, Sampler};

pub(super) const ROW: Row = Row {
    name: "cdt",
    summary: "inversion of a certified cumulative table of 1 to 256 bits; any form of sigma, any center",
    paper: "[JSDGS17]",
    file: "cdt.rs",
    law: "**certified**, 1 to 256 bits; **exact** with the option `exact`",
    takes: "every form of σ: σ, σ², kσ₂, s; any rational centre",
    memory: "about 13σ × 16 bytes at 128 bits",
    timing: Cdt::<Vec<u32>>::TIMING,
    exact: false,
    exactly: Some(exactly),
    heeds: &["precision"],
    settle: as_said,
    cost,
    build,
};

pub(super) const TABLE: Option<Exporter> = Some(tables::inversion);

fn cost(ask: &Ask<'_>) -> Result<Cost, Refused> {
    let table = ask.table();
    Ok(ask.cost(table.bytes(), table.setup()))
}

fn build(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    Ok(Box::new(Cdt::from_table(samplez_tables::build_cdt(law, &tables::cdt(options))?)))
}

fn exactly(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    tables::exactly(build(law, options)?, law, options)
}
