//! `cargo xtask check-prose`: whether documents, doc comments and messages keep the rules of style that a program can judge.
//!
//! The word lists are in `docs/style/words.tsv`.
//! The judge is written here, because Vale needs Go and an installation, and the quick checks install nothing.
//! Vale also does not read doc comments joined as Markdown, nor the string literals that become messages.

mod markdown;
mod source;
mod text;
mod words;

use std::io;
use std::path::{Path, PathBuf};
use words::Phrases;
use xtask::files::{self, Findings};

/// The documents that are judged, beside every page of `docs/book`.
const DOCUMENTS: [&str; 5] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];

/// The findings of every file.
pub(crate) fn check(root: &Path) -> Findings {
    let phrases = Phrases::read(root)?;
    let mut found = Vec::new();
    for path in scope(root)? {
        found.extend(findings(root, &path, &phrases)?);
    }
    Ok(found)
}

/// The findings of one file.
pub(crate) fn file(root: &Path, path: &Path) -> Findings {
    let phrases = Phrases::read(root)?;
    let path = std::path::absolute(path)?;
    findings(root, &path, &phrases)
}

/// The files that are judged: documents, and the sources of the published crates without their tests.
fn scope(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths: Vec<PathBuf> = DOCUMENTS.map(|name| root.join(name)).into();
    paths.extend(files::below(&root.join("docs/book"), "md")?);
    for path in files::below(&root.join("crates"), "rs")? {
        let shown = files::shown(root, &path);
        if shown.split('/').nth(2) == Some("src") && !shown.ends_with("/tests.rs") && !shown.contains("/tests/") {
            paths.push(path);
        }
    }
    Ok(paths)
}

fn findings(root: &Path, path: &Path, phrases: &Phrases) -> Findings {
    let text = files::read(path)?;
    let pieces = match path.extension().and_then(|extension| extension.to_str()) {
        Some("rs") => source::pieces(&text).map_err(|error| files::named(path, &error))?,
        Some("md") => markdown::pieces(&text, 1),
        _ => return Err(io::Error::other(format!("{}: expected a .md or .rs file", path.display()))),
    };
    let mut found: Vec<_> = pieces.iter().flat_map(|piece| phrases.judge(piece)).collect();
    found.sort_by_key(|(line, _)| *line);
    let at = files::shown(root, path);
    Ok(found.iter().map(|(line, finding)| format!("{at}:{line}: {finding}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> &'static Path {
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
    }

    #[test]
    fn the_scope_has_documents_and_sources_but_no_tests() {
        let scope: Vec<String> = scope(root()).unwrap().iter().map(|path| files::shown(root(), path)).collect();
        for name in ["README.md", "docs/book/choosing.md", "crates/samplez/src/lib.rs"] {
            assert!(scope.iter().any(|path| path == name), "{name}");
        }
        assert!(scope.iter().all(|path| !path.contains("tests") && !path.starts_with("docs/adr")));
    }

    #[test]
    fn a_file_is_judged_by_its_language() {
        let folder = std::env::temp_dir().join(format!("check-prose-{}", std::process::id()));
        let phrases = Phrases::parse("glossary\troom\tscratch buffer\n").unwrap();
        let of = |name: &str, text: &str| {
            let path = folder.join(name);
            files::write(&path, text).unwrap();
            findings(&folder, &path, &phrases).unwrap()
        };
        assert_eq!(of("a.md", "A\nroom.\n"), ["a.md:2: glossary: \"room\": write scratch buffer"]);
        assert_eq!(of("a.rs", "/// A room.\nfn room() {}\n"), ["a.rs:1: glossary: \"room\": write scratch buffer"]);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
