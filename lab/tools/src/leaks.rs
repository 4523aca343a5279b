//! Leaks of time that a rule plants, and which of them samplez-ct's memcheck or `check-asm` finds: docs/trust/leaks.csv.
//!
//! The rule, over the files of `asm/places.rs`: a place is a line that assigns to `*name` or to `name[…]`. Leaks at a place: a branch, a load,
//! a division and an early exit, each on the value assigned or on its sign. A run plants the next leaks that have no row, in an order of
//! which every beginning is spread over all of them. It builds all of them at once in a copy, and has one at a time take effect.
//! A division, whose own time memcheck cannot see, is looked for among the program's instructions.

use crate::asm;
use crate::faults::{copied, in_copy};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Error, Result};
use std::path::Path;
use std::process::Command;
use xtask::csv::Table;
use xtask::files::{self, Findings};

/// What a leak that has been missed is called; any other outcome but these two names a case, or the instruction.
pub(crate) const MISSED: &str = "missed";
/// A statement that a leak cannot be planted behind: its value was moved, or is out of reach.
pub(crate) const UNFIT: &str = "does not compile";

const KINDS: [&str; 4] = ["a branch", "a load", "a division", "an early exit"];
const VALUES: [&str; 2] = ["the value", "its sign"];

/// What the copy gets: the leak of a number takes effect if SAMPLEZ_LEAK is this number.
const PLANTED: &str = r#"//! Leaks.
#![allow(unsafe_code, missing_docs, clippy::all)]
use core::hint::black_box;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

static ACTIVE: AtomicU32 = AtomicU32::new(u32::MAX);
static LINES: [u8; 4096] = [1; 4096];

#[cold]
#[inline(never)]
fn read() -> u32 {
    let active = std::env::var("SAMPLEZ_LEAK").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    ACTIVE.store(active, Relaxed);
    active
}

#[cold]
#[inline(never)]
fn touch() {
    black_box(());
}

#[inline(always)]
pub fn leak<const NUMBER: u32, const KIND: u32, const SIGN: bool, V>(value: &V) {
    let active = ACTIVE.load(Relaxed);
    if NUMBER != if active == u32::MAX { read() } else { active } {
        return;
    }
    let size = if size_of::<V>() < 8 { size_of::<V>() } else { 8 };
    let mut bytes = [0_u8; 8];
    unsafe { core::ptr::copy_nonoverlapping(core::ptr::from_ref(value).cast::<u8>(), bytes.as_mut_ptr(), size) };
    let value = u64::from_le_bytes(bytes);
    let value = if SIGN && size > 0 { value >> (8 * size - 1) } else { value };
    match KIND {
        0 => {
            if value & 7 == 1 {
                touch();
            }
        }
        // All lines are the same: a compiler that knows this does not look.
        1 => _ = black_box(black_box(&LINES)[(64 * value) as usize % 4096]),
        2 => _ = black_box(black_box(1_u64 << 40) / ((value & 63) + 3)),
        _ => {
            let mut left = value & 63;
            while left > 0 {
                left = black_box(left) >> 1;
            }
        }
    }
}
"#;

/// Where a leak can be planted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    file: String,
    /// From 1 on.
    line: usize,
    statement: String,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Leak {
    place: Place,
    kind: usize,
    value: usize,
}

/// What a line assigns to, if it is a statement that does.
fn target(line: &str) -> Option<&str> {
    let line = line.trim();
    let (left, _) = line.strip_suffix(';')?.split_once(" = ").or_else(|| {
        let (left, right) = line.split_once("= ")?;
        Some((left.trim_end().trim_end_matches(['|', '&', '^', '+', '-']), right))
    })?;
    let left = left.trim_end().trim_end_matches(['|', '&', '^', '+', '-']).trim_end();
    let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || "_.".contains(c));
    let is_place = left
        .strip_prefix('*')
        .map_or_else(|| left.ends_with(']') && left.split_once('[').is_some_and(|(name, _)| is_name(name)), is_name);
    is_place.then_some(left)
}

/// The places of a file.
fn places(file: &str, text: &str) -> Vec<Place> {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
    let place = |(i, line): (usize, &str)| {
        target(line).map(|_| Place { file: file.into(), line: i + 1, statement: line.trim().into() })
    };
    text.lines().enumerate().filter_map(place).collect()
}

