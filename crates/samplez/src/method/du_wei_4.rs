//! Algorithm 4 of \[DW18\].

use super::row::{Ask, Cost, Exporter, Row, as_said};
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::samplers::DuWei4;
use samplez_core::{DiscreteGaussian, Noise, Sampler};

pub(super) const ROW: Row = Row {
    name: "du-wei-4",
    summary: "exact rejection, integer sigma and center",
    paper: "[DW18]",
    file: "du_wei.rs",
    law: "**exact**",
    takes: "integer σ and centre",
    memory: "4 KiB",
    timing: DuWei4::TIMING,
    exact: true,
    exactly: None,
    heeds: &["frugal"],
    settle: as_said,
    cost,
    build,
};

pub(super) const TABLE: Option<Exporter> = None;

fn cost(ask: &Ask<'_>) -> Result<Cost, Refused> {
    ask.exact(DuWei4::new(ask.law))
}

fn build(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    let sampler = DuWei4::new(law)?;
    Ok(if options.frugal() { Box::new(sampler.frugal()) } else { Box::new(sampler) })
}
