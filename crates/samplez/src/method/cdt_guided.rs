//! Inversion over a certified table, with an index table on the leading bits.

use super::row::{Ask, Cost, Exporter, Row, as_said};
use super::tables;
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::samplers::CdtGuided;
use samplez_core::table::Table;
use samplez_core::{DiscreteGaussian, Noise, Sampler};
use samplez_tables::{BuildError, CdtGuidedOptions, CdtOptions};

pub(super) const ROW: Row = Row {
    name: "cdt-guided",
    summary: "cdt with an index on the leading bits: about one comparison a sample",
    paper: "[JSDGS17]",
    file: "cdt_guided.rs",
    law: "the same law as `cdt`",
    takes: "as `cdt`",
    memory: "and an index table: 9.3 KiB with its codes at σ = 3.2, 107 KiB at 215, 242 KiB at 1000",
    timing: CdtGuided::<Vec<u32>, Vec<u32>>::TIMING,
    exact: false,
    exactly: Some(exactly),
    heeds: &["precision"],
    settle: as_said,
    cost,
    build,
};

pub(super) const TABLE: Option<Exporter> = Some(tables::inversion);

/// The bytes that a sampler has beside its table if that is short.
const CODES: f64 = 1304.0;

fn cost(ask: &Ask<'_>) -> Result<Cost, Refused> {
    let table = ask.table();
    let codes = if table.entries < 128.0 { CODES } else { 0.0 };
    let bytes = table.bytes() + codes + table.guide_bytes(if ask.law.center().is_integer() { 1.0 } else { 2.0 });
    // The planner does not choose a shorter index table: the search is then nearly as long as that of `cdt`.
    Ok(ask.cost(bytes, table.setup()))
}

fn build(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    Ok(Box::new(guided(law, options)?))
}

/// Builds the table with the longest index table that the memory allows, the sampler's own memory included.
fn guided(law: &DiscreteGaussian, options: &Options) -> Result<CdtGuided<Vec<u32>, Vec<u32>>, BuildError> {
    let within = |max_bytes| {
        let cdt = CdtOptions { max_bytes, ..tables::cdt(options) };
        samplez_tables::build_guided(law, &CdtGuidedOptions { cdt, ..CdtGuidedOptions::default() })
    };
    let limit = options.memory();
    let table = within(limit)?;
    let (all, thresholds) = (table.bytes(), table.table().bytes());
    let sampler = CdtGuided::from_table(table);
    let bytes = sampler.profile().table_bytes;
    if bytes as u64 <= limit {
        return Ok(sampler);
    }
    let own = bytes - all;
    // With an index table of one bit.
    let least = thresholds + 8 + own;
    let (what, bytes) = ("a table with its guide", least as u128);
    let refused = BuildError::TooLarge { target: None, what, precision: None, bytes, limit };
    within(limit.saturating_sub(own as u64)).map(CdtGuided::from_table).map_err(|_| refused)
}

fn exactly(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    tables::exactly(build(law, options)?, law, options)
}
