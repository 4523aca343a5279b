//! The arguments of `samplez circuit`.

use super::recipe::Law;
use super::table::{AuditArgs, identifier};
use super::values::{precision, within};
use clap::{Args, ValueEnum};
use samplez_core::table::{DEFAULT_PRECISION, MAX_PRECISION};
use samplez_tables::circuit;
use std::path::PathBuf;

/// The largest order of masks.
const MAX_ORDER: u32 = 8;
/// The most stages of a pipeline.
const MAX_STAGES: u32 = 256;

/// Turn a certified table into a circuit of XOR, AND and NOT: for masked code, hardware, and multi-party computation
///
/// The circuit maps uniform bits to one sample with exactly the table's distribution. Without --emit, the command reports its
/// gates, and a lower bound on AND gates for any circuit. The table is that of `cdt`, or from a file (--table).
///
/// With --order, the code is masked. Its security is a statement in the probing model: no power trace was measured, and a
/// compiler may recombine shares. docs/book/circuit.md has the limits, docs/proofs/circuit.md the construction.
///
/// Example: samplez circuit --sigma 1.278 --precision 78
///
/// Example: samplez circuit --sigma 1.278 --precision 78 --emit c --order 1 --out noise.c
#[derive(Args)]
#[command(mut_group("law", |group| group.arg("table")))]
pub(crate) struct Circuit {
    #[command(flatten)]
    pub(crate) law: Law,
    #[arg(long, value_name = "N", help = format!("The precision of the table in bits, 1 to {MAX_PRECISION} [default: {DEFAULT_PRECISION}]"), value_parser = precision, conflicts_with = "table", allow_hyphen_values = true)]
    pub(crate) precision: Option<u32>,
    #[command(flatten)]
    pub(crate) audited: AuditArgs,
    /// The meaning of the outputs
    #[arg(long, value_enum, value_name = "NAME", default_value = "integer")]
    pub(crate) encoding: Encoding,
    /// The longest path through AND gates
    #[arg(long, value_enum, value_name = "NAME", default_value = "linear")]
    pub(crate) depth: Depth,
    /// Write the circuit in this format [default: report its size]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) emit: Option<Emit>,
    /// Mask the circuit with N + 1 shares, against N probes: 0 to 8. For c, rust and json
    #[arg(long, value_name = "N", default_value = "0", value_parser = |text: &str| within(text, 0..=MAX_ORDER), allow_hyphen_values = true)]
    pub(crate) order: u32,
    /// Divide the gates into N stages with registers, 1 to 256: a sample a clock, N clocks late. For verilog
    #[arg(long, value_name = "N", value_parser = |text: &str| within(text, 1..=MAX_STAGES), allow_hyphen_values = true, requires = "emit")]
    pub(crate) pipeline: Option<u32>,
    /// The name before the names in the text
    #[arg(long, value_name = "NAME", value_parser = identifier, default_value = "NOISE", requires = "emit")]
    pub(crate) name: String,
    /// The file [default, and -: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// The meaning of a circuit's outputs.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Encoding {
    /// The sample in two's complement
    Integer,
    /// The index of the table, then a sign bit
    Sign,
    /// The index of the table alone: the distance from the centre
    Index,
}

impl From<Encoding> for circuit::Encoding {
    fn from(encoding: Encoding) -> Self {
        match encoding {
            Encoding::Integer => circuit::Encoding::Integer,
            Encoding::Sign => circuit::Encoding::Sign,
            Encoding::Index => circuit::Encoding::Index,
        }
    }
}

/// The AND gates on the longest path.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Depth {
    /// About the precision, with the fewest gates
    Linear,
    /// About twice the precision's logarithm to base 2, plus 6, with more gates
    Log,
}

impl From<Depth> for circuit::Depth {
    fn from(depth: Depth) -> Self {
        match depth {
            Depth::Linear => circuit::Depth::Linear,
            Depth::Log => circuit::Depth::Logarithmic,
        }
    }
}

/// The format of a circuit's text.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Emit {
    /// A combinational module; with --pipeline, one with registers
    Verilog,
    /// Bristol Fashion, for multi-party computation
    Bristol,
    /// A function in C99, for 64 samples or more
    C,
    /// A function in Rust, for 64 samples
    Rust,
    /// The gates in order, and the columns that they are the rule of
    Json,
}

impl From<Emit> for circuit::Format {
    fn from(emit: Emit) -> Self {
        match emit {
            Emit::Verilog => circuit::Format::Verilog,
            Emit::Bristol => circuit::Format::Bristol,
            Emit::C => circuit::Format::C,
            Emit::Rust => circuit::Format::Rust,
            Emit::Json => circuit::Format::Json,
        }
    }
}
