//! Faults and leaks of time, planted one by one in a copy of the sources, are each found by a test or a case of samplez-ct, whose name is
//! kept in docs/trust/faults.csv.

use crate::leaks;
use std::collections::BTreeMap;
use std::io::{Error, Result};
use std::path::Path;
use std::process::{Command, Output};
use xtask::csv::{Table, fields};
use xtask::files::{self, Findings};

/// A fault in the shipped code that somebody might make. A name that begins with `leak:` is one of time.
struct Fault {
    what: &'static str,
    file: &'static str,
    /// What stands there once, and what is planted in its place.
    sound: &'static str,
    faulty: &'static str,
    /// What is run by cargo.
    run: &'static str,
}

const MEMCHECK: &str = "run --profile ct -p samplez-ct -- memcheck";

const LIST: [Fault; 19] = [
    Fault {
        what: "a table: the tail begins one value early",
        file: "crates/samplez-tables/src/cdt/side.rs",
        sound: "while above - below > 1 {",
        faulty: "while above - below > 2 {",
        run: "test --no-fail-fast -p samplez-tables --test tables",
    },
    Fault {
        what: "a carry is lost where two carries meet",
        file: "crates/samplez-core/src/table/ziggurat/height.rs",
        sound: "carry = first | second;",
        faulty: "carry = first;",
        run: "test --no-fail-fast -p samplez-core --lib table::ziggurat",
    },
    Fault {
        what: "bits: the last bits of a word are handed out twice",
        file: "crates/samplez-core/src/bits/reader.rs",
        sound: "self.left = 64 - used;",
        faulty: "self.left = 65 - used;",
        run: "test --no-fail-fast -p samplez-core --lib bits",
    },
    Fault {
        what: "a sign that counts zero twice",
        file: "crates/samplez-core/src/samplers/karney.rs",
        sound: "if x >= unit || (x == 0 && k == 0 && negative) {",
        faulty: "if x >= unit {",
        run: "test --no-fail-fast -p samplez-check --test laws karney",
    },
    Fault {
        what: "a DRBG's counter that does not move between requests",
        file: "crates/samplez-sources/src/ctr_drbg.rs",
        sound: "self.v = self.ahead(blocks).to_be_bytes();",
        faulty: "let _ = blocks;",
        run: "test --no-fail-fast -p samplez-sources --test drbg_cavp",
    },
    Fault {
        what: "a nonce of which a word is ignored",
        file: "crates/samplez-sources/src/chacha.rs",
        sound: "high | u64::from(block))",
        faulty: "(high & 0) | u64::from(block))",
        run: "test --no-fail-fast -p samplez-sources --test sources",
    },
    Fault {
        what: "the address of a block, cut to 32 bits",
        file: "crates/samplez/src/bulk/array.rs",
        sound: "let (number, skip) = (first / BLOCK, first % BLOCK);",
        faulty: "let (number, skip) = (u64::from((first / BLOCK) as u32), first % BLOCK);",
        run: "test --no-fail-fast -p samplez --lib --test streams",
    },
    Fault {
        what: "a missing wipe: the output of a source that failed",
        file: "crates/samplez/src/bulk/array.rs",
        sound: "if let Err(FillError::Entropy(_)) = filled {",
        faulty: "if let (Err(FillError::Entropy(_)), true) = (&filled, out.is_empty()) {",
        run: "test --no-fail-fast -p samplez --lib --test broken_sources",
    },
    Fault {
        what: "a missing wipe: the bits that a reader holds",
        file: "crates/samplez-core/src/bits/reader.rs",
        sound: "        self.buffer.as_mut_slice().zeroize();\n    }\n}\n\nimpl<R: Rng + ?Sized> fmt::Debug",
        faulty: "    }\n}\n\nimpl<R: Rng + ?Sized> fmt::Debug",
        run: "run --release -p samplez-ct -- erased",
    },
    Fault {
        what: "a swallowed error: standard output refuses the last bytes",
        file: "crates/samplez-cli/src/output.rs",
        sound: "Sink::Stdout(mut stdout) => stdout.flush(),",
        faulty: "Sink::Stdout(stdout) => { std::mem::forget(stdout); Ok(()) }",
        run: "test --no-fail-fast -p samplez-cli --test command whole_or_nothing",
    },
    Fault {
        what: "a swallowed error: the disk refuses to keep a file",
        file: "crates/samplez-cli/src/output.rs",
        sound: "match synced.and_then(|()| part.place()) {",
        faulty: "match synced.or(Ok(())).and_then(|()| part.place()) {",
        run: "test --no-fail-fast -p samplez-cli --test command faults",
    },
    Fault {
        what: "a test of the law with a degree of freedom too many",
        file: "crates/samplez-stats/src/cells.rs",
        sound: "Ok(cells.len() as u64 - 1)",
        faulty: "Ok(cells.len() as u64)",
        run: "test --no-fail-fast -p samplez-stats --lib",
    },
    Fault {
        what: "a signature that is as long as the bound allows is refused",
        file: "crates/samplez-schemes/src/bliss/public.rs",
        sound: "(square1 + (square2 << (2 * d)) <= norm)",
        faulty: "(square1 + (square2 << (2 * d)) < norm)",
        run: "test --no-fail-fast -p samplez-schemes --lib --test bliss --test bliss_foreign",
    },
    Fault {
        what: "a file of another byte order is read as if it were ours",
        file: "crates/samplez-cli/src/files/npy/header.rs",
        sound: r#"let big_endian = order == ">" || ("#,
        faulty: "let big_endian = (",
        run: "test --no-fail-fast -p samplez-cli --lib files",
    },
    Fault {
        what: "leak: a branch on a sample, in fills of 64-bit integers alone",
        file: "crates/samplez-core/src/samplers/cdt_ct.rs",
        sound: "*slot = T::wrapping(table.first() + i64::from(*index));",
        faulty: "if size_of::<T>() == 8 && *index == 3 { black_box(()); } *slot = T::wrapping(table.first() + i64::from(*index));",
        run: MEMCHECK,
    },
    Fault {
        what: "leak: a branch on a base sample, in single samples",
        file: "crates/samplez-core/src/samplers/convolution_ct.rs",
        sound: "self.sums.sum(|| self.base.sample(bits))",
        faulty: "self.sums.sum(|| { let x = self.base.sample(bits); if x == 3 { core::hint::black_box(()); } x })",
        run: MEMCHECK,
    },
    Fault {
        what: "leak: a branch on the sign, with a centre per call",
        file: "crates/samplez-core/src/samplers/strip_rounder.rs",
        sound: "self.settled_round(SINGLE, (center, width), 0, &Estimate, bits)",
        faulty: "let z = self.settled_round(SINGLE, (center, width), 0, &Estimate, bits); if z < center.floor() { core::hint::black_box(()); } z",
        run: MEMCHECK,
    },
    Fault {
        what: "leak: a store to an address by a sample, where a `Bulk` copies samples",
        file: "crates/samplez/src/bulk/within.rs",
        sound: "lost |= slot.widen() ^ sample;",
        faulty: "let mut seen = [0_u8; 256]; seen[(*sample & 255) as usize] = 1; std::hint::black_box(&seen); lost |= slot.widen() ^ sample;",
        run: MEMCHECK,
    },
    Fault {
        what: "leak: as many bytes are erased as the sample is large",
        file: "crates/samplez-core/src/samplers/common/store.rs",
        sound: "let sign = b - 1;",
        faulty: "let sign = b - 1; let mut scratch = [1_u8; 64]; scratch[..(x & 63) as usize].fill(0); core::hint::black_box(&scratch);",
        run: MEMCHECK,
    },
];

