//! Inversion over a certified table in constant time, with few bits.

use super::row::{Ask, Cost, Exporter, Row, TableSize, as_said};
use super::tables;
use crate::export::Export;
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::samplers::CdtLazyCt;
use samplez_core::table::{MAX_LAZY_THRESHOLDS, Table};
use samplez_core::{DiscreteGaussian, Noise, Sampler};

pub(super) const ROW: Row = Row {
    name: "cdt-lazy-ct",
    summary: "cdt in constant time from 17 to 29 bits a sample, 2048 samples at once; any form of sigma up to some hundreds, any center",
    paper: "[JSDGS17]",
    file: "cdt_lazy_ct.rs",
    law: "the same law as `cdt`",
    takes: "as `cdt`, up to 4,095 thresholds",
    memory: "two to two and a half times `cdt`'s: 1.8 KB at σ = 3.2, 112 KB at 215",
    timing: CdtLazyCt::<Vec<u32>, Vec<i8>>::TIMING,
    exact: false,
    exactly: Some(exactly),
    heeds: &["precision"],
    settle: as_said,
    cost,
    build,
};

pub(super) const TABLE: Option<Exporter> = Some(export);

fn table(ask: &Ask<'_>) -> Result<TableSize, Refused> {
    ask.table_up_to(ROW.name, MAX_LAZY_THRESHOLDS)
}

fn cost(ask: &Ask<'_>) -> Result<Cost, Refused> {
    let table = table(ask)?;
    Ok(ask.cost(table.bytes() + ask.parts_bytes(ask.sigma), table.setup()))
}

fn build(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    table(&Ask::new(law, options))?;
    Ok(Box::new(CdtLazyCt::from_table(samplez_tables::build_lazy(law, &tables::cdt(options))?)))
}

fn exactly(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    tables::exactly(build(law, options)?, law, options)
}

fn export(law: &DiscreteGaussian, options: &Options) -> Result<Export, Refused> {
    let table = samplez_tables::build_lazy(law, &tables::cdt(options))?;
    tables::exported(Export::inversion(table.table())?, &table.bound(), law, options)
}
