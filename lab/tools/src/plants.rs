//! Leaks, planted in a copy of the sources, are found by samplez-ct's memcheck, each by the cases of its path and by no
//! other, or by the rules of instructions.

use crate::asm;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::Command;
use xtask::files::{self, Findings};

/// A leak in one path.
struct Plant {
    file: &'static str,
    /// What stands there once, and what is planted in its place.
    sound: &'static str,
    leaking: &'static str,
    finder: Finder,
}

/// What must find a leak.
enum Finder {
    /// Of the cases whose names begin so, one at least each; and others, whose names begin as the second has it, may.
    Memcheck(&'static [&'static str], &'static [&'static str]),
    /// The rules of instructions.
    Asm,
}

use Finder::{Asm, Memcheck};

const PLANTS: [Plant; 6] = [
    // A branch on a sample, in fills of 64-bit integers alone.
    Plant {
        file: "crates/samplez-core/src/samplers/cdt_ct.rs",
        sound: "*slot = T::wrapping(table.first() + i64::from(*index));",
        leaking: "if size_of::<T>() == 8 && *index == 3 { black_box(()); } *slot = T::wrapping(table.first() + i64::from(*index));",
        finder: Memcheck(&["cdt-ct fill, int64", "CdtCt own fill, int64", "cdt-ct short"], &["cdt-ct ", "CdtCt "]),
    },
    // A branch on a base sample, in single samples.
    Plant {
        file: "crates/samplez-core/src/samplers/convolution_ct.rs",
        sound: "self.sums.sum(|| self.base.sample(bits))",
        leaking: "self.sums.sum(|| { let x = self.base.sample(bits); if x == 3 { core::hint::black_box(()); } x })",
        finder: Memcheck(
            &["convolution-ct sample, ", "ConvolutionCt own sample, ", "convolution-ct stream sample, "],
            &["convolution-ct ", "ConvolutionCt "],
        ),
    },
    // A branch on the sign, with a centre per call.
    Plant {
        file: "crates/samplez-core/src/samplers/strip_rounder.rs",
        sound: "self.settled_round(SINGLE, (center, width), 0, &Estimate, bits)",
        leaking: "let z = self.settled_round(SINGLE, (center, width), 0, &Estimate, bits); if z < center.floor() { core::hint::black_box(()); } z",
        finder: Memcheck(&["StripRounder round, ", "StripRounder round all, "], &[]),
    },
    // A store to an address by a sample, where a `Bulk` copies samples.
    Plant {
        file: "crates/samplez/src/bulk/within.rs",
        sound: "lost |= slot.widen() ^ sample;",
        leaking: "let mut seen = [0_u8; 256]; seen[(*sample & 255) as usize] = 1; std::hint::black_box(&seen); lost |= slot.widen() ^ sample;",
        finder: Memcheck(
            &["cdt-ct short, ", "cdt-lazy-ct inside, ", "isochronous short, ", "wide inside, ", "knuth-yao-ct whole, "],
            &["cdt-ct ", "cdt-lazy-ct ", "knuth-yao-ct ", "convolution-ct ", "isochronous ", "wide "],
        ),
    },
    // As many bytes are erased as the sample is large.
    Plant {
        file: "crates/samplez-core/src/samplers/common/store.rs",
        sound: "let sign = b - 1;",
        leaking: "let sign = b - 1; let mut scratch = [1_u8; 64]; scratch[..(x & 63) as usize].fill(0); core::hint::black_box(&scratch);",
        finder: Memcheck(&["ProposalStore round, "], &[]),
    },
    // Floating point, whose time depends on the numbers on some processors.
    Plant {
        file: "crates/samplez-core/src/samplers/common/sums.rs",
        sound: "*slot = T::wrapping(self.center + products.sum::<i64>());",
        leaking: "let sum = products.sum::<i64>(); core::hint::black_box((sum as f64).sqrt()); *slot = T::wrapping(self.center + sum);",
        finder: Asm,
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
    let found: Vec<&str> = report.lines().filter(|row| row.trim_end().ends_with("| NO |")).collect();
    let found: Vec<&str> = found.iter().filter_map(|row| row.strip_prefix("| ")).collect();
    let (mut findings, mut allowed) = (Vec::new(), Vec::<&str>::new());
    for Plant { file, finder, .. } in &PLANTS {
        if let Memcheck(must, may) = finder {
            for cases in must.iter().filter(|cases| !found.iter().any(|row| row.starts_with(**cases))) {
                findings.push(format!("{file}: a leak is planted, and not found by a case {cases}"));
            }
            allowed.extend(must.iter().chain(*may));
        }
    }
    let strays = found.iter().filter(|row| !allowed.iter().any(|cases| row.starts_with(cases)));
    findings.extend(strays.map(|row| format!("no leak is planted that would concern the case {row}")));
    findings
}

/// Plants the leaks in a copy below this folder, builds samplez-ct there, and judges its report and its instructions.
pub(crate) fn check(root: &Path, folder: &Path) -> Findings {
    let (tree, target) = (folder.join("tree"), folder.join("target"));
    copied(root, &tree)?;
    for plant in &PLANTS {
        let path: PathBuf = tree.join(plant.file);
        let text = replaced(plant.file, &files::read(&path)?, plant.sound, plant.leaking)?;
        std::fs::write(&path, text).map_err(|e| files::named(&path, &e))?;
    }
    let output = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["run", "--quiet", "--profile", "ct", "--package", "samplez-ct", "--", "memcheck"])
        .env("CARGO_TARGET_DIR", &target)
        .env("CARGO_PROFILE_CT_DEBUG", "line-tables-only")
        .current_dir(&tree)
        .output()?;
    // 1: cases are not as claimed, as they must not be.
    if output.status.code() != Some(1) {
        let words = String::from_utf8_lossy(&output.stderr);
        return Err(Error::other(format!("samplez-ct with leaks ended with {:?}: {words}", output.status.code())));
    }
    let mut findings = judged(&String::from_utf8_lossy(&output.stdout));
    let instructions = asm::check(&tree, &target.join("ct/samplez-ct"))?;
    let by_asm = PLANTS.iter().filter(|plant| matches!(plant.finder, Asm));
    let missed = by_asm.filter(|plant| !instructions.iter().any(|found| found.starts_with(plant.file)));
    findings.extend(missed.map(|plant| format!("{}: a leak is planted, and no instruction is found", plant.file)));
    Ok(findings)
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
        let row = |case: &str| format!("| {case}x, 17 (1) | scalar | depends on secret bits | NO |\n");
        let all = |plant: &Plant| match plant.finder {
            Memcheck(must, _) => must.iter().map(|case| row(case)).collect(),
            Asm => String::new(),
        };
        let report: String = PLANTS.iter().map(all).collect();
        assert_eq!(judged(&report), [""; 0]);
        assert_eq!(judged(&format!("{report}| Modulus residues | - | no finding | yes |\n")), [""; 0]);
        assert_eq!(judged(&(report.clone() + &row("Modulus residues"))).len(), 1);
        assert_eq!(judged(&report.replace("| ProposalStore", "| x")).len(), 2);
        assert_eq!(judged("").len(), 14);
    }
}
