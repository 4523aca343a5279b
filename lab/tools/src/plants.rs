//! Leaks, planted in a copy of the sources, are found by samplez-ct's memcheck, each by the cases of its path and by no other.

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::Command;
use xtask::files::{self, Findings};

/// A leak in one path alone.
struct Plant {
    file: &'static str,
    /// What stands there once, and what is planted in its place.
    sound: &'static str,
    leaking: &'static str,
    /// How the names of the cases begin that must find it.
    cases: &'static str,
}

const PLANTS: [Plant; 3] = [
    // A branch on a sample, in fills of 64-bit integers alone.
    Plant {
        file: "crates/samplez-core/src/samplers/cdt_ct.rs",
        sound: "*slot = T::wrapping(table.first() + i64::from(*index));",
        leaking: "if size_of::<T>() == 8 && *index == 3 { black_box(()); } *slot = T::wrapping(table.first() + i64::from(*index));",
        cases: "cdt-ct fill, I64 ",
    },
    // A branch on a base sample, in single samples.
    Plant {
        file: "crates/samplez-core/src/samplers/convolution_ct.rs",
        sound: "self.sums.sum(|| self.base.sample(bits))",
        leaking: "self.sums.sum(|| { let x = self.base.sample(bits); if x == 3 { core::hint::black_box(()); } x })",
        cases: "convolution-ct sample ",
    },
    // A branch on the sign, with a centre per call.
    Plant {
        file: "crates/samplez-core/src/samplers/strip_rounder.rs",
        sound: "self.settled_round(SINGLE, (center, width), 0, &Estimate, bits)",
        leaking: "let z = self.settled_round(SINGLE, (center, width), 0, &Estimate, bits); if z < center.floor() { core::hint::black_box(()); } z",
        cases: "strips calls ",
    },
];

/// Makes `to` a copy of the tree's sources, and removes from it what these have no more; build products stay behind.
pub(crate) fn copied(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(to).map_err(|e| files::named(to, &e))? {
        let entry = entry?;
        if !files::is_skipped(&entry.file_name().to_string_lossy()) && !from.join(entry.file_name()).exists() {
            let path = entry.path();
            let removed = if path.is_dir() { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
            removed.map_err(|e| files::named(&path, &e))?;
        }
    }
    for entry in std::fs::read_dir(from).map_err(|e| files::named(from, &e))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !files::is_skipped(&name) {
                copied(&path, &to.join(name))?;
            }
        } else {
            let (text, place) = (std::fs::read(&path).map_err(|e| files::named(&path, &e))?, to.join(name));
            // What has not changed keeps its date, and is not built again.
            if !std::fs::read(&place).is_ok_and(|old| old == text) {
                std::fs::write(&place, text).map_err(|e| files::named(&place, &e))?;
            }
        }
    }
    Ok(())
}

/// The source with something else in the place of what stands there once.
pub(crate) fn replaced(file: &str, text: &str, sound: &str, planted: &str) -> std::io::Result<String> {
    if text.matches(sound).count() != 1 {
        return Err(Error::new(ErrorKind::InvalidData, format!("{file}: `{sound}` must stand there once")));
    }
    Ok(text.replace(sound, planted))
}

/// What is wrong with a report of samplez-ct, whose rows end in whether a case is as claimed.
fn judged(report: &str) -> Vec<String> {
    let rows = report.lines().filter_map(|line| line.strip_prefix("| ")).filter(|row| !row.starts_with("case "));
    let rows: Vec<(&str, bool)> = rows.map(|row| (row, row.trim_end().ends_with("| NO |"))).collect();
    let mut findings = Vec::new();
    for Plant { cases, file, .. } in &PLANTS {
        if !rows.iter().any(|(row, _)| row.starts_with(cases)) {
            findings.push(format!("{file}: no case begins with {cases}"));
        }
    }
    for (row, is_found) in rows {
        let is_planted = PLANTS.iter().any(|plant| row.starts_with(plant.cases));
        match (is_planted, is_found) {
            (true, false) => findings.push(format!("a leak is planted, and not found by the case {row}")),
            (false, true) => findings.push(format!("no leak is planted that would concern the case {row}")),
            _ => {}
        }
    }
    findings
}

/// Plants the leaks in a copy below this folder, builds samplez-ct there for release, and judges its report.
pub(crate) fn check(root: &Path, folder: &Path) -> Findings {
    let tree = folder.join("tree");
    copied(root, &tree)?;
    for plant in &PLANTS {
        let path: PathBuf = tree.join(plant.file);
        let text = replaced(plant.file, &files::read(&path)?, plant.sound, plant.leaking)?;
        std::fs::write(&path, text).map_err(|e| files::named(&path, &e))?;
    }
    let output = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["run", "--quiet", "--release", "--package", "samplez-ct", "--", "memcheck"])
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .current_dir(&tree)
        .output()?;
    // 1: cases are not as claimed, as they must not be.
    if output.status.code() != Some(1) {
        let words = String::from_utf8_lossy(&output.stderr);
        return Err(Error::other(format!("samplez-ct with leaks ended with {:?}: {words}", output.status.code())));
    }
    Ok(judged(&String::from_utf8_lossy(&output.stdout)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaks_can_be_planted() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        for plant in &PLANTS {
            let text = files::read(&root.join(plant.file)).unwrap();
            let planted = |text: &str| replaced(plant.file, text, plant.sound, plant.leaking);
            assert!(planted(&text).unwrap().contains(plant.leaking), "{}", plant.file);
            assert!(planted("").is_err());
        }
    }

    #[test]
    fn reports_are_judged() {
        let row = |case: &str, found: bool| format!("| {case} | scalar | x | {} |\n", if found { "NO" } else { "yes" });
        let report = |found: [bool; 4]| {
            let cases =
                PLANTS.iter().map(|plant| format!("{}(1, 0)", plant.cases)).chain(["cdt-ct sample (1, 0)".into()]);
            let rows: String = cases.zip(found).map(|(case, found)| row(&case, found)).collect();
            format!("| case | backend | memcheck | as claimed |\n|---|---|---|---|\n{rows}")
        };
        assert_eq!(judged(&report([true, true, true, false])), [""; 0]);
        assert_eq!(judged(&report([true, true, true, true])).len(), 1);
        assert_eq!(judged(&report([true, false, true, false])).len(), 1);
        assert_eq!(judged("").len(), 3);
    }
}
