//! The arguments.

mod bench;
mod circuit;
mod deferred;
mod finite;
mod lattice;
mod recipe;
mod scheme;
mod table;
mod target;
mod values;

pub(crate) use bench::{Bench, BenchSample, BenchSchemes, BenchSources};
pub(crate) use circuit::Circuit;
use deferred::Deferred;
pub(crate) use deferred::parsed;
pub(crate) use finite::{Finite, alone};
pub(crate) use lattice::Lattice;
pub use recipe::{Law, Whole};
pub(crate) use recipe::{Open, Sampler};
pub(crate) use scheme::{
    BlissKeygen, BlissSign, BlissVerify, Decrypt, Encrypt, Encryption, Keygen, NewKeys, Random, Scheme, SchemeSets,
    SignerName, Signing,
};
pub(crate) use table::{AuditArgs, Table, Text};
pub(crate) use target::{Modulus, Target};

use crate::files::{Format, NamedDtype};
use crate::seeds::SeedArgs;
use clap::{Args, Parser, Subcommand};
use samplez::{Rational, RoundMethod, Source};
use std::num::NonZeroUsize;
use std::path::PathBuf;
pub(crate) use values::Renyi;
#[cfg(feature = "testing")]
pub use values::precision;
use values::{EXIT_CODES, alpha, block, few_threads, per_time, rational, renyi, round_method, threads};
pub use values::{count, source};

/// Discrete Gaussian integers. To begin: samplez sample --sigma 3.2 --count 10
///
/// The distribution is D_Z(σ, c): P(X = x) is proportional to exp(-(x-c)²/(2σ²)) for every integer x.
/// Numbers are exact: 3.2, 16/5 and 1.6e5 are read as rationals.
#[derive(Parser)]
#[command(name = "samplez", version, after_help = EXIT_CODES, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Sample(Deferred<Sample>),
    Round(Deferred<Round>),
    Lattice(Deferred<Lattice>),
    Verify(Deferred<Verify>),
    Identify(Deferred<Identify>),
    Watch(Deferred<Watch>),
    Certify(Deferred<Certify>),
    Table(Deferred<Table>),
    Circuit(Deferred<Circuit>),
    Plot(Deferred<Plot>),
    Methods(Deferred<Methods>),
    Plan(Deferred<Plan>),
    Sources(Deferred<ListSources>),
    Bytes(Deferred<Bytes>),
    #[command(subcommand)]
    Scheme(Deferred<Scheme>),
    #[command(subcommand)]
    Bench(Deferred<Bench>),
    Completions(Deferred<Completions>),
    Man(Deferred<Man>),
}

