//! Exact isochronous sampling for large σ, by rejection from a narrower law.

use super::row::{Ask, Cost, Exporter, NO_SETUP, Row, as_said};
use crate::exact::Exact;
use crate::export::Export;
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::samplers::{FilteredIsochronous, Isochronous, Wide};
use samplez_core::{DiscreteGaussian, Noise, Timing};
use samplez_tables::{ExactHeights, WideExponent, build_wide};

pub(super) const ROW: Row = Row {
    name: "wide",
    summary: "exact: samples of isochronous and uniform low bits, with a rejection; sigma above 2^26 and up to 2^58 in any form, any center",
    paper: "[HPRR20]",
    file: "wide.rs",
    law: "**exact**",
    takes: "σ above 2^26 and up to 2^58, rational centre",
    memory: "368 bytes, for any σ",
    timing: Timing::Isochronous,
    exact: true,
    exactly: None,
    heeds: &[],
    settle: as_said,
    cost,
    build,
};

pub(super) const TABLE: Option<Exporter> = Some(export);

fn sampler(law: &DiscreteGaussian) -> Result<Wide<Exact, WideExponent>, Refused> {
    let (trial, exponent) = build_wide(law)?;
    let base = Exact::isochronous(&DiscreteGaussian::with_sigma(trial.base())?)?;
    Ok(Wide::new(*law, base, trial, exponent)?)
}

fn cost(ask: &Ask<'_>) -> Result<Cost, Refused> {
    Ok(ask.cost(sampler(ask.law)?.noise_profile().table_bytes as f64, NO_SETUP))
}

fn build(law: &DiscreteGaussian, _: &Options) -> Result<Box<dyn Noise>, Refused> {
    Ok(Box::new(sampler(law)?))
}

fn export(law: &DiscreteGaussian, _: &Options) -> Result<Export, Refused> {
    let (trial, _) = build_wide(law)?;
    let base = DiscreteGaussian::with_sigma(trial.base())?;
    let strips = Export::strips(&Isochronous::new(&base)?, FilteredIsochronous::<ExactHeights>::BOUND);
    let table = strips.with_remainder(Exact::STRIPS);
    Ok(Export::wide(&base, table, trial.shift(), sampler(law)?.noise_profile().support))
}
