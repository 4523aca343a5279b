//! The dependency law. Imports between crates go downwards only:
//! `samplez-core ← {sources, tables, schemes} ← {samplez, stats} ← lattice ← {cli, python, web, capi}`, and the laboratory above all of
//! these. Cargo refuses cycles; here are imports of a neighbour, and of the laboratory, by tests too.

use std::path::Path;
use xtask::files::{self, Findings};

/// The product's crates and their storeys, each of which imports lower ones. A crate without a line is the laboratory's.
const CRATES: [(&str, u32); 16] = [
    ("samplez-core", 0),
    ("samplez-sources", 1),
    ("samplez-tables", 1),
    ("samplez-schemes", 1),
    ("samplez-microcontroller", 1),
    ("samplez", 2),
    ("samplez-stats", 2),
    ("samplez-lattice", 3),
    ("samplez-python", 4),
    ("samplez-web", 4),
    ("samplez-web-big", 4),
    ("samplez-web-core", 4),
    ("samplez-web-schemes", 4),
    ("samplez-web-verify", 4),
    ("samplez-capi", 4),
    ("samplez-cli", 4),
];

pub(crate) fn check(root: &Path) -> Findings {
    let mut findings = Vec::new();
    for path in files::below(root, "toml")?.iter().filter(|path| path.ends_with("Cargo.toml")) {
        let at = files::shown(root, path);
        findings.extend(upward(&files::read(path)?).into_iter().map(|finding| format!("{at}: {finding}")));
    }
    Ok(findings)
}

/// The imports of a manifest that do not go downwards.
fn upward(manifest: &str) -> Vec<String> {
    let storey = |name: &str| CRATES.iter().find(|(known, _)| *known == name).map(|(_, storey)| *storey);
    let (mut section, mut own, mut findings) = (String::new(), None, Vec::new());
    for line in manifest.lines() {
        let key = line.split(['=', '.', ' ']).next().unwrap_or_default();
        let name = match line.strip_prefix('[') {
            Some(header) => {
                section = header.trim_end_matches(']').to_owned();
                // `[dependencies.NAME]`
                section.rsplit_once("dependencies.").map(|(_, name)| name.to_owned())
            }
            None => section.ends_with("dependencies").then(|| key.to_owned()),
        };
        if (section.as_str(), key) == ("package", "name") {
            own = storey(line.split('"').nth(1).unwrap_or_default());
        }
        let (Some(own), Some(name)) = (own, name.filter(|name| name.starts_with("samplez") || name == "xtask")) else {
            continue;
        };
        let is_for_tests = section.contains("dev-dependencies");
        if storey(&name).is_none_or(|other| other >= own && !is_for_tests) {
            findings.push(format!("must not depend on {name}: imports go downwards only"));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upward_imports_are_found() {
        let of = |package: &str, section: &str, name: &str| {
            upward(&format!(
                "[package]\nname = \"{package}\"\n[{section}]\nrand_core.workspace = true\n{name}.workspace = true\n"
            ))
        };
        for section in ["dependencies", "build-dependencies", "target.'cfg(unix)'.dependencies"] {
            assert_eq!(of("samplez-core", section, "samplez-tables").len(), 1, "{section}");
            assert_eq!(of("samplez-sources", section, "samplez-tables").len(), 1, "{section}: sideways");
            assert_eq!(of("samplez-tables", section, "samplez-core").len(), 0, "{section}");
        }
        for section in ["dev-dependencies", "target.'cfg(unix)'.dev-dependencies"] {
            assert_eq!(of("samplez-core", section, "samplez-tables").len(), 0, "{section}");
            assert_eq!(of("samplez-core", section, "samplez-check").len(), 1, "{section}: the laboratory");
        }
        assert_eq!(of("samplez-lab", "dependencies", "samplez-check").len(), 0);
        assert_eq!(upward("[package]\nname = \"samplez-stats\"\n[dependencies.samplez]\npath = \"../x\"\n").len(), 1);
    }
}
