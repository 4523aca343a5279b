//! The discrete Ziggurat \[BCGHW13\].

use super::row::{Ask, Cost, Exporter, Row, limbs};
use super::tables;
use crate::export::Export;
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::samplers::Ziggurat;
use samplez_core::table::Table as _;
use samplez_core::{Bound, DiscreteGaussian, Noise, Sampler};
use samplez_tables::{BuildError, Remainder, ZigguratOptions};

pub(super) const ROW: Row = Row {
    name: "ziggurat",
    summary: "certified rectangles, little memory at any sigma; any form of sigma, integer center",
    paper: "[BCGHW13]",
    file: "ziggurat.rs",
    law: "**certified**, 1 to 256 bits; **exact** with the option `exact`",
    takes: "every form of σ, integer centre",
    memory: "5 KiB with 256 rectangles, for any σ",
    timing: Ziggurat::<Vec<u32>>::TIMING,
    exact: false,
    exactly: Some(exactly),
    heeds: &["precision", "rectangles", "tail", "omega", "distance", "chord", "pdf_table"],
    settle,
    cost,
    build,
};

pub(super) const TABLE: Option<Exporter> = Some(export);

/// The rectangles beyond which it gains nothing: their table fills the nearest cache.
const MOST_RECTANGLES: u32 = 1024;
/// The default number of rectangles, without a planner.
const RECTANGLES: u32 = 256;

fn cost(ask: &Ask<'_>) -> Result<Cost, Refused> {
    let options = match ask.options.distance {
        Some(_) => by_distance(ask.law, ask.options)?,
        None => Options { tail: Some(ask.reach()), ..*ask.options },
    };
    let chosen = table(ask.law, &options, MOST_RECTANGLES)?;
    let bytes = chosen.bytes(ask.law)? as f64;
    let columns = ask.sigma * options.tail().to_f64();
    let m = f64::from(chosen.rectangles);
    Ok(Cost {
        options: Options { rectangles: Some(chosen.rectangles), ..options },
        bytes,
        setup: limbs(options.precision()) * (3e-7 * columns + 3e-6 * m),
        retreat: if options.rectangles.is_none() { fewer } else { |_| None },
    })
}

fn settle(law: &DiscreteGaussian, options: &Options) -> Result<Options, Refused> {
    let options = by_distance(law, options)?;
    let ZigguratOptions { rectangles, omega, .. } = table(law, &options, RECTANGLES)?;
    Ok(Options { rectangles: Some(rectangles), omega: Some(omega), ..options })
}

/// Where there is no partition into so many rectangles.
fn fewer(options: &Options) -> Option<Options> {
    let rectangles = options.rectangles.filter(|m| *m > 2).map(|m| (3 * m / 4).max(2))?;
    Some(Options { rectangles: Some(rectangles), ..*options })
}

/// The options with precision, tail and ω in place of the distance.
fn by_distance(law: &DiscreteGaussian, options: &Options) -> Result<Options, BuildError> {
    let Some(distance) = options.distance else { return Ok(*options) };
    let of = ZigguratOptions::for_bound(law, -(distance as i32))?;
    let (precision, tail, omega) = (Some(of.precision), Some(of.tail), Some(of.omega));
    Ok(Options { precision, tail, omega, distance: None, ..*options })
}

/// By default, ω is 32 bits more than the heights have: drawn lazily, it costs nothing, and keeps the tail's relative
/// error small.
///
/// # Errors
///
/// Without a number of rectangles: if not even two fit, or an option is out of its range.
fn table(law: &DiscreteGaussian, options: &Options, most: u32) -> Result<ZigguratOptions, BuildError> {
    let options = by_distance(law, options)?;
    let wanted = ZigguratOptions {
        rectangles: options.rectangles.unwrap_or(most),
        precision: options.precision(),
        omega: options.omega.unwrap_or(options.precision() + 32),
        tail: options.tail(),
        chord: options.chord(),
        stored: options.pdf_table(),
        max_bytes: options.memory(),
    };
    if options.rectangles.is_some() {
        return Ok(wanted);
    }
    let fitting = wanted.within(law, options.memory())?;
    Ok(ZigguratOptions { rectangles: fitting.rectangles.min(most), ..fitting })
}

fn build(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    let wanted = table(law, options, RECTANGLES)?;
    let built = samplez_tables::build_ziggurat(law, &wanted).map_err(|why| set_by_distance(options, why.into()))?;
    Ok(Box::new(Ziggurat::from_table(built)))
}

/// The refusal of an option that the distance sets.
fn set_by_distance(options: &Options, why: Refused) -> Refused {
    match options.distance.filter(|_| ["precision", "tail", "omega"].contains(&why.argument())) {
        Some(distance) => {
            let allowed = format!("sets {} = {}, where {}", why.argument(), why.value(), why.allowed());
            Refused::new("distance", distance, allowed).because(why)
        }
        None => why,
    }
}

fn remainder(law: &DiscreteGaussian, options: &Options, bound: &Bound) -> Result<Remainder, Refused> {
    Ok(Remainder::of_ziggurat(law, &table(law, options, RECTANGLES)?, bound)?)
}

fn exactly(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    tables::with_remainder(build(law, options)?, |bound| remainder(law, options, bound))
}

fn export(law: &DiscreteGaussian, options: &Options) -> Result<Export, Refused> {
    let built = samplez_tables::build_ziggurat(law, &table(law, options, RECTANGLES)?)?;
    let export = Export::ziggurat(&built)?;
    Ok(if options.exact() { export.with_remainder(remainder(law, options, &built.bound())?.tosses()) } else { export })
}
