//! Uniform proposals, accepted by a table of heights.

use super::row::{Ask, Cost, Exporter, Row, TableSize, as_said};
use super::tables;
use crate::export::Export;
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::samplers::TableRejection;
use samplez_core::table::Table as _;
use samplez_core::{Bound, DiscreteGaussian, Noise, Sampler};
use samplez_tables::{RejectionOptions, Remainder};

pub(super) const ROW: Row = Row {
    name: "rejection-table",
    summary: "uniform proposals and a certified table of heights; any form of sigma, integer center",
    paper: "[JSDGS17]",
    file: "rejection_table.rs",
    law: "**certified**, 1 to 256 bits; **exact** with the option `exact`",
    takes: "every form of σ, integer centre",
    memory: "about 14σ × precision/8 bytes",
    timing: TableRejection::<Vec<u32>>::TIMING,
    exact: false,
    exactly: Some(exactly),
    heeds: &["precision", "tail"],
    settle: as_said,
    cost,
    build,
};

pub(super) const TABLE: Option<Exporter> = Some(export);

fn cost(ask: &Ask<'_>) -> Result<Cost, Refused> {
    let options = Options { tail: Some(ask.reach()), ..*ask.options };
    let tail = table(&options)?.tail;
    let size = TableSize { entries: f64::from(tail) * ask.sigma, precision: options.precision() };
    ask.integer_center(ROW.name)?;
    Ok(Cost { options, ..ask.cost(size.bytes(), size.setup()) })
}

/// The proposals' tail is a whole number of σ.
fn table(options: &Options) -> Result<RejectionOptions, Refused> {
    let tail = options.tail();
    let whole = u32::try_from(tail.num()).ok().filter(|_| tail.is_integer());
    let refused = || Refused::new("tail", tail, "method rejection-table allows a whole number from 1 to 64");
    let tail = whole.ok_or_else(refused)?;
    Ok(RejectionOptions { precision: options.precision(), tail, max_bytes: options.memory() })
}

fn build(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    Ok(Box::new(TableRejection::from_table(samplez_tables::build_rejection(law, &table(options)?)?)?))
}

fn remainder(law: &DiscreteGaussian, options: &Options, bound: &Bound) -> Result<Remainder, Refused> {
    Ok(Remainder::of_rejection(law, &table(options)?, bound)?)
}

fn exactly(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    tables::with_remainder(build(law, options)?, |bound| remainder(law, options, bound))
}

fn export(law: &DiscreteGaussian, options: &Options) -> Result<Export, Refused> {
    let built = samplez_tables::build_rejection(law, &table(options)?)?;
    let export = Export::rejection(&built)?;
    Ok(if options.exact() { export.with_remainder(remainder(law, options, &built.bound())?.tosses()) } else { export })
}
