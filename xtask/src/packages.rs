//! What the packages say of themselves: one version, one repository and one oldest compiler, those of the workspace's manifest; and
//! what a registry asks of a crate.

use crate::header;
use std::path::Path;
use xtask::files::{self, Findings};

/// The crates that are published, each after those that it needs. All others say `publish = false`: they are checks, programs
/// and the native halves of other languages' packages.
const PUBLISHED: [&str; 8] = [
    "samplez-core",
    "samplez-sources",
    "samplez-tables",
    "samplez-schemes",
    "samplez-stats",
    "samplez",
    "samplez-lattice",
    "samplez-cli",
];

/// What the manifest of a published crate has.
const FIELDS: [&str; 12] = [
    "description = ",
    "version.workspace = true",
    "edition.workspace = true",
    "rust-version.workspace = true",
    "license.workspace = true",
    "repository.workspace = true",
    "documentation = ",
    "readme = \"README.md\"",
    "keywords = ",
    "categories = ",
    "[package.metadata.docs.rs]",
    "all-features = true",
];

/// The texts of both licences, to which every package's folder has links; those of the npm package, whose packager follows none,
/// are copied when it is built.
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Where a line repeats the version: the file, how the line begins, what stands right before it, and in how many lines.
const VERSIONS: [(&str, &str, &str, usize); 8] = [
    ("Cargo.toml", "version = ", "version = \"", 1),
    ("Cargo.toml", "samplez", "version = \"=", PUBLISHED.len()),
    ("python/Cargo.toml", "version = ", "version = \"", 1),
    ("python/samplez/__init__.py", "__version__ = ", "__version__ = \"", 1),
    ("web/package.json", "\"version\": ", "\"version\": \"", 1),
    ("web/package-lock.json", "\"version\": ", "\"version\": \"", 2),
    ("CITATION.cff", "version: ", "version: \"", 1),
    ("packages/conda/recipe.yaml", "version: ", "version: \"", 1),
];

/// Cargo's locks, which repeat it for each crate of ours.
const LOCKS: [&str; 3] = ["Cargo.lock", "python/Cargo.lock", "lab/benches/peers/Cargo.lock"];

/// Files that name the repository.
const REPOSITORY: [&str; 5] =
    ["python/pyproject.toml", "web/package.json", "CITATION.cff", "packages/conda/recipe.yaml", "SECURITY.md"];

/// Files that tell the oldest compiler, and how.
const COMPILER: [(&str, &str, &str); 10] = [
    ("python/Cargo.toml", "rust-version = \"", "\""),
    ("README.md", "Rust ", " or newer"),
    ("crates/samplez-core/README.md", "Rust ", " or newer"),
    ("crates/samplez-sources/README.md", "Rust ", " or newer"),
    ("crates/samplez-tables/README.md", "Rust ", " or newer"),
    ("crates/samplez-schemes/README.md", "Rust ", " or newer"),
    ("crates/samplez-stats/README.md", "Rust ", " or newer"),
    ("crates/samplez/README.md", "Rust ", " or newer"),
    ("crates/samplez-lattice/README.md", "Rust ", " or newer"),
    ("crates/samplez-cli/README.md", "Rust ", " or newer"),
];

/// Where the repository is not yet.
const PLACEHOLDER: &str = "https://example.org/";

