//! The arguments that choose a sampler.

use super::values::{bytes, rational, seconds};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, value_parser};
use samplez::{Method, Options, Rational};
use std::time::Duration;

/// Which sampler.
#[derive(Args)]
pub(crate) struct Build {
    /// The method; auto chooses by the law, see `samplez methods`
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = method())]
    pub(crate) method: Choice,
    #[command(flatten)]
    pub(crate) tables: Tables,
}

/// What a sampler may be. A method that is named refuses what does not concern it.
#[derive(Args)]
pub(crate) struct Tables {
    /// Precision of a table, in bits, 1 to 256; exact methods have none [default: 128]
    #[arg(long, value_name = "BITS", value_parser = value_parser!(u32).range(1..=256), allow_hyphen_values = true)]
    precision: Option<u32>,
    /// The most memory that a sample may read besides the code, in bytes [default: 1073741824]
    #[arg(long, value_name = "BYTES", value_parser = bytes, allow_hyphen_values = true)]
    memory: Option<u64>,
    /// ziggurat: the number of rectangles, 2 to 65536 [default: 256 or what fits in --memory; auto:
    /// up to 1024]
    #[arg(long, value_name = "M", value_parser = value_parser!(u32).range(2..=65536))]
    rectangles: Option<u32>,
    /// ziggurat, rejection, rejection-table: where the support ends, in σ [default: 14]
    #[arg(long, value_name = "T", value_parser = rational, allow_hyphen_values = true)]
    tail: Option<Rational>,
    /// ziggurat: decide without chords
    #[arg(long)]
    no_chord: bool,
    /// ziggurat: store every density
    #[arg(long)]
    pdf_table: bool,
    /// Exact methods only
    #[arg(long)]
    exact: bool,
    /// bernoulli, du-wei-4, du-wei-5, du-wei-5-ky: draw bit by bit, fewer bits and more time
    #[arg(long)]
    frugal: bool,
    /// Methods only that declare constant timing: no branch, index or address depends on a random bit
    #[arg(long)]
    constant_time: bool,
    /// Methods only that declare constant or isochronous timing: the time tells nothing of the
    /// samples. auto then takes isochronous too, within 2^-46 of the law, unless told a --precision
    #[arg(long)]
    isochronous: bool,
    /// auto: the longest that setting up may take, by the estimate
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true)]
    setup_time: Option<Duration>,
}

impl Tables {
    /// The facade's options.
    pub(crate) fn options(&self) -> Options {
        Options {
            precision: self.precision,
            memory: self.memory,
            rectangles: self.rectangles,
            tail: self.tail,
            chord: self.no_chord.then_some(false),
            pdf_table: self.pdf_table.then_some(true),
            exact: self.exact.then_some(true),
            frugal: self.frugal.then_some(true),
            constant_time: self.constant_time.then_some(true),
            isochronous: self.isochronous.then_some(true),
            setup_time: self.setup_time,
        }
    }
}

/// A method by name, or the planner's choice.
#[derive(Clone, Copy)]
pub(crate) enum Choice {
    Auto,
    Named(Method),
}

fn method() -> impl TypedValueParser<Value = Choice> {
    let names = Method::ALL.map(Method::name);
    PossibleValuesParser::new(["auto"].into_iter().chain(names)).map(|name| match name.parse() {
        Ok(method) => Choice::Named(method),
        Err(_) => Choice::Auto, // the only other name in the list
    })
}
