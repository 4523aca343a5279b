//! The Knuth–Yao walk, its first levels by table.

use super::row::{Ask, Cost, Exporter, Row, as_said};
use super::tables;
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::samplers::KnuthYao;
use samplez_core::{DiscreteGaussian, Noise, Sampler};
use samplez_tables::KnuthYaoOptions;

pub(super) const ROW: Row = Row {
    name: "knuth-yao-compact",
    summary: "the walk of knuth-yao, its first levels by table: faster, the same stream",
    paper: "[JSDGS17], [DW18]",
    file: "knuth_yao.rs",
    law: "the same law and stream as `knuth-yao`",
    takes: "as `cdt`",
    memory: "with its table of first levels, 3.2 KiB at σ = 3.3, 164 KiB at 215",
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
    // The table of first levels that `samplez_tables::build_knuth_yao` takes.
    let levels = (table.entries.log2().ceil() + 3.0).clamp(8.0, 16.0).min(f64::from(table.precision));
    let bytes = (ask.matrix_bytes() + 4.0 * levels.exp2()).max(table.bytes());
    Ok(ask.cost(bytes, 1.3 * table.setup() + 6e-8 * levels.exp2()))
}

fn build(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    let options = KnuthYaoOptions { cdt: tables::cdt(options), first_levels: None };
    Ok(Box::new(KnuthYao::from_table(samplez_tables::build_knuth_yao(law, &options)?)))
}

fn exactly(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    tables::exactly(build(law, options)?, law, options)
}