/// All leaks, in an order of which every beginning is spread over all of them.
fn leaks(root: &Path) -> Result<Vec<Leak>> {
    let mut all = Vec::new();
    for path in files::below(&root.join("crates"), "rs")? {
        let file = files::shown(root, &path);
        // The core's own, and what is built on it.
        let is_ours = ["crates/samplez-core/", "crates/samplez-schemes/"].iter().any(|below| file.starts_with(below));
        if is_ours && asm::is_claimed(&file) && !file.contains("/tests") {
            for place in places(&file, &files::read(&path)?) {
                let of = |i: usize| Leak { place: place.clone(), kind: i % KINDS.len(), value: i / KINDS.len() };
                all.extend((0..KINDS.len() * VALUES.len()).map(of));
            }
        }
    }
    all.sort_by_cached_key(|leak| Sha256::digest(format!("{leak:?}")));
    Ok(all)
}

/// A text with leaks behind its statements, on the same lines.
fn planted(text: &str, leaks: &[(usize, &Leak)]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (number, Leak { place, kind, value }) in leaks {
        let line = &mut lines[place.line - 1];
        let own = target(&place.statement).unwrap_or_default();
        let path = if place.file.starts_with("crates/samplez-core/") { "crate" } else { "samplez_core" };
        *line += &format!(" {path}::planted::leak::<{number}, {kind}, {}, _>(&{own});", *value == 1);
    }
    lines.join("\n") + "\n"
}

/// Writes these leaks into the copy; the numbers begin at 1.
fn write(root: &Path, tree: &Path, leaks: &BTreeMap<usize, Leak>) -> Result<()> {
    copied(root, tree)?;
    let files: BTreeSet<&str> = leaks.values().map(|leak| leak.place.file.as_str()).collect();
    for file in files {
        let own: Vec<_> =
            leaks.iter().filter(|(_, leak)| leak.place.file == file).map(|(number, leak)| (*number, leak)).collect();
        files::write(&tree.join(file), &planted(&files::read(&tree.join(file))?, &own))?;
    }
    files::write(&tree.join("crates/samplez-core/src/planted.rs"), PLANTED)?;
    let lib = tree.join("crates/samplez-core/src/lib.rs");
    let text = files::read(&lib)?;
    files::write(&lib, &text.replacen("mod coins;", "mod coins;\n#[allow(unsafe_code)]\npub mod planted;", 1))
}

/// The lines of `file:line:column: error` that a compiler prints.
fn refused(printed: &str) -> BTreeSet<(String, usize)> {
    let place = |line: &str| {
        let (file, rest) = line.split_once(".rs:")?;
        let (line, rest) = rest.split_once(':')?;
        rest.contains(" error").then_some(())?;
        Some((format!("{file}.rs"), line.parse().ok()?))
    };
    printed.lines().filter_map(place).collect()
}

/// The cases of a report of memcheck that are not as claimed.
pub(crate) fn found(report: &str) -> Vec<String> {
    let rows = report.lines().filter(|row| row.trim_end().ends_with("| NO |"));
    rows.filter_map(|row| row.strip_prefix("| ")?.split(" | ").next()).map(str::to_owned).collect()
}

/// The cases of a slice that are not as claimed with a leak of this number; with 0, without a leak.
fn reported(program: &Path, slice: &str, number: usize) -> Result<Vec<String>> {
    let output = Command::new(program).args(["memcheck", slice]).env("SAMPLEZ_LEAK", number.to_string()).output()?;
    if !matches!(output.status.code(), Some(0 | 1)) {
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Error::other(format!("leak {number}: {words}")));
    }
    Ok(found(&String::from_utf8_lossy(&output.stdout)))
}

/// The outcome of a leak: the first case that finds it, and how many more. What is found without a leak does not count: code beside a leak
/// that has no effect is compiled otherwise.
fn judged(program: &Path, number: usize, clean: &[String]) -> Result<String> {
    for slice in ["quick", ""] {
        let found = reported(program, slice, number)?;
        let new: Vec<_> = found.iter().filter(|case| !clean.contains(case)).collect();
        if let [first, more @ ..] = &new[..] {
            return Ok(format!("{first}; {} more", more.len()));
        }
    }
    Ok(MISSED.into())
}

/// Leaks that are built at once.
const TOGETHER: usize = 48;

