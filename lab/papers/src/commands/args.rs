//! The arguments of `samplez-lab`.

use clap::{Args, Parser, Subcommand, value_parser};
use samplez::{Method, Source};
use samplez_cli::testing::{Law, Sources, Whole, count, precision, source};
use std::path::PathBuf;

/// What the papers report, measured again, and how bad sources show
#[derive(Parser)]
#[command(name = "samplez-lab", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Figure(Figure),
    Papers(Papers),
    RandState(RandOutputs),
    Report(Report),
    Seeding(Seeding),
    /// Measure speeds on this machine
    #[command(subcommand)]
    Bench(Bench),
}

/// What is measured.
#[derive(Subcommand)]
pub(crate) enum Bench {
    #[command(mut_group("law", |group| group.required(false)))]
    Matrix(BenchMatrix),
    Papers(BenchPapers),
    Tradeoff(BenchTradeoff),
}

/// The papers, by their keys.
const PAPERS: [&str; 4] = ["BCGHW13", "DW18", "JSDGS17", "BSOVOGR17"];

/// Measure a figure or a table of a paper by its number; without one, list them
///
/// Prints the files of its charts, as SVG, PNG and CSV, and each number beside the paper's. What is kept in the folder for this machine
/// and commit is not measured again.
#[derive(Args)]
pub(crate) struct Figure {
    /// The paper [default: all]
    #[arg(value_name = "PAPER", value_parser = PAPERS)]
    pub(crate) paper: Option<String>,
    /// The number of the figure [default: all of the paper, as a list]
    #[arg(value_name = "NUMBER", requires = "paper")]
    pub(crate) number: Option<u32>,
    /// The number is that of a table
    #[arg(long, requires = "number")]
    pub(crate) table: bool,
    /// List the figures and tables, without a number
    #[arg(long, conflicts_with_all = ["number", "quick"])]
    pub(crate) list: bool,
    /// In a hurry: fewer points and shorter turns
    #[arg(long)]
    pub(crate) quick: bool,
    /// The folder, made if need be
    #[arg(long, value_name = "DIR", default_value = "out/figures")]
    pub(crate) out: PathBuf,
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
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Recover the state of POSIX's rand() from outputs in a row, and predict the next ones
///
/// Each output is a number below 32768, of a rand() whose state is x = 1103515245 x + 12345. Four outputs are enough nearly always.
#[derive(Args)]
pub(crate) struct RandOutputs {
    /// Outputs in a row, 0 to 32767, oldest first
    #[arg(value_name = "OUTPUT", required = true, value_parser = value_parser!(u16).range(..=0x7fff))]
    pub(crate) outputs: Vec<u16>,
    /// How many of the next outputs to predict, 1 to 1000
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = value_parser!(u16).range(1..=1000), allow_hyphen_values = true)]
    pub(crate) next: u16,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Measure what the papers report, and write one page of their claims beside ours
///
/// Each item is kept as soon as it is measured; what is kept for this machine and commit is not measured again. The page is
/// index.html in the folder, beside findings.csv, findings.jsonl and the figures. docs/papers-reproduced.md says how claims are judged.
#[derive(Args)]
pub(crate) struct Report {
    /// Items, separated by commas: B15a, B15, or all of a paper: B, D, J, S; E for slips of the papers [default: all]
    #[arg(long, value_name = "ITEMS", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// In a hurry: fewer points and shorter turns
    #[arg(long)]
    pub(crate) quick: bool,
    /// Measure again what is kept
    #[arg(long)]
    pub(crate) again: bool,
    /// Findings that others made, in browsers or in Python: a line of JSON for each; can be given again
    #[arg(long, value_name = "FILE")]
    pub(crate) merge: Vec<PathBuf>,
    /// This command of another build, without vectorization; `make report` makes one
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) unvectorized: Option<PathBuf>,
    /// Print the summary as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// No lines on what is being measured
    #[arg(long)]
    pub(crate) quiet: bool,
    /// The folder, made if need be
    #[arg(long, value_name = "DIR", default_value = "out/report")]
    pub(crate) out: PathBuf,
}

