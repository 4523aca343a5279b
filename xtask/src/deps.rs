//! The dependency law.
//!
//! Between crates, imports go downwards only:
//! `samplez-core ← {sources, tables, schemes} ← {samplez, stats} ← lattice ← {cli, python, web, capi}`, and the laboratory above all of these.
//! Inside the core: `params ← table ← samplers → bits`, in full in [`MODULES`].
//!
//! Development dependencies and test modules may look upwards, but not from the product to the laboratory.

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

/// The core's modules, and what each may import besides itself.
const MODULES: [(&str, &[&str]); 14] = [
    ("product", &[]),
    ("params", &[]),
    ("profile", &["params"]),
    ("bits", &[]),
    ("coins", &["params", "bits"]),
    ("uniform", &["bits"]),
    ("arch", &[]),
    ("table", &["params", "profile", "product"]),
    ("sampler", &["params", "profile", "bits"]),
    ("residues", &["sampler"]),
    ("finite", &["params", "profile", "sampler", "bits", "arch"]),
    ("noise", &["profile", "sampler", "bits"]),
    ("distribution", &["bits", "sampler", "noise"]),
    ("samplers", &["params", "profile", "product", "table", "sampler", "noise", "bits", "coins", "arch"]),
];

pub(crate) fn check(root: &Path) -> Findings {
    let mut findings = Vec::new();
    for path in files::below(root, "toml")? {
        if path.file_name().is_some_and(|name| name == "Cargo.toml") {
            let at = files::shown(root, &path);
            findings.extend(manifest(&files::read(&path)?).into_iter().map(|finding| format!("{at}: {finding}")));
        }
    }
    let core = root.join("crates/samplez-core/src");
    for path in files::below(&core, "rs")? {
        let at = files::shown(root, &path);
        let within = files::shown(&core, &path);
        let found = module(&within, &files::read(&path)?);
        findings.extend(found.into_iter().map(|(line, finding)| format!("{at}:{line}: {finding}")));
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

/// The violations in one file of the core, as (line, what).
fn module(path: &str, text: &str) -> Vec<(usize, String)> {
    let mut places: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
    if matches!(places.last(), Some(&("mod" | "lib"))) {
        places.pop();
    }
    if places.iter().any(|place| ["tests", "testing", "fixtures"].contains(place)) {
        return Vec::new(); // a test module in files of its own, or what they share
    }
    let Some(own) = places.first() else { return Vec::new() }; // lib.rs names every module
    let Some((_, allowed)) = MODULES.iter().find(|(name, _)| name == own) else {
        return vec![(1, format!("the module {own} has no place in the dependency law (xtask/src/deps.rs)"))];
    };
    let code = shipped_code(text);
    let mut findings = Vec::new();
    for (offset, name) in imports(&code, places.len()) {
        if name != *own && !allowed.contains(&name) {
            let line = 1 + code[..offset].matches('\n').count();
            findings.push((line, format!("{own} must not import {name}")));
        }
    }
    findings
}

/// The text without comments and without what follows the first `#[cfg(test)]`, which by the
/// house's custom is the test module at the end of the file. Line numbers stay.
fn shipped_code(text: &str) -> String {
    let code = text.lines().take_while(|line| line.trim() != "#[cfg(test)]");
    code.map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n").collect()
}

/// The core's top-level modules that are named in the code of a file `depth` modules deep, by
/// `crate::name`, `crate::{name, …}` or as many `super::` as lead to the top.
fn imports(code: &str, depth: usize) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for root in ["crate::".to_owned(), "super::".repeat(depth)] {
        for (start, _) in code.match_indices(&root) {
            let before = code[..start].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            let at = start + root.len();
            match code[at..].strip_prefix('{') {
                Some(group) => found.extend(group_heads(group, at + 1)),
                None => found.push((at, identifier(&code[at..]))),
            }
        }
    }
    found.retain(|(_, name)| !name.is_empty());
    found
}

fn identifier(text: &str) -> &str {
    &text[..text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len())]
}

/// The first identifiers of the items of a `{a, b::{c, d}, e}` group that opens before `text`.
fn group_heads(text: &str, offset: usize) -> Vec<(usize, &str)> {
    let mut depth = 1;
    let mut at_head = true;
    let mut heads = Vec::new();
    for (i, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => at_head = true,
            _ if at_head && !c.is_whitespace() => {
                heads.push((offset + i, identifier(&text[i..])));
                at_head = false;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    heads
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

    #[test]
    fn forbidden_modules_are_found() {
        let lines = |path: &str, text: &str| module(path, text).into_iter().map(|(line, _)| line).collect::<Vec<_>>();
        assert_eq!(lines("params.rs", "//! x\nuse crate::bits::BitSource;\n"), [2]);
        assert_eq!(lines("arch/all.rs", "use core::fmt;\nfn f(x: crate::params::Rational) {}\n"), [2]);
        assert_eq!(lines("samplers/cdt.rs", "use crate::{bits::{A, B},\n    sources::Seed};\n"), [2]);
        assert_eq!(lines("bits.rs", "use super::sources;\n"), [1]);
        assert_eq!(lines("samplers/cdt.rs", "use super::super::sources;\n"), [1]);
        assert_eq!(lines("samplers/deep/a.rs", "use super::super::super::{params, sources};\n"), [1]);
        assert_eq!(lines("novel.rs", ""), [1], "every module has a place");
        for test in ["samplers/cks/tests.rs", "samplers/cks/tests/steps.rs", "testing.rs"] {
            assert_eq!(lines(test, "use crate::sources;\n"), [0; 0], "{test}");
        }
        for fine in [
            "use crate::{bits::{A, sources}, params::*};\n",
            "// use crate::sources;\n",
            "/// [`crate::sources::Seed`]\nuse crate::table::X;\n",
            "use super::sources;\n",
            "use my_crate::sources;\n",
            "use crate::bits;\n#[cfg(test)]\nmod tests { use crate::sources::Seed; }\n",
        ] {
            assert_eq!(lines("samplers/cdt.rs", fine), [0; 0], "{fine}");
        }
    }
}
