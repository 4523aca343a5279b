//! The arguments of `samplez table`, and of an audit.

use super::recipe::Law;
use super::values::precision;
use crate::tables::limbs::{Limbs, limbs};
use clap::{Args, ValueEnum, value_parser};
use samplez::tables::{Language, TableForm};
use std::path::PathBuf;

/// Write a certified table: for a no_std crate, for C, or as numbers
///
/// Each number is correctly rounded. A comment in the file states the distribution, the form and the bounds. `--emit rust`
/// writes a static for the samplers of samplez-core, which need no allocator and no builder. `certify --table` reads the
/// output of each.
///
/// Example: samplez table --sigma 3.2 --precision 72 --emit csv --out table.csv
#[derive(Args)]
pub(crate) struct Table {
    #[command(flatten)]
    pub(crate) law: Law,
    /// Precision in bits, 1 to 256 [default: 128]
    #[arg(long, value_name = "BITS", value_parser = precision, allow_hyphen_values = true)]
    pub(crate) precision: Option<u32>,
    /// The form of the entries: falcon, hawk, lazer, frodo, or words such as folded,tail,floor,78. See
    /// docs/book/tables.md [default: the form of `cdt`]
    #[arg(long, value_name = "FORM", conflicts_with = "precision", allow_hyphen_values = true)]
    pub(crate) form: Option<TableForm>,
    /// The language
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub(crate) emit: Emit,
    /// The name of the static or the array
    #[arg(long, value_name = "NAME", default_value = "TABLE", value_parser = identifier)]
    pub(crate) name: String,
    /// The file [default: standard output]
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
}

impl From<Emit> for Language {
    fn from(emit: Emit) -> Language {
        match emit {
            Emit::Rust => Language::Rust,
            Emit::C => Language::C,
            Emit::Csv => Language::Csv,
        }
    }
}

/// A table to audit.
#[derive(Args)]
pub(crate) struct AuditArgs {
    /// Certify the table in this file: a list of whole numbers, decimal or 0x…, or an array in C, C++, Rust, Go, Python or
    /// JavaScript. A comment begins with # or //, or is between /* and */; - is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    /// The form of the table's entries: falcon, hawk, lazer, frodo, or words such as folded,tail,78. See
    /// docs/book/tables.md [default: the file's comment `form: …`]
    #[arg(long, value_name = "FORM", requires = "table", allow_hyphen_values = true)]
    pub(crate) form: Option<TableForm>,
    /// The limbs of each entry: their bits and order, such as 31,most-first or 64,least-first. Without an order, the form
    /// must permit only one [default: the file's comment `limbs: …`, or an entry is one number]
    #[arg(long, value_name = "LIMBS", requires = "table", value_parser = limbs, allow_hyphen_values = true)]
    pub(crate) limbs: Option<Limbs>,
    /// The column of the table, from 1, where the file has rows of several numbers
    #[arg(long, value_name = "N", requires = "table", conflicts_with = "limbs", value_parser = value_parser!(u16).range(1..))]
    pub(crate) column: Option<u16>,
    /// The array, where the file contains more than one
    #[arg(long, value_name = "NAME", requires = "table")]
    pub(crate) array: Option<String>,
}

fn identifier(text: &str) -> Result<String, String> {
    let word = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if word && text.bytes().next().is_some_and(|b| !b.is_ascii_digit()) && text.len() <= 64 && text != "_" {
        Ok(text.into())
    } else {
        Err("allowed are names of up to 64 letters, digits and _, such as NOISE_72; the first must not be a digit"
            .into())
    }
}
