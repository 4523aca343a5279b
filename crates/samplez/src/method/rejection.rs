//! Uniform proposals, accepted by exact coins.

use super::row::{Ask, Cost, Exporter, NO_SETUP, Row, as_said};
use super::tables;
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::samplers::Rejection;
use samplez_core::{DiscreteGaussian, Noise, Sampler};
use samplez_tables::Remainder;

pub(super) const ROW: Row = Row {
    name: "rejection",
    summary: "uniform proposals and exact coins, exact within its tail; rational sigma or sigma^2, slow",
    paper: "[BCGHW13]",
    file: "rejection.rs",
    law: "exact within ±14σ, **certified**; **exact** with the option `exact`",
    takes: "rational σ or σ², rational centre",
    memory: "none",
    timing: Rejection::TIMING,
    exact: false,
    exactly: Some(exactly),
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

/// The law is P, given that the value is in the support. The values outside have a probability of at most the bound's tail.
fn exactly(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    let sampler = build(law, options)?;
    let support = sampler.profile().support;
    tables::with_remainder(sampler, |bound| {
        let allowed = "with `exact`, a tail beyond which less than half of the law lies, and less than 2^-64 if sigma is above 2^14";
        let tosses = (-bound.log2_tail as u32).min(256);
        Remainder::outside(law, support, tosses).ok_or_else(|| Refused::new("tail", options.tail(), allowed))
    })
}
