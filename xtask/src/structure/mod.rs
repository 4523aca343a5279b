//! The structure of the tree, file by file: no two files import each other, directly or in a
//! longer circle; no file is long; no front names a method.

mod circles;
mod fronts;
mod rust;
mod scripts;
mod tokens;

use circles::Imports;
use fronts::FRONTS;
pub(crate) use rust::{is_for_tests, item};
use std::io;
use std::path::Path;
pub(crate) use tokens::{Language, Placed, Token, tokens};
use xtask::files::{self, Findings};

/// The most lines of a file.
const LINES: usize = 600;

pub(crate) fn check(root: &Path) -> Findings {
    let mut findings = circles(root)?;
    for language in [Language::Rust, Language::Python, Language::TypeScript] {
        for (path, text) in sources(root, root, language)? {
            let lines = text.lines().count();
            if lines > LINES {
                findings.push(format!("{path}: {lines} lines; a file has one job and at most {LINES}"));
            }
        }
    }
    let methods = methods(root)?;
    for front in &FRONTS {
        let named = named_methods(root, front, &methods)?;
        if front.is_clean {
            findings.extend(named);
        } else if named.is_empty() {
            findings
                .push(format!("{}: names no method any more; say so in xtask/src/structure/fronts.rs", front.folder));
        }
    }
    Ok(findings)
}

/// The files of a language below a folder, as seen from another, with their texts.
fn sources(seen_from: &Path, folder: &Path, language: Language) -> io::Result<Vec<(String, String)>> {
    let paths = files::below(folder, language.extension())?;
    paths.into_iter().map(|path| Ok((files::shown(seen_from, &path), files::read(&path)?))).collect()
}

fn circles(root: &Path) -> Findings {
    let mut imports = Imports::default();
    for manifest in files::below(root, "toml")? {
        if manifest.file_name().is_some_and(|name| name == "Cargo.toml") {
            let folder = manifest.with_file_name("src");
            rust::add(
                &mut imports,
                &format!("{}/", files::shown(root, &folder)),
                &sources(&folder, &folder, Language::Rust)?,
            );
        }
    }
    let package = root.join("python/samplez");
    let mut modules = sources(&package, &package, Language::Python)?;
    // What a native module offers stands in its stub.
    for stub in files::below(&package, "pyi")? {
        modules.push((files::shown(&package, &stub), String::new()));
    }
    scripts::add_python(&mut imports, "python/samplez/", "samplez", &modules);
    for name in ["web/src/", "web/page/src/"] {
        let folder = root.join(name);
        scripts::add_typescript(&mut imports, name, &sources(&folder, &folder, Language::TypeScript)?);
    }
    Ok(imports.circles())
}

/// The methods' names, from their rows.
fn methods(root: &Path) -> io::Result<Vec<String>> {
    let rows = sources(root, &root.join("crates/samplez/src/method"), Language::Rust)?;
    let name = |text: &str| Some(text.split_once("\n    name: \"")?.1.split_once('"')?.0.to_owned());
    let found: Vec<String> = rows.iter().filter_map(|(_, text)| name(text)).collect();
    if found.is_empty() {
        return Err(io::Error::other("crates/samplez/src/method: no row has a line «name: \"…\"»"));
    }
    Ok(found)
}

fn named_methods(root: &Path, front: &fronts::Front, methods: &[String]) -> Findings {
    let mut findings = Vec::new();
    for language in [Language::Rust, Language::Python, Language::TypeScript] {
        for (path, text) in sources(root, &root.join(front.folder), language)? {
            if !front.free.iter().any(|free| path.starts_with(free)) {
                let named = fronts::named(&text, language, methods).into_iter();
                findings.extend(named.map(|(line, name)| format!("{path}:{line}: a front names the method {name}")));
            }
        }
    }
    Ok(findings)
}
