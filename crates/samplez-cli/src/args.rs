//! The arguments.

mod bench;

pub(crate) use bench::{Bench, BenchMatrix, BenchPapers, BenchSample, BenchSources, BenchTradeoff, Timing};

use crate::failure::Failure;
use crate::files::{Dtype, Format};
use crate::seeds::{SeedArgs, SeedPlan, Sources};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum, value_parser};
use samplez::{DiscreteGaussian, Method, Options, Rational, Source, Width};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

const EXIT_CODES: &str = "\
Exit codes:
  0    done (verify: the samples are consistent with the law)
  1    verify: the samples are rejected
  2    wrong arguments or wrong input
  3    the system failed: disk full, file not writable, no entropy
  4    the reader of standard output closed the pipe
  130  interrupted (143 terminated, 129 hung up); no partial file is left";

/// Discrete Gaussian sampling over the integers: sample, verify, certify, plot.
///
/// The law is D_Z(σ, c): P(X = x) is proportional to exp(-(x-c)²/(2σ²)) for every integer x.
/// Numbers are exact: 3.2, 16/5 and 1.6e5 are taken as the rationals that they are.
#[derive(Parser)]
#[command(name = "samplez", version, after_help = EXIT_CODES, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Sample(Sample),
    Round(Round),
    Verify(Verify),
    Certify(Certify),
    Plot(Plot),
    #[command(mut_group("width", |group| group.required(false)))]
    Methods(Methods),
    Plan(Plan),
    Papers(Papers),
    /// List the random sources
    Sources,
    Bytes(Bytes),
    Seeding(Seeding),
    /// Measure speeds on this machine
    #[command(subcommand)]
    Bench(Bench),
}

/// Draw samples, to a file or to standard output
///
/// The same seed gives the same integers for every number of threads, type and format.
/// A file appears whole or not at all. Standard output carries nothing but data.
#[derive(Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Sample {
    #[command(flatten)]
    pub(crate) law: Law,
    /// How many samples: 1000, 10_000_000 or 1e7
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    pub(crate) count: u64,
    #[command(flatten)]
    pub(crate) build: Build,
    /// Where the random bits come from
    #[arg(long, value_name = "NAME", default_value = "chacha20", value_parser = source())]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    /// Threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = threads, allow_hyphen_values = true)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// The format [default: by the extension of --out: .txt .csv .npy .raw .bin; text to
    /// standard output]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// The integer type [default: the narrowest that holds the support]
    #[arg(long, value_enum, value_name = "TYPE")]
    pub(crate) dtype: Option<Dtype>,
    /// The file [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// No summary and no progress bar
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Round numbers to integers, each by the discrete Gaussian around it
///
/// The file has one centre in each line, a decimal or a fraction; for each, --count integers of
/// D_Z(σ, centre) are written, one in a line.
#[derive(Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Round {
    /// The file of centres; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The width, as σ
    #[arg(long, value_name = "Q", value_parser = rational, allow_hyphen_values = true)]
    pub(crate) sigma: Rational,
    /// How
    #[arg(long, value_enum, value_name = "NAME", default_value_t = Rounding::Karney)]
    pub(crate) method: Rounding,
    /// Integers for each centre: 1000, 10_000_000 or 1e7
    #[arg(long, value_name = "N", default_value = "1", value_parser = count, allow_hyphen_values = true)]
    pub(crate) count: u64,
    /// Where the random bits come from
    #[arg(long, value_name = "NAME", default_value = "chacha20", value_parser = source())]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    /// The file [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Methods that take a centre with each call.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Rounding {
    /// Exact; rational σ and centres; variable time
    Karney,
    /// Within 2^-51 of the law; σ from 1 to 2^26; the time does not depend on the integers
    Isochronous,
}

