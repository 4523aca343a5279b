//! Exact rejection from a discrete Laplace law \[CKS20\].

use super::row::{Ask, Cost, Exporter, Row, as_said};
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::samplers::Cks;
use samplez_core::{DiscreteGaussian, Noise, Sampler};

pub(super) const ROW: Row = Row {
    name: "cks",
    summary: "exact rejection from a discrete Laplace law; rational sigma^2, integer center",
    paper: "[CKS20]",
    file: "cks.rs",
    law: "**exact**",
    takes: "rational σ², integer centre",
    memory: "4 KiB",
    timing: Cks::TIMING,
    exact: true,
    exactly: None,
    heeds: &[],
    settle: as_said,
    cost,
    build,
};

pub(super) const TABLE: Option<Exporter> = None;

fn cost(ask: &Ask<'_>) -> Result<Cost, Refused> {
    ask.exact(Cks::new(ask.law))
}

fn build(law: &DiscreteGaussian, _: &Options) -> Result<Box<dyn Noise>, Refused> {
    Ok(Box::new(Cks::new(law)?))
}
