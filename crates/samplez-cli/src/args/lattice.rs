//! The arguments of `samplez lattice`.

use super::target::modulus;
use super::values::{EXIT_CODES, count, rational, source};
use crate::files::Format;
use crate::seeds::SeedArgs;
use clap::Args;
use samplez::{Rational, Source};
use std::path::PathBuf;

/// Draw lattice vectors from the discrete Gaussian, exactly
///
/// P(v) is proportional to exp(-|v-c|²/(2σ²)) for every vector v of the lattice. The file has the lattice's basis, one vector in each
/// row, as fpylll, Sage and JSON print matrices, or one row in each line. Lines that begin with # are ignored. The same seed
/// gives the same vectors in every format. The running time depends on the vectors (timing: variable).
///
/// With --verify the command tests vectors, and draws none. Its exit code is 1 if a test rejects.
///
/// Example: samplez lattice --basis basis.txt --sigma 20 --count 1000 --out vectors.npy
#[derive(Args)]
#[command(after_help = EXIT_CODES)]
#[command(group = clap::ArgGroup::new("lattice").required(true).args(["basis", "gram", "kernel"]))]
pub(crate) struct Lattice {
    /// The file of a basis; - is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) basis: Option<PathBuf>,
    /// The file of a Gram matrix G, instead of a basis: integer vectors x with exp(-(x-c)G(x-c)ᵀ/(2σ²))
    #[arg(long, value_name = "FILE")]
    pub(crate) gram: Option<PathBuf>,
    /// The file of a matrix A, instead of a basis: the integer vectors v with A·v = 0 modulo --modulus
    #[arg(long, value_name = "FILE", requires = "modulus")]
    pub(crate) kernel: Option<PathBuf>,
    /// The modulus of --kernel, from 2 on
    #[arg(long, value_name = "Q", value_parser = modulus, allow_hyphen_values = true, requires = "kernel",
        conflicts_with_all = ["basis", "gram"])]
    pub(crate) modulus: Option<u64>,
    /// The width, as σ
    #[arg(long, value_name = "Q", value_parser = rational, allow_hyphen_values = true)]
    pub(crate) sigma: Rational,
    /// The centre: one number for each column, with commas between them [default: 0]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub(crate) center: Option<String>,
    /// The number of vectors: 1000, 10_000_000 or 1e7
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true, required_unless_present = "verify")]
    pub(crate) count: Option<u64>,
    /// Test the vectors of this file instead: text, npy, or raw integers of 64 bits
    #[arg(long, value_name = "FILE", conflicts_with_all = ["count", "seed", "seed_from", "out", "quiet"])]
    pub(crate) verify: Option<PathBuf>,
    /// The source of the random bits, see `samplez sources`
    #[arg(long, value_name = "NAME", default_value = "chacha20", value_parser = source())]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    /// The format [default: by the extension of --out: .txt .csv .npy .raw .bin; text to
    /// standard output]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// The file [default, and -: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// No summary
    #[arg(long)]
    pub(crate) quiet: bool,
}
