//! The arguments.

mod bench;
mod recipe;
mod scheme;
mod table;
mod values;

pub(crate) use bench::{Bench, BenchSample, BenchSchemes, BenchSources};
pub use recipe::{Law, Whole};
pub(crate) use recipe::{Open, Sampler};
pub(crate) use scheme::{
    BlissKeygen, BlissSign, BlissVerify, Decrypt, Encrypt, Encryption, Keygen, NewKeys, Random, Scheme, SchemeSets,
    SignerName, Signing,
};
pub(crate) use table::{AuditArgs, Table};

use crate::files::{Dtype, Format};
use crate::seeds::SeedArgs;
use clap::{Args, Parser, Subcommand};
use samplez::{Rational, RoundMethod, Source};
use std::num::NonZeroUsize;
use std::path::PathBuf;
#[cfg(feature = "testing")]
pub use values::precision;
use values::{block, rational, round_method, threads};
pub use values::{count, source};

const EXIT_CODES: &str = "\
Exit codes:
  0    done (verify: the samples are consistent with the law)
  1    verify: the samples are rejected
  2    wrong arguments or wrong input
  3    the system failed: disk full, file not writable, no entropy
  141  the reader of standard output closed the pipe; nothing is said
  130  interrupted (143 terminated, 129 hung up); no partial file is left";

/// Discrete Gaussian integers. To begin: samplez sample --sigma 3.2 --count 10
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
    #[command(mut_group("law", |group| group.arg("against")))]
    Verify(Verify),
    Certify(Certify),
    Table(Table),
    Plot(Plot),
    #[command(mut_group("law", |group| group.required(false)))]
    Methods(Methods),
    Plan(Plan),
    Sources(ListSources),
    Bytes(Bytes),
    #[command(subcommand)]
    Scheme(Scheme),
    /// Measure speeds on this machine
    #[command(subcommand)]
    Bench(Bench),
    Completions(Completions),
    Man(Man),
}

/// Draw samples, to a file or to standard output
///
/// The same seed gives the same integers for every number of threads, type and format.
/// A file appears whole or not at all. Standard output carries nothing but data.
#[derive(Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Sample {
    #[command(flatten)]
    pub(crate) recipe: Whole,
    /// How many samples: 1000, 10_000_000 or 1e7
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    pub(crate) count: u64,
    /// Block I of --count samples, from 0: samples number I·N to (I + 1)·N - 1 of this recipe, source and seed, for jobs that each make
    /// a part; with --seed, or --seed-from file:PATH
    #[arg(long, value_name = "I", value_parser = block, allow_hyphen_values = true)]
    pub(crate) block: Option<u64>,
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
/// The file has one centre in each line, a decimal or a fraction, where lines that begin with # do not count; or it is a
/// CSV file (.csv, or with --column), whose first row may name columns; or NumPy's .npy of float64. For each centre --count integers of D_Z(σ, centre)
/// are written, in the formats of `sample`.
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
    #[arg(long, value_name = "NAME", default_value = RoundMethod::Karney.name(), value_parser = round_method())]
    pub(crate) method: RoundMethod,
    /// Integers for each centre: 1000, 10_000_000 or 1e7
    #[arg(long, value_name = "N", default_value = "1", value_parser = count, allow_hyphen_values = true)]
    pub(crate) count: u64,
    /// Where the random bits come from
    #[arg(long, value_name = "NAME", default_value = "chacha20", value_parser = source())]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    /// The column of a CSV file of centres, by its name in the first row or by its number, from 1; needed where it has more than one
    #[arg(long, value_name = "NAME|N")]
    pub(crate) column: Option<String>,
    /// The format of the integers [default: by the extension of --out: .txt .csv .npy .raw .bin; text to
    /// standard output]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// The integer type of npy and raw [default: i64]
    #[arg(long, value_enum, value_name = "TYPE")]
    pub(crate) dtype: Option<Dtype>,
    /// The file [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Judge a file of integers, ours or anyone's: is it consistent with the law, or with another file?
///
/// Exit code 0 if it is, 1 if not, 2 if the file cannot be judged. docs/book/verifying.md says what each test sees.
#[derive(Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Verify {
    /// The file; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Another file, in place of a law: are both independent samples of one law, whatever that is? What its extension does not say
    /// of its format is as for the first
    #[arg(long, value_name = "FILE", conflicts_with_all = ["width", "center", "recipe"])]
    pub(crate) against: Option<PathBuf>,
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
/// All bounds are upper bounds, computed by interval arithmetic from the table that is used. With --table, from anyone's.
#[derive(Args)]
pub(crate) struct Certify {
    #[command(flatten)]
    pub(crate) recipe: Whole,
    #[command(flatten)]
    pub(crate) audited: AuditArgs,
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
    pub(crate) recipe: Open,
    /// Measure each method's speed: samples to i64 on one thread over ChaCha20
    #[arg(long)]
    pub(crate) measure: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// List the random sources
#[derive(Args)]
pub(crate) struct ListSources {
    /// Compute known answers with every cryptographic source, and say whether they are right (exit code 3 if not)
    #[arg(long)]
    pub(crate) self_test: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Write a shell's completions to standard output
///
/// For bash into ~/.local/share/bash-completion/completions/samplez, for zsh into a file _samplez in a folder of $fpath, for fish
/// into ~/.config/fish/completions/samplez.fish; PowerShell reads them from its $PROFILE. `make install` puts all of them in
/// their places.
#[derive(Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

/// Write the manual: the page of samplez to standard output, or the pages of all commands to a folder
#[derive(Args)]
pub(crate) struct Man {
    /// The folder for samplez.1, samplez-sample.1 and so on, made if need be
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
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

/// Name the best method for a law and a budget, with its options, and say why
///
/// What is planned has been built, so it works. Setup time is an estimate for the machine of
/// benches/RESULTS.md. The speeds were measured with default options, on a machine with the
/// instructions that the plan names; `samplez methods --measure` measures yours. `--method auto`, the default of the other commands,
/// follows the same plan.
#[derive(Args)]
pub(crate) struct Plan {
    #[command(flatten)]
    pub(crate) recipe: Open,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
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
    /// The column of a CSV file, by its name in the first row or by its number, from 1; needed where it has more than one, but for
    /// the one that pandas writes for its index
    #[arg(long, value_name = "NAME|N")]
    pub(crate) column: Option<String>,
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
