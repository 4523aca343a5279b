//! The arguments of `samplez table`, and of an audit.

use super::recipe::Law;
use super::values::precision;
use clap::{Args, ValueEnum};
use samplez::tables::{Language, TableForm};
use std::path::PathBuf;

/// Write a certified table: for a no_std crate, for C, or as numbers
///
/// Each number is correctly rounded; law, form and bounds stand in the comment. `--emit rust` writes a static that the
/// samplers of samplez-core take, with no allocator and no builder. `certify --table` reads what `--emit csv` writes.
#[derive(Args)]
pub(crate) struct Table {
    #[command(flatten)]
    pub(crate) law: Law,
    /// Precision in bits, 1 to 256 [default: 128]
    #[arg(long, value_name = "BITS", value_parser = precision, allow_hyphen_values = true)]
    pub(crate) precision: Option<u32>,
    /// What the entries are: falcon, hawk, lazer, frodo, or words such as folded,tail,floor,78; see
    /// docs/book/tables.md [default: that of `cdt`]
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
    /// Audit this table, anyone's: whole numbers, decimal or 0x…, with spaces, commas or line ends between; # or // begins
    /// a comment. - is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    /// What the table's numbers are: falcon, hawk, lazer, frodo, or words such as folded,tail,78; see docs/book/tables.md
    /// [default: what a comment `# form: …` in the file says]
    #[arg(long, value_name = "FORM", requires = "table", allow_hyphen_values = true)]
    pub(crate) form: Option<TableForm>,
}

fn identifier(text: &str) -> Result<String, String> {
    let word = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if word && text.bytes().next().is_some_and(|b| !b.is_ascii_digit()) && text.len() <= 64 && text != "_" {
        Ok(text.into())
    } else {
        Err("allowed are names of up to 64 letters, digits and _, beginning with no digit, such as NOISE_72".into())
    }
}