/// Plants the next leaks that have no row, in a copy below this folder, and keeps what finds each.
pub(crate) fn check(root: &Path, folder: Option<&str>) -> Findings {
    let folder = folder.ok_or_else(|| Error::other("plant-leaks: expected a folder"))?;
    let (tree, target) = (root.join(folder).join("tree"), root.join(folder).join("target"));
    copied(root, &tree)?;
    let mut table = Table::open(root, "docs/trust/leaks.csv")?;
    let is_kept = |leak: &Leak| {
        let Leak { place, kind, value } = leak;
        let is = |row: &Vec<String>| {
            [&row[0], &row[2], &row[3], &row[4]] == [&*place.file, &*place.statement, KINDS[*kind], VALUES[*value]]
        };
        table.rows.iter().any(is)
    };
    let new = leaks(&tree)?.into_iter().filter(|leak| !is_kept(leak)).take(TOGETHER);
    let wanted: BTreeMap<usize, Leak> = (1..).zip(new).collect();
    let mut unfit = BTreeSet::new();
    let output = loop {
        write(
            root,
            &tree,
            &wanted.iter().filter(|(n, _)| !unfit.contains(*n)).map(|(n, l)| (*n, l.clone())).collect(),
        )?;
        let output = in_copy(&tree, &target, "build --message-format=short --profile ct --package samplez-ct")?;
        let refused = refused(&String::from_utf8_lossy(&output.stderr));
        let before = unfit.len();
        let is_refused = |leak: &Leak| refused.contains(&(leak.place.file.clone(), leak.place.line));
        unfit.extend(wanted.iter().filter(|(_, leak)| is_refused(leak)).map(|(number, _)| *number));
        if unfit.len() == before {
            break output;
        }
    };
    if !output.status.success() {
        return Err(Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let program = target.join("ct/samplez-ct");
    let clean = reported(&program, "", 0)?;
    let divisions = asm::findings(&tree, &program)?;
    let (date, commit) = (samplez_lab::today(), samplez_lab::Place::here().commit);
    let mut findings = Vec::new();
    for (number, leak) in &wanted {
        let Leak { place: Place { file, line, statement }, kind, value } = leak;
        let outcome = if unfit.contains(number) {
            UNFIT.into()
        } else if KINDS[*kind] == "a division" {
            let at = format!("{file}:{line}: ");
            let is_found = divisions.iter().any(|finding| finding.starts_with(&at) && finding.contains("takes a time"));
            if is_found { "check-asm".into() } else { MISSED.to_owned() }
        } else {
            judged(&program, *number, &clean)?
        };
        let words = format!("{file}:{line}: {} on {} of `{statement}`: {outcome}", KINDS[*kind], VALUES[*value]);
        eprintln!("{words}");
        findings.extend((outcome == MISSED).then_some(words));
        let line = line.to_string();
        let row = [file, &line, statement, KINDS[*kind], VALUES[*value], &outcome, "", &date, &commit];
        table.put(5, row.map(str::to_owned).into())?;
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_assignments() {
        let text = "*slot = T::wrapping(x);\nlet a = b;\n    out[i] |= y << 3;\nwords[8 * i + j] = a;\nx = 3;\nif a[i] == b {\n\
                    *a.b += 1;\nf(|x| *x = 1);\n#[cfg(test)]\nmod tests {\n    *x = 1;\n";
        let lines: Vec<_> = places("f.rs", text).iter().map(|place| place.line).collect();
        assert_eq!(lines, [1, 3, 4, 7]);
        assert_eq!(target("    out[i] |= y << 3;"), Some("out[i]"));
        assert_eq!(target("*slot = a == b;"), Some("*slot"));
        let all = places("crates/samplez-core/src/f.rs", text);
        let leak = Leak { place: all[1].clone(), kind: 2, value: 1 };
        let with = planted(text, &[(7, &leak)]);
        assert!(with.contains("    out[i] |= y << 3; crate::planted::leak::<7, 2, true, _>(&out[i]);\n"));
        assert_eq!(with.lines().count(), text.lines().count());
    }

    #[test]
    fn the_rule_has_leaks_in_every_kernel_and_spreads_them() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let all = leaks(root).unwrap();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
        for file in ["arch/cdt_ct.rs", "samplers/cdt_lazy_ct.rs", "samplers/knuth_yao_ct.rs", "samplers/wide.rs"] {
            assert!(all.iter().any(|leak| leak.place.file.ends_with(file)), "{file}");
        }
        let first: BTreeSet<_> = all[..48].iter().map(|leak| (leak.kind, leak.value)).collect();
        assert_eq!(first.len(), KINDS.len() * VALUES.len());
        let files: BTreeSet<_> = all[..48].iter().map(|leak| &leak.place.file).collect();
        assert!(files.len() > 15, "{}", files.len());
    }

    #[test]
    fn errors_of_the_compiler_are_read() {
        let printed =
            "crates/a/src/b.rs:7:90: error[E0382]: borrow of moved value\nwarning: c\ncrates/d.rs:1:2: warning: e\n";
        assert_eq!(refused(printed), BTreeSet::from([("crates/a/src/b.rs".to_owned(), 7)]));
    }
}
