//! The C header: what cbindgen makes of the C interface.

use std::path::Path;
use xtask::files::{self, Findings};

pub(crate) const FILE: &str = "capi/include/samplez.h";

/// The header's version.
pub(crate) fn macros(version: &str) -> String {
    format!("\n#define SAMPLEZ_VERSION \"{version}\"")
}

/// Writes the header, or with `--check` compares it.
pub(crate) fn run(root: &Path, argument: Option<&str>) -> Findings {
    let version = macros(env!("CARGO_PKG_VERSION"));
    let text = files::cargo(
        root,
        &["run", "--quiet", "--locked", "--manifest-path", "capi/header/Cargo.toml", "--", "capi/src", &version],
    )?;
    files::made(root, FILE, &text, "xtask gen-header", xtask::compares(argument)?)
}
