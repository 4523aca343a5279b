//! The tables of the example for a microcontroller: what `samplez table` writes.

use samplez::DiscreteGaussian;
use samplez_tables::{Language, TableForm, build_plain, emit};
use std::io::Error;
use std::path::Path;
use xtask::files::{self, Findings};

/// File, σ, form and name.
const TABLES: [(&str, &str, &str, &str); 2] = [
    ("examples/microcontroller/src/noise.rs", "3.2", "folded,tail,floor-weights,72", "NOISE"),
    ("examples/microcontroller/src/rcdt.rs", "1.8205", "falcon", "RCDT"),
];

/// Writes the files, or with `check` compares them.
pub(crate) fn run(root: &Path, argument: Option<&str>) -> Findings {
    let (check, mut findings) = (xtask::compares(argument)?, Vec::new());
    for (file, sigma, form, name) in TABLES {
        let sigma = sigma.parse().map_err(Error::other)?;
        let law = DiscreteGaussian::with_sigma(sigma).map_err(|error| Error::other(error.to_string()))?;
        let form: TableForm = form.parse().map_err(Error::other)?;
        let table = build_plain(&law, &form).map_err(|error| Error::other(error.to_string()))?;
        let text = emit(&table, Language::Rust, name);
        findings.extend(files::made(root, file, &text, "tools gen-tables", check)?);
    }
    Ok(findings)
}