/// Judge a file of integers, ours or anyone's: is it consistent with the law?
///
/// Exit code 0 if it is, 1 if not, 2 if the file cannot be judged.
#[derive(Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Verify {
    /// The file; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) law: Law,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress bar
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Print a sampler's certificate: how far its law is from the ideal one, and what it costs
///
/// All bounds are upper bounds, computed by interval arithmetic from the table that is used.
#[derive(Args)]
pub(crate) struct Certify {
    #[command(flatten)]
    pub(crate) law: Law,
    #[command(flatten)]
    pub(crate) build: Build,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Draw the histogram of a file over the exact law, with residuals
#[derive(Args)]
pub(crate) struct Plot {
    /// The file of samples; - is standard input
    #[arg(long = "in", value_name = "FILE")]
    pub(crate) input: PathBuf,
    #[command(flatten)]
    pub(crate) law: Law,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// The picture, .svg or .png [default: draw in the terminal]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// No progress bar
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// List the methods with their profile for one law (σ = 3.2 unless told)
#[derive(Args)]
pub(crate) struct Methods {
    #[command(flatten)]
    pub(crate) law: Law,
    #[command(flatten)]
    pub(crate) tables: Tables,
    /// Measure each method's speed: samples to i64 on one thread over ChaCha20
    #[arg(long)]
    pub(crate) measure: bool,
}

/// Write a source's raw bytes to standard output, for test suites and other programs
///
/// This is the source's one continuous stream, not the stream of blocks that `sample` draws from.
/// Without --count it ends when its reader closes the pipe, which is no error then.
#[derive(Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Bytes {
    /// The source, see `samplez sources`
    #[arg(long, value_name = "NAME", value_parser = source())]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    /// A DRBG's entropy input in place of a seed, at least 32 bytes
    #[arg(long, value_name = "HEX", requires = "nonce")]
    pub(crate) entropy: Option<String>,
    /// A DRBG's nonce, at least 16 bytes
    #[arg(long, value_name = "HEX", requires = "entropy")]
    pub(crate) nonce: Option<String>,
    /// A DRBG's personalization string
    #[arg(long, value_name = "HEX", requires = "entropy")]
    pub(crate) personalization: Option<String>,
    /// How many bytes: 1000, 10_000_000 or 1e7 [default: no end]
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    pub(crate) count: Option<u64>,
}

/// Count the papers' random bits, trials and bytes again, beside the papers' figures
///
/// The algorithms whose bits are counted are the papers' own, corrected where docs/errata.md says so; the library's samplers
/// draw wider. Exact is the expectation, summed where it has a sum; measured is a mean.
#[derive(Args)]
pub(crate) struct Papers {
    /// Repetitions for each mean, 1000 to 100000000
    #[arg(long, value_name = "N", default_value_t = 400_000, value_parser = value_parser!(u32).range(1000..=100_000_000), allow_hyphen_values = true)]
    pub(crate) repetitions: u32,
}

/// Name the best method for a law and a budget, with its options, and say why
///
/// What is planned has been built, so it works. Setup time and speed are estimates, for the machine
/// of benches/RESULTS.md; `samplez methods --measure` measures yours. `--method auto`, the default
/// of the other commands, follows the same plan.
#[derive(Args)]
pub(crate) struct Plan {
    #[command(flatten)]
    pub(crate) law: Law,
    #[command(flatten)]
    pub(crate) tables: Tables,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Run every source well and badly seeded under a sampler, and judge what comes out
///
/// Writes pictures (SVG and PNG) of the running mean, its distance from the law's mean, the mean
/// against σ, and the first samples one by one, with their figures as CSV. The verdicts are
/// those of tests with a stated error probability, not of the eye.
#[derive(Args)]
pub(crate) struct Seeding {
    #[command(flatten)]
    pub(crate) law: Law,
    #[command(flatten)]
    pub(crate) build: Build,
    /// The seeds: zeros, os, time, file:PATH, or 64 hexadecimal digits for every source
    /// [default: os, then zeros]
    #[arg(long, value_name = "SEED", value_parser = SeedPlan::parse)]
    pub(crate) seed: Option<SeedPlan>,
    /// The sources, separated by commas, or all
    #[arg(long, value_name = "NAMES", default_value = "all", value_parser = Sources::parse)]
    pub(crate) sources: Sources,
    /// Samples of each run
    #[arg(long, value_name = "N", default_value = "1e6", value_parser = count, allow_hyphen_values = true)]
    pub(crate) count: u64,
    /// The folder for pictures and figures, made if need be
    #[arg(long, value_name = "DIR", default_value = "seeding")]
    pub(crate) out: PathBuf,
}

/// The law D_Z(σ, c).
#[derive(Args)]
pub(crate) struct Law {
    #[command(flatten)]
    width: WidthArgs,
    /// The centre c, any rational
    #[arg(long, value_name = "C", default_value = "0", value_parser = rational, allow_hyphen_values = true)]
    center: Rational,
}

#[derive(Args)]
#[group(id = "width", required = true, multiple = false)]
struct WidthArgs {
    /// The width, as σ
    #[arg(long, value_name = "Q", value_parser = rational, allow_hyphen_values = true)]
    sigma: Option<Rational>,
    /// The width, as σ²
    #[arg(long, value_name = "Q", value_parser = rational, allow_hyphen_values = true)]
    sigma_squared: Option<Rational>,
    /// The width, as k with σ = k·sqrt(1/(2 ln 2))
    #[arg(long = "k-sigma2", value_name = "Q", value_parser = rational, allow_hyphen_values = true)]
    k_sigma2: Option<Rational>,
    /// The width, as s with σ = s/sqrt(2π)
    #[arg(long, value_name = "Q", value_parser = rational, allow_hyphen_values = true)]
    s: Option<Rational>,
}

impl Law {
    /// The law that the arguments state.
    pub(crate) fn law(&self) -> Result<DiscreteGaussian, Failure> {
        self.law_or(None)
    }