/// Run every source well and badly seeded under a sampler, and judge what comes out
///
/// Writes pictures (SVG) of the running mean, its distance from the law's mean, the mean
/// against σ, and the first samples one by one, with their figures as CSV. The verdicts are
/// those of tests with a stated error probability, not of the eye.
#[derive(Args)]
pub(crate) struct Seeding {
    #[command(flatten)]
    pub(crate) recipe: Whole,
    /// The seeds: zeros, os, time, file:PATH, or for every source 64 hexadecimal digits or a number
    /// below 2^64 [default: os, then zeros]
    #[arg(long, value_name = "SEED", allow_hyphen_values = true)]
    pub(crate) seed: Option<String>,
    /// The sources, separated by commas, or all
    #[arg(long, value_name = "NAMES", default_value = "all", value_parser = Sources::parse)]
    pub(crate) sources: Sources,
    /// Samples of each run
    #[arg(long, value_name = "N", default_value = "1e6", value_parser = count, allow_hyphen_values = true)]
    pub(crate) count: u64,
    /// The folder for pictures and figures, made if need be
    #[arg(long, value_name = "DIR", default_value = "seeding")]
    pub(crate) out: PathBuf,
    /// Print the summary as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Samplers over sources: speed, and random bytes a sample
///
/// Without a width sigma = 215, or k = 254 (215.73) for methods that take a whole k. Every sampler
/// draws from one continuous stream of the source, whose bytes are counted.
#[derive(Args)]
pub(crate) struct BenchMatrix {
    #[command(flatten)]
    pub(crate) law: Law,
    /// The methods, separated by commas
    #[arg(long, value_name = "NAMES", default_value = "bernoulli,cdt,ziggurat", value_parser = MethodList::parse)]
    pub(crate) methods: MethodList,
    /// Precision of the tables, in bits, 1 to 256
    #[arg(long, value_name = "BITS", default_value = "64", value_parser = precision, allow_hyphen_values = true)]
    pub(crate) precision: u32,
    /// Also the forms that draw bit by bit, of methods that have one
    #[arg(long)]
    pub(crate) frugal: bool,
    /// The sources, separated by commas, or all
    #[arg(long, value_name = "NAMES", default_value = "all", value_parser = Sources::parse)]
    pub(crate) sources: Sources,
    /// Samples in a round: 1000, 10_000_000 or 1e7
    #[arg(long, value_name = "N", default_value = "131072", value_parser = count, allow_hyphen_values = true)]
    pub(crate) count: u64,
    /// A folder for matrix.csv, matrix.json and two figures, made if need be
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Methods by name.
#[derive(Clone, Debug)]
pub(crate) struct MethodList(pub(crate) Vec<Method>);

impl MethodList {
    fn parse(text: &str) -> Result<MethodList, String> {
        let methods = text.split(',').map(|name| name.trim().parse::<Method>());
        methods.collect::<Result<_, _>>().map(MethodList).map_err(|error| error.to_string())
    }
}

/// The widths of the papers.
const PAPERS_SIGMAS: [&str; 8] = ["3.3311", "10", "32", "55.5649", "107", "215", "1000", "1.6e5"];

/// The widths of \[BCGHW13\]'s figure.
const TRADEOFF_SIGMAS: [&str; 3] = ["10", "32", "1.6e5"];

/// Every method at the papers' widths and precisions, beside the speeds that the papers state
///
/// Tables of 106, 64 and 128 bits, t = 13. Takes half a minute of processor time, and half a GB of
/// memory at σ = 1.6e5. docs/papers-reproduced.md discusses a run.
#[derive(Args)]
pub(crate) struct BenchPapers {
    /// The widths, separated by commas [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = PAPERS_SIGMAS, default_values = PAPERS_SIGMAS, hide_default_value = true)]
    pub(crate) sigma: Vec<String>,
    #[command(flatten)]
    pub(crate) timing: Timing,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the speeds as CSV
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
}

/// The Ziggurat's speed against its memory, beside inversion and Knuth-Yao: figures and a picture
///
/// 2 to 8192 rectangles, tables of 106 bits, t = 13, as [BCGHW13].
#[derive(Args)]
pub(crate) struct BenchTradeoff {
    /// The widths, separated by commas [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = TRADEOFF_SIGMAS, default_values = TRADEOFF_SIGMAS, hide_default_value = true)]
    pub(crate) sigma: Vec<String>,
    #[command(flatten)]
    pub(crate) timing: Timing,
    /// The folder for tradeoff.csv and tradeoff.svg, made if need be
    #[arg(long, value_name = "DIR", default_value = "tradeoff")]
    pub(crate) out: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// How samplers that take turns are timed.
#[derive(Args)]
pub(crate) struct Timing {
    /// Where the random bits come from
    #[arg(long, value_name = "NAME", default_value = "chacha20", value_parser = source())]
    pub(crate) source: Source,
    /// Turns of each sampler, 1 to 1000; its fastest counts
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u32).range(1..=1000), allow_hyphen_values = true)]
    pub(crate) rounds: u32,
    /// A turn's length in milliseconds of processor time, 1 to 1000
    #[arg(long, value_name = "MS", default_value_t = 10, value_parser = value_parser!(u32).range(1..=1000), allow_hyphen_values = true)]
    pub(crate) turn: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_consistent() {
        Cli::command().debug_assert();
    }
}
