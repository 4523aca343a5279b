//! Inversion over a certified table in constant time.

use super::row::{Ask, Cost, Exporter, Row, TableSize, as_said};
use super::tables;
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::samplers::CdtCt;
use samplez_core::{DiscreteGaussian, Noise, Sampler};

pub(super) const ROW: Row = Row {
    name: "cdt-ct",
    summary: "cdt in constant time, 512 samples at once; any form of sigma up to some thousands, any center",
    paper: "[JSDGS17]",
    file: "cdt_ct.rs",
    law: "the same law as `cdt`",
    takes: "as `cdt`, up to 32,767 thresholds",
    memory: "as `cdt`",
    timing: CdtCt::<Vec<u32>>::TIMING,
    exact: false,
    exactly: Some(exactly),
    heeds: &["precision"],
    settle: as_said,
    cost,
    build,
};

pub(super) const TABLE: Option<Exporter> = Some(tables::inversion);

fn table(ask: &Ask<'_>) -> Result<TableSize, Refused> {
    ask.table_up_to(ROW.name, i16::MAX as usize)
}

fn cost(ask: &Ask<'_>) -> Result<Cost, Refused> {
    let table = table(ask)?;
    Ok(ask.cost(table.bytes(), table.setup()))
}

fn build(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    table(&Ask::new(law, options))?;
    Ok(Box::new(CdtCt::from_table(samplez_tables::build_cdt(law, &tables::cdt(options))?)?))
}

fn exactly(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    tables::exactly(build(law, options)?, law, options)
}
