//! Inversion over a certified table, with a guide on the leading bits.

use samplez_core::table::Table;
use super::cdt;
use super::row::{Ask, Cost, Row, as_said};
use super::speed::{self, Points};
use super::tables;
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::params::DiscreteGaussian;
use samplez_core::noise::Noise;
use samplez_core::sampler::Sampler;
use samplez_core::samplers::cdt_guided::CdtGuided;
use samplez_tables::{BuildError, CdtGuidedOptions, CdtOptions};

pub(super) const ROW: Row = Row {
    name: "cdt-guided",
    summary: "cdt with an index on the leading bits: about one comparison a sample",
    paper: "[JSDGS17]",
    file: "cdt_guided.rs",
    law: "the same law as `cdt`",
    takes: "as `cdt`",
    memory: "and an index table: 9.3 KiB with its codes at σ = 3.2, 64 KiB at 215 and 1000",
    timing: CdtGuided::<Vec<u32>, Vec<u32>>::TIMING,
    exact: false,
    heeds: &["precision"],
    settle: as_said,
    cost,
    build,
};

/// By the number of thresholds.
const SPEED: Points = &[
    (44.0, 2900.0),
    (79.0, 2450.0),
    (92.0, 1400.0),
    (131.0, 1050.0),
    (1.39e3, 780.0),
    (1.28e4, 366.0),
    (5.1e4, 123.0),
    (2e5, 50.0),
    (2e6, 38.0),
];

/// What it has beside its table if that is short.
const CODES: f64 = 1304.0;

fn cost(ask: &Ask<'_>) -> Result<Cost, Refused> {
    let table = ask.table();
    let guide = table.guide_bytes();
    let bytes = table.bytes() + if table.entries < 128.0 { CODES } else { 0.0 };
    let room = ask.options.memory() as f64 - bytes;
    if room < 4.0 * table.entries {
        return Err(Refused::new("memory", ask.options.memory(), "no room for a guide that would help"));
    }
    // A shorter guide leaves more thresholds to search.
    let full = speed::at(SPEED, table.entries);
    let speed = if guide <= room { full } else { 1.1 * speed::at(cdt::SPEED, table.entries) };
    Ok(ask.cost(bytes + guide.min(room), table.setup(), speed))
}

fn build(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    Ok(Box::new(guided(law, options)?))
}

/// With the longest guide that the memory allows, the sampler's own included.
fn guided(law: &DiscreteGaussian, options: &Options) -> Result<CdtGuided<Vec<u32>, Vec<u32>>, BuildError> {
    let within = |max_bytes| {
        let cdt = CdtOptions { max_bytes, ..tables::cdt(options) };
        samplez_tables::build_guided(law, &CdtGuidedOptions { cdt, ..CdtGuidedOptions::default() })
            .map(CdtGuided::from_table)
    };
    let limit = options.memory();
    let sampler = within(limit)?;
    let bytes = sampler.profile().table_bytes;
    if bytes as u64 <= limit {
        return Ok(sampler);
    }
    let own = bytes - sampler.table().bytes();
    // With a guide of one bit.
    let least = sampler.table().table().bytes() + 8 + own;
    let (what, bytes) = ("a table with its guide", least as u128);
    let refused = BuildError::TooLarge { target: None, what, precision: None, bytes, limit };
    within(limit.saturating_sub(own as u64)).map_err(|_| refused)
}
