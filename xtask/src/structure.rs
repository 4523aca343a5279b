//! The structure of the tree, file by file: no file is long; no front names a method, or compares an error's text.

mod fronts;
mod tokens;

use fronts::{FREE, FRONTS, READERS, STEERED, compared};
use std::io;
use std::path::Path;
pub(crate) use tokens::{Placed, Token, is_for_tests, item, tokens};
use xtask::files::{self, Findings};

/// The most lines of a file.
const LINES: usize = 600;
/// The extensions of the languages.
const LANGUAGES: [&str; 3] = ["rs", "py", "ts"];

pub(crate) fn check(root: &Path) -> Findings {
    let mut findings = Vec::new();
    let methods = methods(root)?;
    for language in LANGUAGES {
        for (path, text) in sources(root, root, language)? {
            let lines = text.lines().count();
            if lines > LINES {
                findings.push(format!("{path}: {lines} lines; a file has one job and at most {LINES}"));
            }
        }
        for front in FRONTS {
            for (path, text) in sources(root, &root.join(front), language)? {
                if !FREE.iter().any(|free| path.starts_with(free)) {
                    let lines = fronts::named(&text, &methods).into_iter();
                    findings.extend(lines.map(|line| format!("{path}:{line}: a front names a method")));
                }
            }
        }
    }
    findings.extend(readers(root)?);
    Ok(findings)
}

/// Files that compare an error's text, and exceptions that none needs.
fn readers(root: &Path) -> Findings {
    let (mut findings, mut excepted) = (Vec::new(), READERS.to_vec());
    for folder in FRONTS.into_iter().chain(STEERED) {
        for language in LANGUAGES.into_iter().chain(["go", "java"]) {
            for (path, text) in sources(root, &root.join(folder), language)? {
                let lines = compared(&text);
                let is_for_tests =
                    path.ends_with("tests.rs") || path.ends_with("_test.go") || path.contains("/src/test/");
                if READERS.contains(&path.as_str()) {
                    excepted.retain(|reader| *reader != path || lines.is_empty());
                } else if !is_for_tests {
                    let told = |line| format!("{path}:{line}: compares an error's text, not its kind");
                    findings.extend(lines.into_iter().map(told));
                }
            }
        }
    }
    findings.extend(excepted.iter().map(|reader| format!("{reader}: compares no error's text, and is excepted")));
    Ok(findings)
}

/// The files with this extension below a folder, as seen from another, with their texts.
fn sources(seen_from: &Path, folder: &Path, extension: &str) -> io::Result<Vec<(String, String)>> {
    let paths = files::below(folder, extension)?;
    paths.into_iter().map(|path| Ok((files::shown(seen_from, &path), files::read(&path)?))).collect()
}

/// The methods' names, from their rows.
fn methods(root: &Path) -> io::Result<Vec<String>> {
    let rows = sources(root, &root.join("crates/samplez/src/method"), "rs")?;
    let name = |text: &str| Some(text.split_once("\n    name: \"")?.1.split_once('"')?.0.to_owned());
    let found: Vec<String> = rows.iter().filter_map(|(_, text)| name(text)).collect();
    if found.is_empty() {
        return Err(io::Error::other("crates/samplez/src/method: no row has a line «name: \"…\"»"));
    }
    Ok(found)
}
