//! The project's checks of text: `cargo xtask COMMAND`. None needs a crate of the library, so that they are built in seconds.
//!
//! Each check reads the tree it stands in, prints every violation with its place, and exits
//! with 1 if there was one, with 2 if it could not run.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use xtask::{kat, report};

mod deps;
mod docs;
mod header;
mod packages;
mod promises;
mod prose;
mod security;
mod tokens;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  check-deps   the dependency law between crates
  check-docs   links, bibliographic keys and paths in the documents and doc comments; the head of every sampler's file; the length
               of files
  check-kat    the SHA-256 of the known-answer vectors
  check-packages  one version, one repository, one oldest compiler
  check-prose  phrases of docs/style/words.tsv in documents, doc comments and messages; with PATH, those of that file
  gen-header   writes capi/include/samplez.h; with --check, compares it with what capi/src makes
  gen-security  writes docs/review.md's tables of unsafe code, each piece of which has its reason, of dependencies, each of which is there
               for one, and of promises, each of which has a test in each language or is denied; with --check, compares them
";

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(PathBuf::from).unwrap_or_default();
    let mut args = std::env::args().skip(1);
    let (command, rest) = (args.next(), args.next());
    let findings = match (command.as_deref(), rest.as_deref()) {
        (Some("gen-security"), None) => security::run(&root, false),
        (Some("gen-security"), Some("--check")) => security::run(&root, true),
        (Some("gen-header"), None) => header::run(&root, false),
        (Some("gen-header"), Some("--check")) => header::run(&root, true),
        (Some("check-deps"), None) => deps::check(&root),
        (Some("check-docs"), None) => docs::check(&root),
        (Some("check-kat"), None) => kat::check(&root),
        (Some("check-packages"), None) => packages::check(&root),
        (Some("check-prose"), path) if !path.is_some_and(|path| path.starts_with('-')) => prose::check(&root, path),
        (Some("help" | "--help" | "-h"), None) => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    report("xtask", findings)
}