/// Compares what the packages say.
pub(crate) fn check(root: &Path) -> Findings {
    let workspace = files::read(&root.join("Cargo.toml"))?;
    let [version, repository, compiler] = ["version", "repository", "rust-version"].map(|key| value(&workspace, key));
    let mut findings = Vec::new();
    for (file, begins, before, lines) in VERSIONS {
        let text = files::read(&root.join(file))?;
        findings.extend(versions(&text, begins, before, lines, version).into_iter().map(|f| format!("{file}:{f}")));
    }
    for file in LOCKS {
        let text = files::read(&root.join(file))?;
        findings.extend(locked(&text, version).into_iter().map(|f| format!("{file}: {f}")));
    }
    if !files::read(&root.join(header::FILE))?.contains(&header::macros(version)) {
        findings.push(format!("{}: has another version; run `cargo xtask gen-header`", header::FILE));
    }
    for file in REPOSITORY {
        findings.extend(names(&files::read(&root.join(file))?, repository).map(|f| format!("{file}: {f}")));
    }
    for (file, before, after) in COMPILER {
        if !files::read(&root.join(file))?.contains(&format!("{before}{compiler}{after}")) {
            findings.push(format!("{file}: does not say «{before}{compiler}{after}»"));
        }
    }
    for path in files::below(root, "toml")? {
        if path.file_name().is_some_and(|name| name == "Cargo.toml") {
            let at = files::shown(root, &path);
            findings.extend(manifest(&files::read(&path)?).into_iter().map(|f| format!("{at}: {f}")));
        }
    }
    for folder in PUBLISHED.map(|name| format!("crates/{name}")).iter().map(String::as_str).chain(["python"]) {
        for licence in LICENCES {
            let of = |file: &str| std::fs::read(root.join(file)).ok();
            if of(&format!("{folder}/{licence}")) != of(licence) {
                findings.push(format!("{folder}/{licence}: is not the licence, {licence}"));
            }
        }
    }
    Ok(findings)
}

/// The value of the first line `key = "value"`, without its quotes; empty if there is none.
fn value<'a>(text: &'a str, key: &str) -> &'a str {
    let after = |line: &'a str| line.strip_prefix(key)?.trim_start().strip_prefix('=');
    text.lines().find_map(after).map_or("", |value| value.trim().trim_matches('"'))
}

/// The value that follows `before` in a line that begins with `begins`.
fn follows<'a>(line: &'a str, begins: &str, before: &str) -> Option<&'a str> {
    line.trim_start().starts_with(begins).then_some(())?;
    line.split_once(before)?.1.split('"').next()
}

/// The first `lines` lines that name a version, where it is another; or that there are fewer.
fn versions(text: &str, begins: &str, before: &str, lines: usize, version: &str) -> Vec<String> {
    let named = text.lines().enumerate().filter_map(|(i, line)| Some((i + 1, follows(line, begins, before)?)));
    let named: Vec<_> = named.take(lines).collect();
    let others = named.iter().filter(|(_, found)| *found != version);
    let mut findings: Vec<_> =
        others.map(|(line, found)| format!("{line}: has version {found}, the workspace {version}")).collect();
    if named.len() < lines {
        findings.push(format!("1: names the version in {} lines, not in {lines}", named.len()));
    }
    findings
}

/// The blocks of a lock that are crates of ours, as (name, version).
fn ours(lock: &str) -> impl Iterator<Item = (&str, &str)> {
    let blocks = lock.split("[[package]]").skip(1).filter(|block| !block.contains("\nsource = "));
    blocks.map(|block| (value(block, "name"), value(block, "version")))
}

/// Crates of ours that a lock has with another version; those without one, 0.0.0, are never published.
fn locked(lock: &str, version: &str) -> Vec<String> {
    let others = ours(lock).filter(|(_, found)| *found != version && *found != "0.0.0");
    others.map(|(name, found)| format!("{name} is locked at {found}, the workspace has {version}")).collect()
}

/// Whether a file names the repository, and no placeholder once there is one.
fn names(text: &str, repository: &str) -> Option<String> {
    if !text.contains(repository) {
        return Some(format!("does not name the repository, {repository}"));
    }
    (!repository.starts_with(PLACEHOLDER) && text.contains(PLACEHOLDER))
        .then(|| format!("names {PLACEHOLDER}…, which is no place"))
}

