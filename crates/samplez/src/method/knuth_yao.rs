//! The Knuth–Yao walk over the probability matrix, bit by bit.

use super::row::{Ask, Cost, Exporter, Row, as_said};
use super::tables;
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::samplers::KnuthYao;
use samplez_core::{DiscreteGaussian, Noise, Sampler};
use samplez_tables::KnuthYaoOptions;

pub(super) const ROW: Row = Row {
    name: "knuth-yao",
    summary: "walk over the probability matrix, within 2 bits of the entropy; any form of sigma, any center",
    paper: "[JSDGS17], [DW18]",
    file: "knuth_yao.rs",
    law: "the same law as `cdt`, from at most 2 bits more than the entropy",
    takes: "as `cdt`",
    memory: "1.2 KiB at σ = 3.3, 36 KiB at 215",
    timing: KnuthYao::<Vec<u32>>::TIMING,
    exact: false,
    exactly: Some(exactly),
    heeds: &["precision"],
    settle: as_said,
    cost,
    build,
};

pub(super) const TABLE: Option<Exporter> = Some(tables::probabilities);

fn cost(ask: &Ask<'_>) -> Result<Cost, Refused> {
    let table = ask.table();
    let bytes = ask.matrix_bytes().max(table.bytes());
    Ok(ask.cost(bytes, 1.3 * table.setup()))
}

fn build(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    let options = KnuthYaoOptions { cdt: tables::cdt(options), first_levels: Some(0) };
    Ok(Box::new(KnuthYao::from_table(samplez_tables::build_knuth_yao(law, &options)?)))
}

fn exactly(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    tables::exactly(build(law, options)?, law, options)
}
