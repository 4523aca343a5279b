//! Uniform proposals, accepted by exact coins.

use super::row::{Ask, Cost, Exporter, NO_SETUP, Row, as_said};
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::samplers::Rejection;
use samplez_core::{DiscreteGaussian, Noise, Sampler};

pub(super) const ROW: Row = Row {
    name: "rejection",
    summary: "uniform proposals and exact coins, exact within its tail; rational sigma or sigma^2, slow",
    paper: "[BCGHW13]",
    file: "rejection.rs",
    law: "exact within ±14σ, **certified**",
    takes: "rational σ or σ², rational centre",
    memory: "none",
    timing: Rejection::TIMING,
    exact: false,
    exactly: None,
    heeds: &["tail"],
    settle: as_said,
    cost,
    build,
};

pub(super) const TABLE: Option<Exporter> = None;

fn cost(ask: &Ask<'_>) -> Result<Cost, Refused> {
    let tail = ask.reach();
    Rejection::new(ask.law, tail)?;
    let cost = ask.cost(0.0, NO_SETUP);
    Ok(Cost { options: Options { tail: Some(tail), ..*ask.options }, ..cost })
}

fn build(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    Ok(Box::new(Rejection::new(law, options.tail())?))
}
