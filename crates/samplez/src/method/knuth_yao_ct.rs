//! A Knuth–Yao tree over a certified table in constant time.

use super::row::{Ask, Cost, Exporter, Row, TableSize, as_said};
use super::tables;
use crate::export::Export;
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::samplers::KnuthYaoCt;
use samplez_core::table::Table;
use samplez_core::{DiscreteGaussian, Noise, Sampler};

pub(super) const ROW: Row = Row {
    name: "knuth-yao-ct",
    summary: "cdt in constant time from 8 to 17 bits a sample, up to 8192 at once; any sigma up to about 9, any center",
    paper: "[JSDGS17]",
    file: "knuth_yao_ct.rs",
    law: "the same law as `cdt`",
    takes: "as `cdt`, up to 127 thresholds, or 254 about a centre that is not an integer",
    memory: "about 1.2 KB more than `cdt`'s: 1.8 KB at σ = 3.2",
    timing: KnuthYaoCt::<Vec<u32>, Vec<i8>>::TIMING,
    exact: false,
    exactly: Some(exactly),
    heeds: &["precision"],
    settle: as_said,
    cost,
    build,
};

pub(super) const TABLE: Option<Exporter> = Some(export);

fn table(ask: &Ask<'_>) -> Result<TableSize, Refused> {
    ask.table_up_to(ROW.name, if ask.law.center().is_integer() { 127 } else { 254 })
}

fn cost(ask: &Ask<'_>) -> Result<Cost, Refused> {
    let table = table(ask)?;
    Ok(ask.cost(table.bytes() + ask.levels_bytes(), table.setup()))
}

fn build(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    table(&Ask::new(law, options))?;
    Ok(Box::new(KnuthYaoCt::from_table(samplez_tables::build_pooled(law, &tables::cdt(options))?)))
}

fn exactly(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    tables::exactly(build(law, options)?, law, options)
}

fn export(law: &DiscreteGaussian, options: &Options) -> Result<Export, Refused> {
    let table = samplez_tables::build_pooled(law, &tables::cdt(options))?;
    tables::exported(Export::inversion(table.table())?, &table.bound(), law, options)
}
