//! The documents that a kept run of the report makes.

use samplez_lab::{LabError, documents};
use std::io;
use std::path::Path;
use xtask::files::{self, Findings};

/// Keeps the report in `from`, if one is named; then writes the documents, or compares them with what the run makes.
pub(crate) fn run(root: &Path, argument: Option<&str>) -> Findings {
    let failed = |error: LabError| io::Error::other(error.to_string());
    let check = argument == Some("--check");
    if let Some(from) = argument.filter(|_| !check) {
        let (count, changes) = documents::keep(root, Path::new(from)).map_err(failed)?;
        println!("{count} items of {from} are kept; {} verdicts differ from the run before.", changes.len());
        changes.iter().for_each(|change| println!("  {change}"));
    }
    let mut findings = Vec::new();
    let made = documents::made(root).map_err(failed)?;
    for (file, text) in &made {
        findings.extend(files::made(root, &file.to_string_lossy(), text, "tools gen-report", check)?);
    }
    for path in files::below(&root.join(documents::PICTURES), "svg")? {
        if made.iter().any(|(file, _)| root.join(file) == path) {
            continue;
        }
        if check {
            findings.push(format!("{}: no run makes it: cargo tools gen-report", files::shown(root, &path)));
        } else {
            std::fs::remove_file(&path).map_err(|error| files::named(&path, &error))?;
        }
    }
    Ok(findings)
}
