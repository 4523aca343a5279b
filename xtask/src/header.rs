//! The C header: what cbindgen makes of the C interface.

use std::path::Path;
use std::process::Command;
use xtask::files::{self, Findings};

pub(crate) const FILE: &str = "capi/include/samplez.h";

/// The header's version.
pub(crate) fn macros(version: &str) -> String {
    format!("\n#define SAMPLEZ_VERSION \"{version}\"")
}

/// Writes the header, or with `check` compares it.
pub(crate) fn run(root: &Path, check: bool) -> Findings {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["run", "--quiet", "--locked", "--manifest-path"])
        .arg(root.join("capi/header/Cargo.toml"))
        .arg("--")
        .arg(root.join("capi/src"))
        .arg(macros(env!("CARGO_PKG_VERSION")))
        .output()?;
    if !output.status.success() {
        return Err(std::io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    files::made(root, FILE, &String::from_utf8_lossy(&output.stdout), "xtask gen-header", check)
}
