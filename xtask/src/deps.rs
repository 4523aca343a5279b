//! The dependency law.
//!
//! Between crates, imports go downwards only:
//! `samplez-core ← {sources, tables, schemes} ← {samplez, stats} ← lattice ← {cli, python, web, capi}`, and the laboratory above all of these.
//!
//! Development dependencies may look upwards, but not from the product to the laboratory.

use std::path::Path;
use xtask::files::{self, Findings};

/// The crates and their storeys; a crate may depend only on lower storeys.
const CRATES: [(&str, u32); 29] = [
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
    ("samplez-check", LAB),
    ("samplez-bench", 6),
    ("samplez-ct", 6),
    ("samplez-emulated", 6),
    ("samplez-fuzz", 6),
    ("samplez-peers", 6),
    ("samplez-lab", 6),
    ("xtask", 6),
    ("samplez-header", 6),
    ("samplez-in-fhe", 6),
    ("samplez-in-fn-dsa", 6),
    ("samplez-in-frodo", 6),
    ("samplez-tools", 7),
];

/// From this storey up: the laboratory, on which nothing that is published depends.
const LAB: u32 = 5;

pub(crate) fn check(root: &Path) -> Findings {
    let mut findings = Vec::new();
    for path in files::below(root, "toml")? {
        if path.file_name().is_some_and(|name| name == "Cargo.toml") {
            let at = files::shown(root, &path);
            findings.extend(manifest(&files::read(&path)?).into_iter().map(|finding| format!("{at}: {finding}")));
        }
    }
    Ok(findings)
}

fn storey(name: &str) -> Option<u32> {
    CRATES.iter().find(|(known, _)| *known == name).map(|(_, storey)| *storey)
}

/// The violations in one manifest.
fn manifest(text: &str) -> Vec<String> {
    let mut section = "";
    let mut package = "";
    let (mut imports, mut of_tests) = (Vec::new(), Vec::new());
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_matches(['[', ']']);
            match section.rsplit_once('.') {
                Some((table, name)) if is_dependencies(table) => imports.push(name),
                Some((table, name)) if table.ends_with(TESTS) => of_tests.push(name),
                _ => {}
            }
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let key = key.trim().split('.').next().unwrap_or_default();
        if section == "package" && key == "name" {
            package = value.trim().trim_matches('"');
        } else if is_dependencies(section) {
            imports.push(key);
        } else if section.ends_with(TESTS) {
            of_tests.push(key);
        }
    }
    if package.is_empty() {
        return Vec::new(); // the workspace's own manifest
    }
    let Some(own) = storey(package) else {
        return vec![format!("the crate {package} has no place in the dependency law (xtask/src/deps.rs)")];
    };
    let ours = imports.into_iter().filter(|name| name.starts_with("samplez"));
    let upward = ours
        .filter(|name| storey(name).is_none_or(|other| other >= own))
        .map(|name| format!("{package} must not depend on {name}: imports go downwards only"));
    let laboratory =
        (of_tests.into_iter()).filter(|name| own < LAB && storey(name).is_some_and(|other| other >= LAB)).map(|name| {
            format!(
                "{package} must not depend on {name}, not even in tests: the product is built without the laboratory"
            )
        });
    upward.chain(laboratory).collect()
}

/// The section of what tests need.
const TESTS: &str = "dev-dependencies";

/// `dependencies`, `build-dependencies`, `target.….dependencies`; not `dev-dependencies`.
fn is_dependencies(section: &str) -> bool {
    section != "workspace.dependencies"
        && matches!(section.rsplit('.').next(), Some("dependencies" | "build-dependencies"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upward_crates_are_found() {
        let upward = "[package]\nname = \"samplez-core\"\n[dependencies]\nrand_core.workspace = true\nsamplez-tables.workspace = true\n";
        assert_eq!(manifest(upward), ["samplez-core must not depend on samplez-tables: imports go downwards only"]);
        for section in ["[build-dependencies]", "[target.'cfg(unix)'.dependencies]"] {
            assert_eq!(manifest(&upward.replace("[dependencies]", section)).len(), 1, "{section}");
        }
        assert!(manifest(&upward.replace("[dependencies]", "[dev-dependencies]")).is_empty());
        let as_table = "[package]\nname = \"samplez-stats\"\n[dependencies.samplez]\npath = \"../x\"\n";
        assert_eq!(manifest(as_table).len(), 1, "sideways is upwards");
        assert!(manifest(&as_table.replace("dependencies.samplez", "dependencies.samplez-tables")).is_empty());
        let lab = "[package]\nname = \"samplez-cli\"\n[dependencies]\nsamplez-lab.workspace = true\n";
        assert_eq!(manifest(lab).len(), 1, "the product does not depend on the laboratory");
        for section in ["[dev-dependencies]", "[target.'cfg(unix)'.dev-dependencies]"] {
            assert_eq!(manifest(&lab.replace("[dependencies]", section)).len(), 1, "{section}: nor do its tests");
        }
        assert_eq!(manifest("[package]\nname = \"samplez-new\"\n").len(), 1, "every crate has a place");
        assert!(manifest("[workspace.dependencies]\nsamplez = \"1\"\n").is_empty());
    }
}
