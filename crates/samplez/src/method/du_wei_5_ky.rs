//! Algorithm 5 of \[DW18\], with the Knuth–Yao walk by table.

use super::row::{Ask, Cost, Exporter, Row, as_said};
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::samplers::DuWei5;
use samplez_core::{DiscreteGaussian, Noise, Sampler};

pub(super) const ROW: Row = Row {
    name: "du-wei-5-ky",
    summary: "du-wei-5 with its half Gaussian walked by table",
    paper: "[DW18]",
    file: "du_wei.rs",
    law: "**exact**",
    takes: "σ = k·sqrt(1/(2 ln 2)), integer k and centre",
    memory: "4 KiB",
    timing: DuWei5::TIMING,
    exact: true,
    exactly: None,
    heeds: &["frugal"],
    settle: as_said,
    cost,
    build,
};

pub(super) const TABLE: Option<Exporter> = None;

fn cost(ask: &Ask<'_>) -> Result<Cost, Refused> {
    ask.exact(DuWei5::with_table_walk(ask.law))
}

fn build(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    let sampler = DuWei5::with_table_walk(law)?;
    Ok(if options.frugal() { Box::new(sampler.frugal()) } else { Box::new(sampler) })
}