/// Draw samples, to a file or to standard output
///
/// The same seed gives the same integers for every number of threads, type and format.
/// A file appears whole or not at all. Standard output contains only data.
///
/// Example: samplez sample --sigma 3.2 --count 1e5 --out noise.npy
#[derive(Args)]
#[command(after_help = EXIT_CODES)]
#[command(mut_group("law", |group| group.args(finite::names()).arg("sparse_ternary")))]
pub(crate) struct Sample {
    #[command(flatten)]
    pub(crate) recipe: Whole,
    #[command(flatten)]
    pub(crate) finite: Finite<false>,
    /// One vector of --count entries in -1, 0 and 1, uniform over those with W entries that are not 0
    #[arg(long, value_name = "W", value_parser = count, allow_hyphen_values = true,
        conflicts_with_all = ["finite", "block"], help_heading = "Distribution, instead of a Gaussian")]
    pub(crate) sparse_ternary: Option<u64>,
    /// The number of samples: 1000, 10_000_000 or 1e7
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    pub(crate) count: u64,
    /// Write only block I of N = --count samples: samples I·N to (I + 1)·N - 1 of this recipe, source and seed. Requires --seed, or
    /// --seed-from file:PATH [default: block 0]
    #[arg(long, value_name = "I", value_parser = block, allow_hyphen_values = true)]
    pub(crate) block: Option<u64>,
    /// The source of the random bits, see `samplez sources`
    #[arg(long, value_name = "NAME", default_value = "chacha20", value_parser = source())]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    /// The number of threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = threads, allow_hyphen_values = true)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// The format [default: by the extension of --out: .txt .csv .npy .raw .bin; text to
    /// standard output]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// The integer type [default: the narrowest that holds the support]
    #[arg(long, value_name = "TYPE", value_parser = NamedDtype::parser())]
    pub(crate) dtype: Option<NamedDtype>,
    /// The file [default, and -: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// No summary and no progress bar
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Round each number of a file to an integer, by the discrete Gaussian around it
///
/// The file has one centre in each line, a decimal or a fraction. Lines that begin with # are ignored. A CSV file (.csv, or
/// with --column) and NumPy's .npy of float64 are also read. The first row of a CSV file may name the columns. For each
/// centre the command writes --count integers of D_Z(σ, centre), in the formats of `sample`.
///
/// Example: echo 10/3 | samplez round - --sigma 3.2
#[derive(Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Round {
    /// The file of centres; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The width, as σ
    #[arg(long, value_name = "Q", value_parser = rational, allow_hyphen_values = true)]
    pub(crate) sigma: Rational,
    /// The rounding method
    #[arg(long, value_name = "NAME", default_value = RoundMethod::default().name(), value_parser = round_method())]
    pub(crate) method: RoundMethod,
    /// Integers for each centre: 1000, 10_000_000 or 1e7
    #[arg(long, value_name = "N", default_value = "1", value_parser = count, allow_hyphen_values = true)]
    pub(crate) count: u64,
    /// The source of the random bits, see `samplez sources`
    #[arg(long, value_name = "NAME", default_value = "chacha20", value_parser = source())]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    /// The column of a CSV file of centres: its name in the first row, or its number from 1. Required if there are several
    #[arg(long, value_name = "NAME|N")]
    pub(crate) column: Option<String>,
    /// The format of the integers [default: by the extension of --out: .txt .csv .npy .raw .bin; text to
    /// standard output]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// The integer type of npy and raw [default: i64]
    #[arg(long, value_name = "TYPE", value_parser = NamedDtype::parser())]
    pub(crate) dtype: Option<NamedDtype>,
    /// The file [default, and -: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Test whether a file of integers is consistent with a distribution, or with another file
///
/// The integers may be from any program. The exit code is 0 if they are consistent and 1 if they are rejected. It is 2 if
/// the file cannot be tested. docs/verify-tests.md describes each test. If D_Z is rejected, and the rounded normal with the
/// same σ and centre is not, the last line names it. With --modulus, the file contains residues.
///
/// Example: samplez verify noise.npy --sigma 3.2
#[derive(Args)]
#[command(after_help = EXIT_CODES)]
#[command(mut_group("law", |group| group.args(finite::names()).arg("against")))]
pub(crate) struct Verify {
    /// The file; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Compare with this file, instead of a distribution: are both independent samples of the same distribution? The default
    /// format is that of the first file, if the extension names none
    #[arg(long, value_name = "FILE", conflicts_with_all = ["width", "center", "recipe", "finite", "family", "clip", "range", "modulus"])]
    pub(crate) against: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) law: Law,
    #[command(flatten)]
    pub(crate) finite: Finite<true>,
    #[command(flatten)]
    pub(crate) target: Target,
    #[command(flatten)]
    pub(crate) how: Judging,
}

/// Find the distributions that a file of integers is consistent with, and their parameters
///
/// The command fits each distribution that `verify` tests, the rounded Laplace, Poisson and uniform ones, and the sum of two discrete
/// Laplace variables to all integers by maximum likelihood, and tests it. It prints which are consistent, which are rejected and by which test, and about how many samples would
/// separate the two likeliest. The exit code is 0 if a distribution is consistent, 1 if none is or the integers depend on each
/// other, and 2 if the file cannot be tested. Residues modulo Q are recognized if they fill 0 to Q - 1 with most at both ends.
///
/// Example: samplez identify noise.npy
#[derive(Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Identify {
    /// The file; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) how: Judging,
}

