//! Faults, planted one by one in a copy of the sources, are each found by a test, whose name is kept in docs/trust/faults.csv.

use crate::plants::{copied, replaced};
use std::path::Path;
use std::process::{Command, Output};
use xtask::csv::{field, fields};
use xtask::files::{self, Findings};

pub(crate) const FAULTS: &str = "docs/trust/faults.csv";
pub(crate) const FAULTS_HEADER: &str = "fault,file,run,found by,date,commit";

/// A fault in the shipped code that somebody might make.
struct Fault {
    what: &'static str,
    file: &'static str,
    /// What stands there once, and what is planted in its place.
    sound: &'static str,
    faulty: &'static str,
    /// The tests that are run, as `cargo test` has them chosen.
    tests: &'static str,
}

const LIST: [Fault; 14] = [
    Fault {
        what: "a table: the tail begins one value early",
        file: "crates/samplez-tables/src/cdt/side.rs",
        sound: "while above - below > 1 {",
        faulty: "while above - below > 2 {",
        tests: "-p samplez-tables --test tables",
    },
    Fault {
        what: "a carry is lost where two carries meet",
        file: "crates/samplez-core/src/table/ziggurat/height.rs",
        sound: "carry = first | second;",
        faulty: "carry = first;",
        tests: "-p samplez-core --lib table::ziggurat",
    },
    Fault {
        what: "bits: the last bits of a word are handed out twice",
        file: "crates/samplez-core/src/bits/reader.rs",
        sound: "self.left = 64 - used;",
        faulty: "self.left = 65 - used;",
        tests: "-p samplez-core --lib bits",
    },
    Fault {
        what: "a sign that counts zero twice",
        file: "crates/samplez-core/src/samplers/karney.rs",
        sound: "if x >= unit || (x == 0 && k == 0 && negative) {",
        faulty: "if x >= unit {",
        tests: "-p samplez-check --test laws karney",
    },
    Fault {
        what: "a DRBG's counter that does not move between requests",
        file: "crates/samplez-sources/src/ctr_drbg.rs",
        sound: "self.v = self.ahead(blocks).to_be_bytes();",
        faulty: "let _ = blocks;",
        tests: "-p samplez-sources --test drbg_cavp",
    },
    Fault {
        what: "a nonce of which a word is ignored",
        file: "crates/samplez-sources/src/chacha.rs",
        sound: "high | u64::from(block))",
        faulty: "(high & 0) | u64::from(block))",
        tests: "-p samplez-sources --test sources",
    },
    Fault {
        what: "the address of a block, cut to 32 bits",
        file: "crates/samplez/src/bulk/array.rs",
        sound: "let (number, skip) = (first / BLOCK, first % BLOCK);",
        faulty: "let (number, skip) = (u64::from((first / BLOCK) as u32), first % BLOCK);",
        tests: "-p samplez --lib --test streams",
    },
    Fault {
        what: "a missing wipe: the output of a source that failed",
        file: "crates/samplez/src/bulk/array.rs",
        sound: "if let Err(FillError::Entropy(_)) = filled {",
        faulty: "if let (Err(FillError::Entropy(_)), true) = (&filled, out.is_empty()) {",
        tests: "-p samplez --lib --test broken_sources",
    },
    Fault {
        what: "a missing wipe: the bits that a reader holds",
        file: "crates/samplez-core/src/bits/reader.rs",
        sound: "        self.buffer.as_mut_slice().zeroize();\n    }\n}\n\nimpl<R: Rng + ?Sized> fmt::Debug",
        faulty: "    }\n}\n\nimpl<R: Rng + ?Sized> fmt::Debug",
        tests: "--release -p samplez-ct -- erased",
    },
    Fault {
        what: "a swallowed error: standard output refuses the last bytes",
        file: "crates/samplez-cli/src/output.rs",
        sound: "Sink::Stdout(mut stdout) => stdout.flush(),",
        faulty: "Sink::Stdout(stdout) => { std::mem::forget(stdout); Ok(()) }",
        tests: "-p samplez-cli --test command whole_or_nothing",
    },
    Fault {
        what: "a swallowed error: the disk refuses to keep a file",
        file: "crates/samplez-cli/src/output.rs",
        sound: "match synced.and_then(|()| part.place()) {",
        faulty: "match synced.or(Ok(())).and_then(|()| part.place()) {",
        tests: "-p samplez-cli --test command faults",
    },
    Fault {
        what: "a test of the law with a degree of freedom too many",
        file: "crates/samplez-stats/src/cells.rs",
        sound: "Ok(cells.len() as u64 - 1)",
        faulty: "Ok(cells.len() as u64)",
        tests: "-p samplez-stats --lib",
    },
    Fault {
        what: "a signature that is as long as the bound allows is refused",
        file: "crates/samplez-schemes/src/bliss/public.rs",
        sound: "(square1 + (square2 << (2 * d)) <= norm)",
        faulty: "(square1 + (square2 << (2 * d)) < norm)",
        tests: "-p samplez-schemes --lib --test bliss --test bliss_foreign",
    },
    Fault {
        what: "a file of another byte order is read as if it were ours",
        file: "crates/samplez-cli/src/files/npy/header.rs",
        sound: r#"let big_endian = order == ">" || ("#,
        faulty: "let big_endian = (",
        tests: "-p samplez-cli --lib files",
    },
];

