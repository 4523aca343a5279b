//! The arguments of `samplez table`, and of an audit.

use super::recipe::Whole;
use super::values::within;
use crate::code::{Dialect, LIMBS};
use crate::files::NamedDtype;
use crate::tables::limbs::{Limbs, limbs};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use samplez::Method;
use samplez_tables::{Language, TableForm};
use std::path::PathBuf;

/// Write a certified table: for a no_std crate, for C, as numbers, or as JSON for an audit
///
/// Each number is correctly rounded. A comment in the file states the distribution, the form and the bounds. `--emit rust`
/// writes a static for the samplers of samplez-core, which need no allocator and no builder. `certify --table` reads the
/// output of rust, c and csv. `--emit json` writes the table of any method that has one.
///
/// `--emit c-sampler`, and the like for Rust, Go and JavaScript, writes a source file that samples from the table in constant
/// time without this library. It takes a fixed number of bytes for each sample, and has vectors that test it.
///
/// Example: samplez table --sigma 3.2 --precision 72 --emit csv --out table.csv
///
/// Example: samplez table --sigma 215 --method ziggurat --emit json --out ziggurat.json
///
/// Example: samplez table --sigma 3.2 --precision 127 --emit c-sampler --name NOISE --out noise.c
#[derive(Args)]
#[command(mut_arg("method", |arg| arg
    .value_parser(PossibleValuesParser::new(Method::ALL.map(Method::name)))
    .help("The method whose table to write, with `--emit json` [default: the inversion table]")))]
pub(crate) struct Table {
    #[command(flatten)]
    pub(crate) recipe: Whole,
    /// The form of the entries: falcon, hawk, lazer, frodo, or words such as folded,tail,floor,78. See
    /// docs/table-forms.md [default: the form of `cdt`]
    #[arg(long, value_name = "FORM", conflicts_with = "precision", allow_hyphen_values = true)]
    pub(crate) form: Option<TableForm>,
    /// The language
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub(crate) emit: Emit,
    /// The name of the static or the array, of Go's package, and before the names of a sampler in C [default: TABLE, or
    /// SAMPLER]
    #[arg(long, value_name = "NAME", value_parser = identifier)]
    pub(crate) name: Option<String>,
    /// The bits of a sampler's limbs: 16, 24, 32 or 64. C needs C99 for 64, and JavaScript has 16 and 24. 24 and 16
    /// take the fewest instructions on machines of 32 bits [default: 24]
    #[arg(long, value_name = "BITS", value_parser = limb, allow_hyphen_values = true)]
    pub(crate) limbs: Option<u32>,
    /// The type of a sampler's samples: i8, i16 or i32 [default: the narrowest that holds the support]
    #[arg(long, value_name = "TYPE", value_parser = NamedDtype::parser())]
    pub(crate) dtype: Option<NamedDtype>,
    /// The file [default, and -: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// The language of a table's text.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Emit {
    /// A static for samplez-core, or an array
    Rust,
    /// An array
    C,
    /// Numbers, one in a line
    Csv,
    /// A method's table, with the meaning of each number
    Json,
    /// A sampler in C89, also valid C++
    CSampler,
    /// A sampler in Rust, without std
    RustSampler,
    /// A sampler in Go
    GoSampler,
    /// A sampler in JavaScript, as a module
    JsSampler,
}

/// The kind of a table's text.
pub(crate) enum Text {
    /// An inversion table.
    Table(Language),
    /// The table of a method.
    Json,
    /// Code over an inversion table.
    Sampler(Dialect),
}

impl Emit {
    pub(crate) fn text(self) -> Text {
        match self {
            Emit::Rust => Text::Table(Language::Rust),
            Emit::C => Text::Table(Language::C),
            Emit::Csv => Text::Table(Language::Csv),
            Emit::Json => Text::Json,
            Emit::CSampler => Text::Sampler(Dialect::C),
            Emit::RustSampler => Text::Sampler(Dialect::Rust),
            Emit::GoSampler => Text::Sampler(Dialect::Go),
            Emit::JsSampler => Text::Sampler(Dialect::JavaScript),
        }
    }
}

/// A table to audit.
#[derive(Args)]
pub(crate) struct AuditArgs {
    /// Certify the table in this file: a list of whole numbers, decimal or 0x…, or an array in C, C++, Rust, Go, Python,
    /// JavaScript, Julia or Verilog. A comment begins with # or //, or is between /* and */; - is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    /// The form of the table's entries: falcon, hawk, lazer, frodo, or words such as folded,tail,78. See
    /// docs/table-forms.md [default: the file's comment `form: …`]
    #[arg(long, value_name = "FORM", requires = "table", allow_hyphen_values = true)]
    pub(crate) form: Option<TableForm>,
    /// The limbs of each entry: their bits and order, such as 31,most-first or 64,least-first. Without an order, the form
    /// must permit only one [default: the file's comment `limbs: …`, or an entry is one number]
    #[arg(long, value_name = "LIMBS", requires = "table", value_parser = limbs, allow_hyphen_values = true)]
    pub(crate) limbs: Option<Limbs>,
    /// The column of the table, from 1, where the file has rows of several numbers
    #[arg(long, value_name = "N", requires = "table", conflicts_with = "limbs", value_parser = |text: &str| within(text, 1..=u16::MAX), allow_hyphen_values = true)]
    pub(crate) column: Option<u16>,
    /// The array, where the file contains more than one; with its line if they have one name
    #[arg(long, value_name = "NAME[:LINE]", requires = "table")]
    pub(crate) array: Option<String>,
}

pub(super) fn identifier(text: &str) -> Result<String, String> {
    let word = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if word && text.bytes().next().is_some_and(|b| !b.is_ascii_digit()) && text.len() <= 64 && text != "_" {
        Ok(text.into())
    } else {
        Err("allowed are names of up to 64 letters, digits and _, such as NOISE_72; the first must not be a digit"
            .into())
    }
}

fn limb(text: &str) -> Result<u32, String> {
    let known = text.parse().ok().filter(|bits| LIMBS.contains(bits));
    known.ok_or_else(|| "allowed are 16, 24, 32 and 64 bits".into())
}