/// Watch a stream of integers against a distribution: look whenever you like, for as long as it runs
///
/// The command adds the integers of FILE to a state, and prints e, the gain of bets against the distribution. Ideal samples
/// bring e to 1/ALPHA with probability at most ALPHA in the whole life of the state, however often you look. The exit code is 1
/// from then on, and 0 before. The state contains counts and no samples. A file is added whole or not at all,
/// and an alarm ends the reading; the state of standard input is saved every 2^24 integers and at the end.
///
/// Example: samplez watch noise.npy --sigma 3.2 --state noise.watch
#[derive(Args)]
#[command(after_help = EXIT_CODES)]
#[command(mut_group("law", |group| group.args(finite::names())))]
pub(crate) struct Watch {
    /// The file; - is standard input
    #[arg(value_name = "FILE", required_unless_present = "merge")]
    pub(crate) file: Option<PathBuf>,
    /// The file of the state, created if missing [default: none, and e begins at 1]
    #[arg(long, value_name = "STATE")]
    pub(crate) state: Option<PathBuf>,
    /// Multiply the gains of these states, of independent streams, and write nothing
    #[arg(long, value_name = "STATE", num_args = 1.., conflicts_with_all = ["file", "state", "format", "dtype", "column"])]
    pub(crate) merge: Vec<PathBuf>,
    /// The probability of an alarm in the life of a state of ideal samples
    #[arg(long, value_name = "ALPHA", default_value = "1e-6", value_parser = alpha, allow_hyphen_values = true)]
    pub(crate) alpha: f64,
    #[command(flatten)]
    pub(crate) law: Law,
    #[command(flatten)]
    pub(crate) finite: Finite<true>,
    #[command(flatten)]
    pub(crate) target: Target,
    #[command(flatten)]
    pub(crate) modulus: Modulus,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress bar
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Print a sampler's certificate: how far its distribution is from the ideal one, and its costs
///
/// All bounds are upper bounds, computed by interval arithmetic from the sampler's table. With --table, the command
/// certifies a table from any program, also against a rounded normal (--law) or a cut distribution (--clip, --range).
///
/// Example: samplez certify --sigma 3.2 --method cdt --precision 128
#[derive(Args)]
#[command(mut_group("law", |group| group.args(finite::names()).arg("table")))]
pub(crate) struct Certify {
    #[command(flatten)]
    pub(crate) recipe: Whole,
    #[command(flatten)]
    pub(crate) finite: Finite<false>,
    #[command(flatten)]
    pub(crate) audited: AuditArgs,
    #[command(flatten)]
    pub(crate) target: Target,
    /// The most samples that a game draws in a unit of the adversary's time: 1, 4096 or 1e6. The bits kept depend on it
    #[arg(long, value_name = "N", value_parser = per_time, default_value = "1", allow_hyphen_values = true)]
    pub(crate) samples_per_time: u64,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Draw the histogram of a file over the exact distribution, with residuals
///
/// Example: samplez plot noise.npy --sigma 3.2 --out noise.svg
#[derive(Args)]
#[command(mut_group("law", |group| group.args(finite::names())))]
pub(crate) struct Plot {
    /// The file of samples; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) law: Law,
    #[command(flatten)]
    pub(crate) target: Target,
    #[command(flatten)]
    pub(crate) finite: Finite<true>,
    #[command(flatten)]
    pub(crate) modulus: Modulus,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// The picture, .svg or .png [default: draw in the terminal]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// No progress bar
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// List the methods and their properties for one distribution [default: σ = 3.2]
///
/// Example: samplez methods --sigma 215
#[derive(Args)]
#[command(mut_group("law", |group| group.required(false)))]
pub(crate) struct Methods {
    #[command(flatten)]
    pub(crate) recipe: Open,
    /// Measure each method's speed: samples to i64 on one thread over ChaCha20
    #[arg(long)]
    pub(crate) measure: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// List the random sources
///
/// Example: samplez sources --self-test
#[derive(Args)]
pub(crate) struct ListSources {
    /// Test every cryptographic source against known answers; the exit code is 3 if a test fails
    #[arg(long)]
    pub(crate) self_test: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Write a shell's completions to standard output
///
/// For bash, write them to ~/.local/share/bash-completion/completions/samplez. For zsh, write them to a file _samplez in a
/// folder of $fpath. For fish, write them to ~/.config/fish/completions/samplez.fish. For PowerShell, load them in $PROFILE.
/// `make install` installs all of them.
///
/// Example: samplez completions bash > samplez.bash
#[derive(Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

/// Write the manual: the page of samplez to standard output, or the pages of all commands to a folder
///
/// Example: samplez man --out man1
#[derive(Args)]
pub(crate) struct Man {
    /// The folder for samplez.1, samplez-sample.1 and so on, created if missing [default: standard output]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// Write a source's raw bytes to standard output, for test suites and other programs
///
/// The bytes are the source's one continuous stream, not the stream of blocks that `sample` uses.
/// Without --count, the command writes until the pipe is broken, and exits with 0.
///
/// Example: samplez bytes --source chacha20 --seed 42 --count 32 > bytes.bin
#[derive(Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Bytes {
    /// The source, see `samplez sources`
    #[arg(long, value_name = "NAME", value_parser = source())]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    /// A DRBG's entropy input, instead of a seed; at least 32 bytes
    #[arg(long, value_name = "HEX", requires = "nonce")]
    pub(crate) entropy: Option<String>,
    /// A DRBG's nonce, at least 16 bytes
    #[arg(long, value_name = "HEX", requires = "entropy")]
    pub(crate) nonce: Option<String>,
    /// A DRBG's personalization string
    #[arg(long, value_name = "HEX", requires = "entropy")]
    pub(crate) personalization: Option<String>,
    /// The number of bytes: 1000, 10_000_000 or 1e7 [default: unlimited]
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    pub(crate) count: Option<u64>,
}

/// Choose the best method and options for a distribution and a budget, and give the reasons
///
/// The command also builds the sampler, so a plan always works. Setup time is an estimate for the machine of
/// benches/RESULTS.md. The speeds were measured with default options, on a machine with the instructions that the plan
/// names. `samplez methods --measure` measures your machine. `--method auto`, the default of the other commands, follows
/// the same plan.
///
/// With --renyi, the plan is a certified sampler with the least precision that meets the bound. An exact sampler, the default,
/// meets every bound.
///
/// Example: samplez plan --sigma 32 --memory 2080
#[derive(Args)]
#[command(mut_group("law", |group| group.args(finite::names())))]
pub(crate) struct Plan {
    #[command(flatten)]
    pub(crate) recipe: Open,
    #[command(flatten)]
    pub(crate) finite: Finite<false>,
    /// Choose the least precision whose certificate has R_ORDER - 1 <= 2^LOG2. ORDER is 2, 256, 513 or inf: --renyi 2:-100
    #[arg(long, value_name = "ORDER:LOG2", value_parser = renyi, allow_hyphen_values = true)]
    pub(crate) renyi: Option<Renyi>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// How to read and judge a file of integers.
#[derive(Args)]
pub(crate) struct Judging {
    #[command(flatten)]
    pub(crate) modulus: Modulus,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// The number of threads. The report is the same for any number
    #[arg(long, value_name = "N", default_value = "1", value_parser = few_threads, allow_hyphen_values = true)]
    pub(crate) threads: NonZeroUsize,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress bar
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// How to read a file.
#[derive(Args)]
pub(crate) struct Reading {
    /// The format [default: by the extension: .txt .csv .tsv .npy .raw .bin; otherwise npy if the file begins with
    /// NumPy's magic bytes, else text, in columns or not]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// The integer type of a raw file; required for raw
    #[arg(long, value_name = "TYPE", value_parser = NamedDtype::parser())]
    pub(crate) dtype: Option<NamedDtype>,
    /// The column of a text with several, between commas, semicolons, tabs or blanks: its name in the first row, or its number
    /// from 1. Required if there are several; pandas' index column does not count
    #[arg(long, value_name = "NAME|N")]
    pub(crate) column: Option<String>,
    /// Whether the numbers of a text are one stream in any case.
    #[arg(skip)]
    pub(crate) is_stream: bool,
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
