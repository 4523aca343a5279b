//! The arguments of `samplez bench`.

use super::recipe::Whole;
use super::values::{bulk_bytes, count, few_threads, source, within};
use crate::files::NamedDtype;
use crate::seeds::Sources;
use clap::{Args, Subcommand};
use samplez::{Method, Source};
use std::num::NonZeroUsize;

/// Measure speeds on this machine
#[derive(Subcommand)]
pub(crate) enum Bench {
    Sample(BenchSample),
    Sources(BenchSources),
    Schemes(BenchSchemes),
}

/// Measure the bytes per second of every source, beside OpenSSL's ciphers in the same run
///
/// Each source is measured in bulk and by draws of 8 bytes, with its bytes of state and of stack.
/// The baselines are `openssl speed` of AES-256-CTR, with the machine's instructions and without, and of ChaCha20.
/// Without openssl, the report has no baselines.
///
/// Example: samplez bench sources --sources chacha20,kiss64 --count 1e6
#[derive(Args)]
pub(crate) struct BenchSources {
    /// The sources, separated by commas, or all
    #[arg(long, value_name = "NAMES", default_value = "all", value_parser = Sources::parse)]
    pub(crate) sources: Sources,
    /// The bytes of a round, at least 65536: 10_000_000 or 1e7
    #[arg(long, value_name = "N", default_value = "16777216", value_parser = bulk_bytes, allow_hyphen_values = true)]
    pub(crate) count: u64,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Measure samples per second, beside the source alone and plain cdt in the same run
///
/// The samples are made as in `samplez sample`, part by part in the same memory. Each figure is the median of nine rounds:
/// of the thread's processor time, or of wall-clock time for several threads.
///
/// Example: samplez bench sample --sigma 3.2 --count 1e5
#[derive(Args)]
pub(crate) struct BenchSample {
    #[command(flatten)]
    pub(crate) recipe: Whole,
    /// The source of the random bits, see `samplez sources`
    #[arg(long, value_name = "NAME", default_value = "chacha20", value_parser = source())]
    pub(crate) source: Source,
    /// The integer type [default: the narrowest that holds the support]
    #[arg(long, value_name = "TYPE", value_parser = NamedDtype::parser())]
    pub(crate) dtype: Option<NamedDtype>,
    /// The number of threads
    #[arg(long, value_name = "N", default_value = "1", value_parser = few_threads, allow_hyphen_values = true)]
    pub(crate) threads: NonZeroUsize,
    /// The samples of a round: 1000, 10_000_000 or 1e7
    #[arg(long, value_name = "N", default_value = "4194304", value_parser = count, allow_hyphen_values = true)]
    pub(crate) count: u64,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The schemes.
const SCHEMES: [&str; 3] = ["bliss", "lp11", "regev"];

/// Measure every scheme's operations: time, attempts, and the share of sampling in the time
///
/// The command measures each sampler and source, one after the other, on one thread. It prints the papers' figures below,
/// beside ours.
///
/// Example: samplez bench schemes --sets ring-256 --turn 20
#[derive(Args)]
pub(crate) struct BenchSchemes {
    /// The schemes, separated by commas [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = SCHEMES, default_values = SCHEMES, hide_default_value = true)]
    pub(crate) schemes: Vec<String>,
    /// The parameter sets, separated by commas, see `samplez scheme sets` [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) sets: Option<Vec<String>>,
    /// The samplers, separated by commas: methods, or "default" for the scheme's own choice
    #[arg(long, value_name = "NAMES", default_value = "default,cdt-guided", value_parser = Noises::parse)]
    pub(crate) methods: Noises,
    /// The sources, separated by commas; cryptographic ones that take a seed
    #[arg(long, value_name = "NAMES", default_value = "chacha20", value_parser = Sources::parse)]
    pub(crate) sources: Sources,
    /// The time for which each operation is repeated, in milliseconds, 1 to 60000; at least 15 repetitions
    #[arg(long, value_name = "MS", default_value_t = 200, value_parser = |text: &str| within(text, 1..=60_000_u32), allow_hyphen_values = true)]
    pub(crate) turn: u32,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Methods by name; none stands for the scheme's own choice.
#[derive(Clone, Debug)]
pub(crate) struct Noises(pub(crate) Vec<Option<Method>>);

impl Noises {
    fn parse(text: &str) -> Result<Noises, String> {
        let methods = text.split(',').map(|name| match name.trim() {
            "default" => Ok(None),
            name => name.parse::<Method>().map(Some),
        });
        methods.collect::<Result<_, _>>().map(Noises).map_err(|error| format!("{error}, or default"))
    }
}
