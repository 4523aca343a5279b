//! Exact rejection without a table \[Kar16\].

use super::row::{Ask, Cost, Exporter, Row, as_said};
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::samplers::Karney;
use samplez_core::{DiscreteGaussian, Noise, Sampler};

pub(super) const ROW: Row = Row {
    name: "karney",
    summary: "exact rejection with rational arithmetic; every form of sigma, any rational center, nothing to build",
    paper: "[Kar16]",
    file: "karney.rs",
    law: "**exact**",
    takes: "σ and σ² up to σ = 2^47, k up to 2^47, s up to 2^48; any rational centre up to ±2^62",
    memory: "4 KiB, for any σ",
    timing: Karney::TIMING,
    exact: true,
    exactly: None,
    heeds: &[],
    settle: as_said,
    cost,
    build,
};

pub(super) const TABLE: Option<Exporter> = None;

fn cost(ask: &Ask<'_>) -> Result<Cost, Refused> {
    ask.exact(Karney::new(ask.law))
}

fn build(law: &DiscreteGaussian, _: &Options) -> Result<Box<dyn Noise>, Refused> {
    Ok(Box::new(Karney::new(law)?))
}
