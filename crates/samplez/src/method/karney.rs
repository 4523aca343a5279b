//! Exact rejection without a table \[Kar16\].

use super::row::{Ask, Cost, Row, as_said};
use super::speed::{self, Points};
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::params::DiscreteGaussian;
use samplez_core::noise::Noise;
use samplez_core::sampler::Sampler;
use samplez_core::samplers::karney::Karney;

pub(super) const ROW: Row = Row {
    name: "karney",
    summary: "exact rejection with rational arithmetic; any rational sigma and center, nothing to build",
    paper: "[Kar16]",
    file: "karney.rs",
    law: "**exact**",
    takes: "rational σ up to 2^47, rational centre",
    memory: "4 KiB, for any σ",
    timing: Karney::TIMING,
    exact: true,
    heeds: &[],
    settle: as_said,
    cost,
    build,
};

/// By σ.
const SPEED: Points = &[(1.0, 51.0), (10.0, 39.0), (1e3, 37.0), (1.6e4, 33.0)];

fn cost(ask: &Ask<'_>) -> Result<Cost, Refused> {
    ask.exact(Karney::new(ask.law), speed::at(SPEED, ask.sigma))
}

fn build(law: &DiscreteGaussian, _: &Options) -> Result<Box<dyn Noise>, Refused> {
    Ok(Box::new(Karney::new(law)?))
}