/// Makes `tree` a clone of the last commit. What has not changed keeps its date, and is not built again.
pub(crate) fn copied(root: &Path, tree: &Path) -> Result<()> {
    let script = r#"[ -d "$2" ] || git clone --quiet --shared "$1" "$2"
        cd "$2" && git fetch --quiet origin HEAD && git checkout --quiet --force --detach FETCH_HEAD && git clean --quiet -d --force"#;
    let status = Command::new("sh").args(["-c", script, "sh"]).args([root, tree]).status()?;
    if status.success() { Ok(()) } else { Err(Error::other(format!("{}: no clone: {status}", tree.display()))) }
}

/// Cargo with these arguments in a clone, whose target is beside it.
pub(crate) fn in_copy(tree: &Path, target: &Path, arguments: &str) -> Result<Output> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(arguments.split(' ')).env("CARGO_TARGET_DIR", target).current_dir(tree);
    cargo.env("CARGO_PROFILE_CT_DEBUG", "line-tables-only").output()
}

/// The source with something else in the place of what stands there once.
fn replaced(file: &str, text: &str, sound: &str, planted: &str) -> Result<String> {
    match text.matches(sound).count() {
        1 => Ok(text.replace(sound, planted)),
        count => Err(Error::other(format!("{file}: `{sound}` must stand there once, not {count} times"))),
    }
}

/// The names of the tests that failed, and of the cases that are not as claimed.
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
    names.extend(leaks::found(printed));
    names
}

/// Plants each fault in a copy below a folder, runs there what it names, and keeps which tests failed, or cases.
pub(crate) fn check(root: &Path, folder: Option<&str>) -> Findings {
    let folder = folder.ok_or_else(|| Error::other("check-faults: expected a folder"))?;
    let (tree, target) = (root.join(folder).join("tree"), root.join(folder).join("target"));
    copied(root, &tree)?;
    let (mut table, mut findings, mut clean) =
        (Table::open(root, "docs/trust/faults.csv")?, Vec::new(), BTreeMap::new());
    let (date, commit) = (samplez_lab::today(), samplez_lab::Place::here().commit);
    for Fault { what, file, sound, faulty, run } in &LIST {
        // Without the fault they pass: what they find is it.
        if !clean.contains_key(run) {
            let output = in_copy(&tree, &target, run)?;
            let words = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
            findings.extend(
                (!output.status.success()).then(|| format!("{run}: fails without a fault: {}", words.concat())),
            );
            clean.insert(run, output.status.success());
        }
        if !clean[run] {
            continue;
        }
        let (path, text) = (tree.join(file), files::read(&tree.join(file))?);
        std::fs::write(&path, replaced(file, &text, sound, faulty)?).map_err(|e| files::named(&path, &e))?;
        let output = in_copy(&tree, &target, run);
        std::fs::write(&path, &text).map_err(|e| files::named(&path, &e))?;
        let output = output?;
        let found = failed(&String::from_utf8_lossy(&output.stdout));
        eprintln!("{what}: {found:?}");
        if output.status.success() || found.is_empty() {
            findings.push(format!("{file}: {what}: nothing in `cargo {run}` names it"));
        }
        let shown = match &found[..] {
            [first, second, rest @ ..] if rest.len() > 1 => format!("{first}, {second} and {} more", rest.len()),
            all => all.join(", "),
        };
        table.put(1, [what, file, run, &*shown, &date, &commit].map(str::to_owned).into())?;
    }
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
        assert_eq!(
            failed("| a, 1 (x) | avx2 | no finding | yes |\n| b, 2 (y) | avx2 | depends on secret bits | NO |\n"),
            ["b, 2 (y)"]
        );
        assert_eq!(failed("Seed,17,17,4,0\nOther,1,1,0,0\ncontrol: a vector,1,1,1,0\n"), ["erased: Seed"]);
    }
}