    /// The law that the arguments state. The parser has seen to a width, except where none is
    /// needed: then it is `default`.
    pub(crate) fn law_or(&self, default: Option<Width>) -> Result<DiscreteGaussian, Failure> {
        let WidthArgs { sigma, sigma_squared, k_sigma2, s } = &self.width;
        let width = (sigma.map(Width::Sigma))
            .or(sigma_squared.map(Width::SigmaSq))
            .or(k_sigma2.map(Width::KSigma2))
            .or(s.map(Width::S))
            .or(default)
            .ok_or_else(|| {
                Failure::Input("a width is missing: give --sigma, --sigma-squared, --k-sigma2 or --s".into())
            })?;
        DiscreteGaussian::new(self.center, width).map_err(|error| Failure::Input(error.to_string()))
    }
}

/// Which sampler.
#[derive(Args)]
pub(crate) struct Build {
    /// The method; auto chooses by the law, see `samplez methods`
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = method())]
    pub(crate) method: Choice,
    #[command(flatten)]
    pub(crate) tables: Tables,
}

/// What a method's tables may be. A method takes what concerns it.
#[derive(Args)]
pub(crate) struct Tables {
    /// Precision of a table, in bits, 1 to 256; exact methods have none
    #[arg(long, value_name = "BITS", default_value_t = Options::default().precision, value_parser = value_parser!(u32).range(1..=256), allow_hyphen_values = true)]
    pub(crate) precision: u32,
    /// The largest table that may be built, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = Options::default().max_table_bytes, value_parser = bytes, allow_hyphen_values = true)]
    memory: u64,
    /// ziggurat: the number of rectangles, 2 to 65536 [default: 256 or what fits in --memory; auto:
    /// up to 1024]
    #[arg(long, value_name = "M", value_parser = value_parser!(u32).range(2..=65536))]
    rectangles: Option<u32>,
    /// ziggurat, rejection-table: where the support ends, in σ
    #[arg(long, value_name = "T", default_value_t = Options::default().tail, value_parser = rational, allow_hyphen_values = true)]
    tail: Rational,
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
    /// samples. auto then takes isochronous too, within 2^-46 of the law whatever the precision
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
            max_table_bytes: self.memory,
            rectangles: self.rectangles,
            tail: self.tail,
            chord: !self.no_chord,
            pdf_table: self.pdf_table,
            exact: self.exact,
            frugal: self.frugal,
            constant_time: self.constant_time,
            isochronous: self.isochronous,
            max_setup: self.setup_time,
        }
    }
}

/// How to read a file.
#[derive(Args)]
pub(crate) struct Reading {
    /// The format [default: by the extension: .txt .csv .npy .raw .bin; else npy if the file
    /// starts like one, and text otherwise]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// The integer type of a raw file
    #[arg(long, value_enum, value_name = "TYPE")]
    pub(crate) dtype: Option<Dtype>,
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

fn source() -> impl TypedValueParser<Value = Source> {
    PossibleValuesParser::new(Source::ALL.map(Source::name)).try_map(|name| name.parse())
}

fn rational(text: &str) -> Result<Rational, samplez::ParseRationalError> {
    text.parse()
}

/// A whole number above 0, in any exact notation, with `_` between digits if one likes.
fn count(text: &str) -> Result<u64, String> {
    let allowed = "allowed are whole numbers from 1 to 2^63-1, such as 1000, 10_000_000 or 1e7";
    let between_digits = text.split('_').all(|part| !part.is_empty());
    let number = text.replace('_', "").parse::<Rational>().ok().filter(|q| between_digits && q.is_integer());
    number.and_then(|q| u64::try_from(q.num()).ok()).filter(|n| *n > 0).ok_or_else(|| allowed.to_string())
}

/// As [`count`], from 2^16 on.
fn bulk_bytes(text: &str) -> Result<u64, String> {
    let enough = count(text).ok().filter(|n| *n >= 1 << 16);
    enough.ok_or_else(|| "allowed are whole numbers from 65536 to 2^63-1, such as 10_000_000 or 1e7".into())
}

fn bytes(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "allowed are whole numbers of bytes from 0 on, such as 4096".into())
}

/// Up to a century.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=3.2e9).contains(seconds));
    let allowed = "allowed are numbers of seconds from 0 on, such as 0.05 or 2";
    seconds.map(Duration::from_secs_f64).ok_or_else(|| allowed.into())
}

const MAX_THREADS: usize = 1024;

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|n: &NonZeroUsize| n.get() <= MAX_THREADS);
    number.ok_or_else(|| format!("allowed are whole numbers from 1 to {MAX_THREADS}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn counts() {
        for (text, n) in
            [("1", 1), ("10_000_000", 10_000_000), ("1e7", 10_000_000), ("2.5e3", 2500), ("1e18", 10_u64.pow(18))]
        {
            assert_eq!(count(text), Ok(n), "{text}");
        }
        for text in ["0", "-1", "1.5", "", "_", "1_", "_1", "1__0", "nan", "1e40", "ten", "9223372036854775808"] {
            assert!(count(text).is_err(), "{text}");
        }
    }
}
