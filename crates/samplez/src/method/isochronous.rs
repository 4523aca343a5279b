//! Isochronous rejection from strips, one word a trial \[HPRR20\].

use super::row::{Ask, Cost, Exporter, NO_SETUP, Row, as_said};
use crate::exact::Exact;
use crate::export::Export;
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::samplers::{FilteredIsochronous, Isochronous};
use samplez_core::{DiscreteGaussian, Noise, Sampler};
use samplez_tables::ExactHeights;

pub(super) const ROW: Row = Row {
    name: "isochronous",
    summary: "rejection whose number of trials is independent of the samples; sigma from 1 to 2^26 in any form, any center",
    paper: "[HPRR20]",
    file: "isochronous.rs",
    law: "within 2^-53, **proved**; **exact** with the option `exact`",
    takes: "σ from 1 to 2^26, rational centre",
    memory: "328 bytes, for any σ",
    timing: Isochronous::TIMING,
    exact: false,
    exactly: Some(exactly),
    heeds: &[],
    settle: as_said,
    cost,
    build,
};

pub(super) const TABLE: Option<Exporter> = Some(export);

fn cost(ask: &Ask<'_>) -> Result<Cost, Refused> {
    let precision = ask.options.precision();
    if !ask.options.exact() && f64::from(precision) > -Isochronous::BOUND.log2_sd {
        let allowed = format!("within 2^{} of the law, less close than {precision} bits", Isochronous::BOUND.log2_sd);
        return Err(match ask.options.precision {
            Some(_) => Refused::new("precision", precision, allowed),
            None => Refused::new("method", ROW.name, allowed + " (`precision`, unless another is stated)"),
        });
    }
    Ok(ask.cost(Isochronous::table_bytes(ask.law)? as f64, NO_SETUP))
}

fn build(law: &DiscreteGaussian, _: &Options) -> Result<Box<dyn Noise>, Refused> {
    Ok(Box::new(Isochronous::new(law)?))
}

fn exactly(law: &DiscreteGaussian, _: &Options) -> Result<Box<dyn Noise>, Refused> {
    Ok(Box::new(Exact::isochronous(law)?))
}

fn export(law: &DiscreteGaussian, options: &Options) -> Result<Export, Refused> {
    let sampler = Isochronous::new(law)?;
    Ok(if options.exact() {
        Export::strips(&sampler, FilteredIsochronous::<ExactHeights>::BOUND).with_remainder(Exact::STRIPS)
    } else {
        Export::strips(&sampler, Isochronous::BOUND)
    })
}
