//! `docs/trust/mutants.csv` and `docs/trust/survivors.tsv`: what `cargo-mutants` changed in the shipped code, file by file, and which of
//! its changes no test noticed.
//!
//! A file whose text has a row is not taken again: a run that was cut off goes on where it was. Behind each survivor somebody writes why
//! it may live: it changes nothing that is promised. A reason stays with the change and the text of its line, wherever that moves.

mod kept;

use crate::plants::copied;
pub(crate) use kept::{MUTANTS, MUTANTS_HEADER, shipped, survivors, unexplained};
use kept::{Outcome, is_kept, keep, keep_again};
use samplez_lab::Place;
use std::collections::BTreeSet;
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use xtask::files::{self, Findings};

const FOLDER: &str = "target/mutants";

/// The crates whose files are taken: below which path, and the tests that all mutants are put to, as `cargo test` has them chosen.
const CRATES: [(&str, &str); 3] = [
    ("crates/samplez-core/src/", "samplez-core"),
    ("crates/samplez-sources/src/", "samplez-sources"),
    ("crates/samplez-tables/src/", "samplez-tables"),
];
/// The crates whose tests survivors are put to: laws, streams, hostile tables, erased secrets.
const ALL: &str = "samplez-core,samplez-sources,samplez-tables,samplez,samplez-check,samplez-fuzz,samplez-ct";

/// A file's module: a sampler's, a table's, that of what samplers have in common, else the first below the crate.
fn module(file: &str) -> String {
    let path = file.split_once("/src/").map_or(file, |(_, path)| path).trim_end_matches(".rs");
    let depths = [("samplers/common/", 3), ("samplers/", 2), ("table/", 2)];
    let depth = depths.iter().find(|(folder, _)| path.starts_with(folder)).map_or(1, |(_, depth)| *depth);
    path.split('/').take(depth).collect::<Vec<_>>().join("::")
}

/// What becomes of these mutants of a file in a copy, of all of them if none is named, under the tests of these packages; of the core
/// under those of its module alone, which are compiled without optimization: what changes with each mutant is then compiled in a fifth
/// of the time.
fn judged_by(tree: &Path, file: &str, packages: &str, only: &BTreeSet<String>) -> Result<Outcome> {
    let out = tree.with_file_name("out");
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command.args(["mutants", "--in-place", "--no-shuffle", "--colors=never", "--timeout-multiplier=3"]);
    command.args(["--minimum-test-timeout=10", "--file", file, "--test-package", packages]).arg("--output").arg(&out);
    command.args(only.iter().flat_map(|name| ["--re".into(), exactly(name)]));
    command
        .env("CARGO_TARGET_DIR", tree.with_file_name("target"))
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .current_dir(tree);
    if packages == "samplez-core" {
        command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0").args(["--", "--lib", &format!("{}::", module(file))]);
    }
    // 2: some were missed, 3: some took too long.
    let status = command.stdout(Stdio::null()).status()?;
    if !matches!(status.code(), Some(0 | 2 | 3)) {
        return Err(Error::other(format!("{file}: cargo mutants: {status}")));
    }
    Outcome::read(&out.join("mutants.out"))
}

/// A regular expression that this text alone matches.
fn exactly(text: &str) -> String {
    let is_plain = |c: char| !c.is_ascii_punctuation() || ['<', '>'].contains(&c);
    let escaped = text.chars().map(|c| if is_plain(c) { c.into() } else { format!("\\{c}") });
    format!("^{}$", escaped.collect::<String>())
}

/// The files below a path, or the one that it is, but for tests and what they share, which have no mutants.
pub(crate) fn judged(path: &Path) -> Result<Vec<PathBuf>> {
    let all = if path.is_file() { vec![path.to_owned()] } else { files::below(path, "rs")? };
    let is_test = |path: &Path| {
        let names = path.file_name().into_iter().chain(path.parent().and_then(Path::file_name));
        names.into_iter().any(|name| ["tests.rs", "tests", "testing.rs"].iter().any(|test| name == *test))
    };
    Ok(all.into_iter().filter(|path| !is_test(path)).collect())
}

/// Judges the mutants of the files below these paths, with spaces between, that have no row yet, and those that survived and have no
/// reason to; keeps each file's as it is done.
pub(crate) fn check(root: &Path, paths: &str) -> Findings {
    let tree = root.join(FOLDER).join("tree");
    copied(root, &tree)?;
    let (commit, mut findings) = (Place::here().commit, Vec::new());
    for below in paths.split_whitespace() {
        for path in judged(&root.join(below))? {
            let (file, text) = (files::shown(root, &path), files::read(&path)?);
            let Some((_, package)) = CRATES.iter().find(|(folder, _)| file.starts_with(folder)) else {
                return Err(Error::other(format!(
                    "{file}: expected a path below {}",
                    CRATES.map(|it| it.0).join(", ")
                )));
            };
            if !is_kept(root, &file, &text)? {
                let start = Instant::now();
                let outcome = judged_by(&tree, &file, package, &BTreeSet::new())?;
                keep(root, &file, &text, &outcome, [start.elapsed().as_secs().to_string(), commit.clone()])?;
            }
            let open = survivors(root)?.into_iter().filter(|s| s.file == file && s.why.is_empty());
            let open: BTreeSet<String> = open.filter_map(|survivor| survivor.name(&text)).collect();
            if !open.is_empty() {
                keep_again(root, &file, &text, &judged_by(&tree, &file, ALL, &open)?)?;
            }
            findings.extend(unexplained(root)?.into_iter().filter(|one| one.starts_with(&file)));
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutant_is_of_a_module_and_has_one_name() {
        for (file, of) in [
            ("crates/samplez-core/src/samplers/cdt_lazy_ct/finish.rs", "samplers::cdt_lazy_ct"),
            ("crates/samplez-core/src/samplers/common/ln2.rs", "samplers::common::ln2"),
            ("crates/samplez-core/src/table/ziggurat/height.rs", "table::ziggurat"),
            ("crates/samplez-core/src/bits/draws.rs", "bits"),
        ] {
            assert_eq!(module(file), of);
        }
        assert_eq!(exactly("a.rs:2: + in A<B>"), r"^a\.rs\:2\: \+ in A<B>$");
    }
}
