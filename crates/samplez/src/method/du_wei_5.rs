//! Algorithm 5 of \[DW18\], with BLISS's binary half Gaussian.

use super::row::{Ask, Cost, Exporter, Row, as_said};
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::samplers::DuWei5;
use samplez_core::{DiscreteGaussian, Noise, Sampler};

pub(super) const ROW: Row = Row {
    name: "du-wei-5",
    summary: "exact binary rejection, sigma = k sqrt(1/(2 ln 2)) with integer k, integer center",
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
    ask.exact(DuWei5::new(ask.law))
}

fn build(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    let sampler = DuWei5::new(law)?;
    Ok(if options.frugal() { Box::new(sampler.frugal()) } else { Box::new(sampler) })
}