/// What is run in the tree.
fn run(tree: &Path, target: &Path, tests: &str) -> std::io::Result<Output> {
    let command: &[&str] = if tests.contains(" -- erased") { &["run"] } else { &["test", "--no-fail-fast"] };
    Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(command)
        .arg("--quiet")
        .args(tests.split(' '))
        .env("CARGO_TARGET_DIR", target)
        .current_dir(tree)
        .output()
}

/// The names of the tests that failed.
fn failed(printed: &str) -> Vec<String> {
    // Of each program first what they said, after an empty line, then their names.
    let lists = printed.split("failures:\n").skip(1);
    let names = lists.flat_map(|list| list.lines().map_while(|line| line.strip_prefix("    ")));
    let mut names: Vec<String> = names.map(str::to_owned).collect();
    // The search of memory prints a table: value, windows, found alive, found after the drop, copies on the stack.
    for row in printed.lines().map(fields).filter(|row| row.len() == 5 && !row[0].starts_with("control")) {
        if row[3].parse().is_ok_and(|found: u64| found > 0) {
            names.push(format!("erased: {}", row[0]));
        }
    }
    names
}

/// Plants each fault in a copy below this folder, runs its tests there, and keeps which of them failed.
pub(crate) fn check(root: &Path, folder: &Path) -> Findings {
    let (tree, target) = (folder.join("tree"), folder.join("target"));
    copied(root, &tree)?;
    let (mut rows, mut findings) = (format!("{FAULTS_HEADER}\n"), Vec::new());
    let (date, commit) = (samplez_lab::today(), samplez_lab::Place::here().commit);
    for Fault { what, file, sound, faulty, tests } in &LIST {
        let (path, text) = (tree.join(file), files::read(&tree.join(file))?);
        // Without the fault they pass: what they find is it.
        let clean = run(&tree, &target, tests)?;
        if !clean.status.success() {
            let words = [clean.stdout, clean.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
            findings.push(format!("{tests}: fails without a fault: {}", words.concat()));
            continue;
        }
        std::fs::write(&path, replaced(file, &text, sound, faulty)?).map_err(|e| files::named(&path, &e))?;
        let output = run(&tree, &target, tests);
        std::fs::write(&path, &text).map_err(|e| files::named(&path, &e))?;
        let output = output?;
        let found = failed(&String::from_utf8_lossy(&output.stdout));
        eprintln!("{what}: {found:?}");
        if output.status.success() || found.is_empty() {
            findings.push(format!("{file}: {what}: no test of `{tests}` names it"));
        }
        let shown = match &found[..] {
            [names @ .., _, _, _] if !names.is_empty() => {
                format!("{}, {} and {} more", found[0], found[1], found.len() - 2)
            }
            all => all.join(", "),
        };
        rows +=
            &[what, file, tests, &shown.as_str(), &date.as_str(), &commit.as_str()].map(|text| field(text)).join(",");
        rows.push('\n');
    }
    files::write(&root.join(FAULTS), &rows)?;
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_can_be_planted() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        for Fault { file, sound, faulty, .. } in &LIST {
            let text = files::read(&root.join(file)).unwrap();
            assert!(replaced(file, &text, sound, faulty).unwrap().contains(faulty), "{file}");
            assert!(replaced(file, "", sound, faulty).is_err());
        }
    }

    #[test]
    fn failures_are_read() {
        let printed = "running 2 tests\n..\nfailures:\n\n---- a::b stdout ----\nfailures: no\n\nfailures:\n    a::b\n    c\n\ntest result: FAILED.\n";
        assert_eq!(failed(printed), ["a::b", "c"]);
        assert_eq!(failed(&printed.repeat(2)), ["a::b", "c", "a::b", "c"]);
        assert_eq!(failed("test result: ok. 3 passed\n"), [""; 0]);
        assert_eq!(failed("Seed,17,17,4,0\nOther,1,1,0,0\ncontrol: a vector,1,1,1,0\n"), ["erased: Seed"]);
    }
}
