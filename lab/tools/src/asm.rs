//! The instructions of a program, where its sources claim constant or isochronous time.
//!
//! What memcheck cannot see: an instruction whose own time depends on its operands; and, in code for AVX-512, which
//! valgrind does not know, branches and addresses that come from vectors. By objdump and addr2line.

mod listing;
mod places;
mod rules;

use listing::Machine;
use places::Sources;
pub(crate) use places::is_claimed;
use std::collections::BTreeMap;
use std::io::Error;
use std::path::Path;
use xtask::files::{self, Findings};

/// The findings in the program that is named.
pub(crate) fn check(root: &Path, program: Option<&str>) -> Findings {
    findings(root, Path::new(program.ok_or_else(|| Error::other("check-asm: expected a program"))?))
}

/// The findings in a program that was built with line tables.
pub(crate) fn findings(root: &Path, program: &Path) -> Findings {
    let bytes = std::fs::read(program).map_err(|e| files::named(program, &e))?;
    let shown = program.display();
    let machine =
        Machine::of(&bytes).ok_or_else(|| Error::other(format!("{shown}: no ELF file for x86-64 or aarch64")))?;
    let text = listing::disassembled(machine, program)?;
    let refused: Vec<_> =
        listing::functions(&text).iter().flat_map(|function| rules::refused(machine, function)).collect();
    let addresses: Vec<u64> = refused.iter().map(|(address, _)| *address).collect();
    let frames = listing::frames(machine, program, &addresses)?;
    if frames.values().flatten().all(|frame| frame.line == 0) {
        return Err(Error::other(format!(
            "{shown}: no instruction's line is known; it must be built with line tables"
        )));
    }
    let mut sources = Sources::new(root);
    // The first instruction of each place.
    let mut places = BTreeMap::new();
    for (address, why) in refused {
        if let Some(place) = frames.get(&address).and_then(|frames| sources.refused(frames)) {
            places.entry((place, why.text())).or_insert(address);
        }
    }
    Ok(places.iter().map(|((place, why), address)| format!("{place} {why} ({shown}, {address:#x})")).collect())
}

#[cfg(all(test, target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_planted_division_is_found() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let folder = std::env::temp_dir().join(format!("samplez-asm-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let compiled = |tables: &str| {
            let program = folder.join(format!("planted-{tables}.so"));
            let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
            let status = Command::new(rustc)
                .args(["--edition=2024", "--crate-type=cdylib", "-O", "-C"])
                .arg(format!("debuginfo={tables}"))
                .arg(places::PLANTED)
                .arg("-o")
                .arg(&program)
                .current_dir(root)
                .status();
            assert!(status.unwrap().success());
            findings(root, &program)
        };
        let findings = compiled("line-tables-only").unwrap();
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert!(
            findings[0].contains("planted.rs:7: ") && findings[0].contains("depends on its operands"),
            "{findings:?}"
        );
        std::fs::remove_dir_all(folder).unwrap();
    }
}