/// What a crate's manifest lacks.
fn manifest(text: &str) -> Vec<String> {
    let name = text.split_once("[package]").map_or("", |(_, package)| value(package.trim_start(), "name"));
    if name.is_empty() {
        return Vec::new(); // the workspace's own
    }
    let has = |field: &str| text.lines().any(|line| line.starts_with(field));
    if !PUBLISHED.contains(&name) {
        let kept = has("publish.workspace = true") || has("publish = false");
        return if kept { Vec::new() } else { vec![format!("{name} is not published, and must say so")] };
    }
    let mut findings: Vec<_> =
        FIELDS.iter().filter(|field| !has(field)).map(|field| format!("lacks «{}»", field.trim())).collect();
    if has("publish") {
        findings.push("is published, and must not say otherwise".to_owned());
    }
    let keywords: Vec<&str> = value(text, "keywords").trim_matches(['[', ']']).split(',').map(str::trim).collect();
    if keywords.len() > 5 || keywords.iter().any(|keyword| keyword.trim_matches('"').len() > 20) {
        findings.push("a registry takes at most 5 keywords, of at most 20 letters each".to_owned());
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERSION: (&str, &str) = ("version = ", "version = \"");

    #[test]
    fn other_versions_are_found() {
        let text = "a\nversion = \"1.2.3\"\nx = { version = \"1.2.3\" }\nversion = \"1.2.3\"\n";
        let of = |text: &str, lines| versions(text, VERSION.0, VERSION.1, lines, "1.2.3");
        assert_eq!(of(text, 1), [""; 0]);
        assert_eq!(of(&text.replacen("1.2.3", "1.2.4", 1), 1), ["2: has version 1.2.4, the workspace 1.2.3"]);
        assert_eq!(of(text, 3), ["1: names the version in 2 lines, not in 3"]);
    }

    #[test]
    fn locks_are_ours_where_they_have_no_source() {
        let block = |name: &str, version: &str, rest: &str| {
            format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n{rest}\n")
        };
        let foreign = block("rand", "1.2.2", "source = \"x\"\n");
        let lock =
            block("samplez", "1.2.3", "dependencies = [\n \"rand\",\n]\n") + &foreign + &block("tool", "0.0.0", "");
        assert_eq!(locked(&lock, "1.2.3"), [""; 0]);
        assert_eq!(locked(&lock, "1.2.4"), ["samplez is locked at 1.2.3, the workspace has 1.2.4"]);
    }

    #[test]
    fn a_repository_is_named_or_missed() {
        let placeholder = "https://example.org/samplez";
        assert_eq!(names("url: https://example.org/samplez", placeholder), None);
        assert!(names("url: nowhere", placeholder).is_some());
        let home = "https://code.example/samplez";
        assert_eq!(names("https://code.example/samplez/issues", home), None);
        assert!(names("https://code.example/samplez https://example.org/samplez", home).is_some());
    }

    #[test]
    fn published_crates_have_what_a_registry_asks_for() {
        let without = |lacking: &str| {
            let fields = FIELDS.into_iter().filter(|field| *field != lacking).map(|field| field.to_owned() + "\n");
            "[package]\nname = \"samplez\"\n".to_owned() + &fields.collect::<String>()
        };
        let whole = without("nothing");
        assert_eq!(manifest(&whole), [""; 0]);
        for field in FIELDS {
            assert_eq!(manifest(&without(field)).len(), 1, "{field}");
        }
        assert_eq!(manifest(&(whole.clone() + "publish.workspace = true\n")).len(), 1);
        assert_eq!(
            manifest(&whole.replace("keywords = ", "keywords = [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\"]")).len(),
            1
        );
        assert_eq!(manifest(&whole.replace("keywords = ", "keywords = [\"abcdefghijklmnopqrstu\"]")).len(), 1);
        assert_eq!(manifest("[package]\nname = \"samplez-lab\"\npublish.workspace = true\n"), [""; 0]);
        assert_eq!(manifest("[package]\nname = \"samplez-lab\"\n").len(), 1);
        assert_eq!(manifest("[workspace]\n"), [""; 0]);
    }
}
