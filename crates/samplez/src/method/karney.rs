//! Exact rejection without a table \[Kar16\].

use super::row::{Ask, Cost, Row, as_said};
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
    takes: "every form of σ: σ, σ², kσ₂, s, up to 2^47; any rational centre",
    memory: "4 KiB, for any σ",
    timing: Karney::TIMING,
    exact: true,
    of_table: false,
    heeds: &[],
    settle: as_said,
    cost,
    build,
};

fn cost(ask: &Ask<'_>) -> Result<Cost, Refused> {
    ask.exact(Karney::new(ask.law))
}

fn build(law: &DiscreteGaussian, _: &Options) -> Result<Box<dyn Noise>, Refused> {
    Ok(Box::new(Karney::new(law)?))
}
