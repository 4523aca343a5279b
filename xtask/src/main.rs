//! The project's checks of text: `cargo xtask COMMAND`. None needs a crate of the library, so that they are built in seconds.
//!
//! Each check reads the tree it stands in, prints every violation with its place, and exits
//! with 1 if there was one, with 2 if it could not run.
#![forbid(unsafe_code)]

use std::path::Path;
use std::process::ExitCode;

mod deps;
mod docs;
mod header;
mod packages;
mod prose;
mod review;

const COMMANDS: [xtask::Command; 6] = [
    ("check-deps", "the dependency law between crates", deps::check),
    ("check-docs", "keys of papers and paths in documents and comments; the length of files", docs::check),
    ("check-packages", "one version, one repository, one oldest compiler", packages::check),
    (
        "check-prose",
        "phrases of docs/style/words.tsv in documents, doc comments and messages; with PATH, those of that file",
        prose::check,
    ),
    ("gen-header", "writes capi/include/samplez.h; with --check, compares it with what capi/src makes", header::run),
    (
        "gen-security",
        "writes docs/review.md's table of promises, each of which has a test in each language or is denied, and compares its list of \
         dependencies with cargo's; with --check, compares both",
        review::run,
    ),
];

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    xtask::run("xtask", root, &COMMANDS)
}
