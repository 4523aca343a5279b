//! What the packages state: one version, one repository and one oldest compiler, those of the workspace's manifest. What a registry
//! requires of a crate is checked by `cargo package` (packages/package.sh), the versions of our crates among each other by cargo.

use crate::header;
use std::path::{Path, PathBuf};
use xtask::files::{self, Findings};

/// Texts that a file has, with the workspace's values in place of `{version}`, `{repository}` and `{rust-version}`.
const TEXTS: [(&str, &str); 12] = [
    ("lab/benches/peers/Cargo.lock", "name = \"samplez\"\nversion = \"{version}\"\n"),
    ("python/samplez/__init__.py", "\n__version__ = \"{version}\"\n"),
    ("web/package.json", "\n  \"version\": \"{version}\",\n"),
    ("web/package-lock.json", "\n  \"version\": \"{version}\",\n"),
    ("web/package-lock.json", "\n      \"name\": \"samplez\",\n      \"version\": \"{version}\",\n"),
    ("CITATION.cff", "\nversion: \"{version}\"\n"),
    ("packages/conda/recipe.yaml", "version: \"{version}\"\n"),
    ("python/pyproject.toml", "{repository}"),
    ("web/package.json", "{repository}"),
    ("CITATION.cff", "{repository}"),
    ("packages/conda/recipe.yaml", "{repository}"),
    ("SECURITY.md", "{repository}"),
];
/// What each README states, of the repository and of each published crate.
const COMPILER: &str = "Rust {rust-version} or newer";
/// Where the repository is not yet.
const PLACEHOLDER: &str = "https://example.org/";

pub(crate) fn check(root: &Path, _: Option<&str>) -> Findings {
    let workspace = files::read(&root.join("Cargo.toml"))?;
    let mut texts: Vec<(PathBuf, String)> = TEXTS.map(|(file, text)| (root.join(file), text.to_owned())).into();
    texts.push((root.join(header::FILE), header::macros("{version}")));
    texts.push((root.join("README.md"), COMPILER.into()));
    for entry in std::fs::read_dir(root.join("crates"))? {
        texts.push((entry?.path().join("README.md"), COMPILER.into()));
    }
    let mut findings = Vec::new();
    for (file, text) in texts {
        let missing = missing(&workspace, &files::read(&file)?, &text);
        findings.extend(missing.map(|finding| format!("{}: {finding}", files::shown(root, &file))));
    }
    Ok(findings)
}

/// What a file of the packages lacks, or has too much.
fn missing(workspace: &str, of: &str, text: &str) -> Option<String> {
    let value = |key: &str| {
        let line = workspace.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
        line.unwrap_or_default().trim_matches('"')
    };
    let mut wanted = text.to_owned();
    for key in ["version", "repository", "rust-version"] {
        wanted = wanted.replace(&format!("{{{key}}}"), value(key));
    }
    if !of.contains(&wanted) {
        return Some(format!("expected «{}», as in Cargo.toml", wanted.trim()));
    }
    let is_placeholder = !value("repository").starts_with(PLACEHOLDER) && of.contains(PLACEHOLDER);
    is_placeholder.then(|| format!("names {PLACEHOLDER}…, which is no place"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_values_are_found() {
        let workspace = "version = \"1.2.3\"\nrust-version = \"1.90\"\nrepository = \"https://example.org/x\"\n";
        let of = |text: &str| missing(workspace, text, "v{version}, {rust-version}, {repository}");
        assert_eq!(of("a v1.2.3, 1.90, https://example.org/x b"), None);
        assert!(of("a v1.2.4, 1.90, https://example.org/x b").unwrap().starts_with("expected «v1.2.3, 1.90"));
        let home = workspace.replace("example.org", "code.example");
        assert_eq!(missing(&home, "https://code.example/x", "{repository}"), None);
        assert!(missing(&home, "https://code.example/x https://example.org/x", "{repository}").is_some());
    }
}
