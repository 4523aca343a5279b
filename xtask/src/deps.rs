//! The dependency law. Imports between crates go downwards only:
//! `samplez-core ← {sources, tables, schemes} ← {samplez, stats} ← lattice ← {cli, python, web, capi}`, and the laboratory above all of
//! these. Cargo refuses cycles; here are imports of a neighbour, and of the laboratory, by tests too.

use std::path::Path;
use xtask::files::{self, Findings};

/// The product's crates that others import, each below the next ones. All others are above them.
const LEVELS: [&[&str]; 4] = [
    &["samplez-core"],
    &["samplez-sources", "samplez-tables", "samplez-schemes"],
    &["samplez", "samplez-stats"],
    &["samplez-lattice"],
];

pub(crate) fn check(root: &Path, _: Option<&str>) -> Findings {
    let mut findings = Vec::new();
    for path in files::below(root, "toml")?.iter().filter(|path| path.ends_with("Cargo.toml")) {
        let at = files::shown(root, path);
        if !at.starts_with("lab/") {
            findings.extend(upward(&files::read(path)?).into_iter().map(|finding| format!("{at}: {finding}")));
        }
    }
    Ok(findings)
}

/// The imports of a manifest that do not go downwards.
fn upward(manifest: &str) -> Vec<String> {
    let level = |name: &str| LEVELS.iter().position(|names| names.contains(&name));
    let (mut section, mut package, mut findings) = ("", "", Vec::new());
    for line in manifest.lines() {
        let mut name = line.split(['=', '.', ' ']).next().filter(|_| section.ends_with("dependencies"));
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_end_matches(']');
            name = section.rsplit_once("dependencies.").map(|(_, name)| name);
        } else if section == "package" && line.starts_with("name = ") {
            package = line.split('"').nth(1).unwrap_or_default();
        }
        let is_for_tests = section.contains("dev-dependencies");
        let own = level(package).unwrap_or(LEVELS.len());
        let is_below = |name: &str| level(name).is_some_and(|other| other < own || is_for_tests);
        // For its tests a crate may name itself, with more features.
        let name = name.filter(|_| !package.is_empty()); // the workspace has no name
        let ours = name.filter(|name| (name.starts_with("samplez") || *name == "xtask") && *name != package);
        let upward = ours.filter(|name| !is_below(name));
        findings.extend(upward.map(|name| format!("must not depend on {name}: imports go downwards only")));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upward_imports_are_found() {
        for (package, section, name, findings) in [
            ("samplez-core", "dependencies", "samplez-tables", 1),
            ("samplez-core", "target.'cfg(unix)'.dependencies", "samplez-tables", 1),
            ("samplez-sources", "build-dependencies", "samplez-tables", 1),
            ("samplez-tables", "dependencies", "samplez-core", 0),
            ("samplez-cli", "dependencies", "samplez-lattice", 0),
            ("samplez-cli", "dependencies", "samplez-python", 1),
            ("samplez-core", "dev-dependencies", "samplez-tables", 0),
            ("samplez-core", "target.'cfg(unix)'.dev-dependencies", "samplez-check", 1),
        ] {
            let head = format!("[package]\nname = \"{package}\"\n");
            let below = format!("{head}[{section}]\nrand_core.workspace = true\n{name}.workspace = true\n");
            let own = format!("{head}[{section}.{name}]\npath = \"../x\"\n");
            assert_eq!([upward(&below).len(), upward(&own).len()], [findings; 2], "{package} {section} {name}");
        }
    }
}
