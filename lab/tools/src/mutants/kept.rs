//! What is kept of mutants: how many of each file's were caught, and each that was not.

use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::io::{Error, Result};
use std::path::Path;
use xtask::csv::{field, number, rows};
use xtask::files::{self, Findings};

pub(crate) const MUTANTS: &str = "docs/trust/mutants.csv";
pub(crate) const MUTANTS_HEADER: &str = "file,digest,caught,timeouts,missed,unviable,seconds,date,commit";
const SURVIVORS: &str = "docs/trust/survivors.tsv";
const SURVIVORS_HEADER: &str = "file\tline\tat\tchange\tcode\twhy it may live";

/// The part of a file that is shipped: what comes before its tests.
pub(crate) fn shipped(text: &str) -> &str {
    let is_tests = |at: &usize| {
        let mut lines = text[*at..].lines().skip(1);
        lines.next().is_some_and(|line| line.ends_with('{')) || lines.next().is_none()
    };
    let tests = text.match_indices("#[cfg(test)]\nmod ").map(|(at, _)| at).find(is_tests);
    text[..tests.unwrap_or(text.len())].trim_end()
}

fn digest(text: &str) -> String {
    Sha256::digest(shipped(text)).iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

/// What became of a file's mutants, each by its name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Outcome {
    pub(super) caught: BTreeSet<String>,
    pub(super) unviable: BTreeSet<String>,
    pub(super) timeouts: BTreeSet<String>,
    pub(super) missed: BTreeSet<String>,
}

impl Outcome {
    /// As `cargo-mutants` leaves it in its folder.
    pub(super) fn read(folder: &Path) -> Result<Outcome> {
        let lines = |name: &str| -> Result<BTreeSet<String>> {
            let text = files::read(&folder.join(name))?;
            Ok(text.lines().map(str::to_owned).collect())
        };
        Ok(Outcome {
            caught: lines("caught.txt")?,
            unviable: lines("unviable.txt")?,
            timeouts: lines("timeout.txt")?,
            missed: lines("missed.txt")?,
        })
    }
}

/// A change that no test noticed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Survivor {
    pub(crate) file: String,
    pub(crate) line: usize,
    /// The place in the line's text, from 1.
    at: usize,
    pub(crate) change: String,
    /// The text of the line.
    pub(crate) code: String,
    /// Why it may live; empty if nobody has said.
    pub(crate) why: String,
}

impl Survivor {
    /// From `FILE:LINE:COLUMN: CHANGE`, `cargo-mutants`' name for it.
    fn named(name: &str, text: &str) -> Option<Survivor> {
        let mut parts = name.splitn(4, ':');
        let (file, line, column) = (parts.next()?.into(), parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let change = parts.next()?.trim().into();
        let code = text.lines().nth(usize::checked_sub(line, 1)?)?;
        let at = usize::checked_sub(column, code.len() - code.trim_start().len())?;
        Some(Survivor { file, line, at, change, code: code.trim().replace('\t', " "), why: String::new() })
    }

    /// What [`named`](Self::named) reads.
    pub(super) fn name(&self, text: &str) -> Option<String> {
        let code = text.lines().nth(self.line.checked_sub(1)?)?;
        let column = self.at + code.len() - code.trim_start().len();
        Some(format!("{}:{}:{column}: {}", self.file, self.line, self.change))
    }

    /// Whether both are the same change of the same text, wherever that stands.
    fn is(&self, other: &Survivor) -> bool {
        let key = |s: &Survivor| (s.file.clone(), s.at, s.change.clone(), s.code.clone());
        key(self) == key(other)
    }

    fn row(&self) -> String {
        let Survivor { file, line, at, change, code, why } = self;
        format!("{file}\t{line}\t{at}\t{change}\t{code}\t{why}\n")
    }

    fn finding(&self) -> Option<String> {
        let Survivor { file, line, change, code, why, .. } = self;
        why.is_empty().then(|| format!("{file}:{line}: survives without a reason: {change}: {code}"))
    }
}

/// The survivors without a reason.
pub(crate) fn unexplained(root: &Path) -> Findings {
    Ok(survivors(root)?.iter().filter_map(Survivor::finding).collect())
}

/// All that are kept.
pub(crate) fn survivors(root: &Path) -> Result<Vec<Survivor>> {
    let path = root.join(SURVIVORS);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = files::read(&path)?;
    let rows = text.lines().skip(1).map(|row| {
        let fields: Vec<&str> = row.split('\t').collect();
        let number = |i: usize| fields.get(i).and_then(|field| field.parse().ok());
        match (&fields[..], number(1), number(2)) {
            ([file, _, _, change, code, why], Some(line), Some(at)) => Ok(Survivor {
                file: (*file).into(),
                line,
                at,
                change: (*change).into(),
                code: (*code).into(),
                why: (*why).into(),
            }),
            _ => Err(Error::other(format!("{SURVIVORS}: not {SURVIVORS_HEADER}: {row}"))),
        }
    });
    rows.collect()
}

/// The old survivors, with those of this file in place of its old ones, whose reasons they take over.
fn replaced(old: &[Survivor], file: &str, new: Vec<Survivor>) -> Vec<Survivor> {
    let mut all: Vec<Survivor> = old.iter().filter(|old| old.file != file).cloned().collect();
    all.extend(new.into_iter().map(|new| {
        let why = old.iter().find(|old| old.is(&new)).map(|old| old.why.clone()).unwrap_or_default();
        Survivor { why, ..new }
    }));
    all.sort_by(|a, b| (&a.file, a.line, a.at, &a.change).cmp(&(&b.file, b.line, b.at, &b.change)));
    all
}

/// Whether this file's outcome is kept, of the text that it has.
pub(super) fn is_kept(root: &Path, file: &str, text: &str) -> Result<bool> {
    Ok(rows::<9>(root, MUTANTS, MUTANTS_HEADER)?.iter().any(|row| row[0] == file && row[1] == digest(text)))
}

/// Keeps a file's outcome, and that it is done last; with how many seconds it took and the commit.
pub(super) fn keep(
    root: &Path,
    file: &str,
    text: &str,
    outcome: &Outcome,
    [seconds, commit]: [String; 2],
) -> Result<()> {
    let wrong = |name: &String| Error::other(format!("{name}: no mutant of {file}"));
    let new = outcome.missed.iter().map(|name| Survivor::named(name, text).ok_or_else(|| wrong(name)));
    let survivors = replaced(&survivors(root)?, file, new.collect::<Result<_>>()?);
    let mut counts: Vec<[String; 9]> = rows(root, MUTANTS, MUTANTS_HEADER)?;
    counts.retain(|row| row[0] != file);
    let Outcome { caught, unviable, timeouts, missed } = outcome;
    let [caught, timeouts, missed, unviable] =
        [caught, timeouts, missed, unviable].map(|names| names.len().to_string());
    counts.push([file.into(), digest(text), caught, timeouts, missed, unviable, seconds, samplez_lab::today(), commit]);
    write(root, survivors, counts)
}

/// Keeps what became of survivors that were tried again.
pub(super) fn keep_again(root: &Path, file: &str, text: &str, again: &Outcome) -> Result<()> {
    let mut survivors = survivors(root)?;
    let is_in = |names: &BTreeSet<String>, s: &Survivor| s.name(text).is_some_and(|name| names.contains(&name));
    survivors.retain(|s| s.file != file || !is_in(&again.caught, s) && !is_in(&again.timeouts, s));
    let mut counts: Vec<[String; 9]> = rows(root, MUTANTS, MUTANTS_HEADER)?;
    for [of, _, caught, timeouts, missed, ..] in &mut counts {
        if of == file {
            for (count, names) in [(caught, &again.caught), (timeouts, &again.timeouts)] {
                *count = (number(count)? + names.len() as u64).to_string();
            }
            *missed = survivors.iter().filter(|s| s.file == file).count().to_string();
        }
    }
    write(root, survivors, counts)
}

/// Writes both files, without what is there no more.
fn write(root: &Path, mut survivors: Vec<Survivor>, mut counts: Vec<[String; 9]>) -> Result<()> {
    survivors.retain(|survivor| root.join(&survivor.file).exists());
    counts.retain(|row| root.join(&row[0]).exists());
    counts.sort();
    let row = |row: &[String; 9]| row.iter().map(|text| field(text)).collect::<Vec<_>>().join(",") + "\n";
    let survivors = survivors.iter().map(Survivor::row).collect::<String>();
    files::write(&root.join(SURVIVORS), &format!("{SURVIVORS_HEADER}\n{survivors}"))?;
    files::write(&root.join(MUTANTS), &format!("{MUTANTS_HEADER}\n{}", counts.iter().map(row).collect::<String>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "crates/samplez-core/src/a.rs";

    fn survivor(line: usize, why: &str) -> Survivor {
        let (file, change, code) = (FILE.into(), "replace + with - in A::b".into(), "a + b".into());
        Survivor { file, line, at: 3, change, code, why: why.into() }
    }

    #[test]
    fn names_are_read() {
        let name = format!("{FILE}:2:7: replace + with - in A::b");
        let text = "fn b() {\n    a + b\n}";
        assert_eq!(Survivor::named(&name, text), Some(survivor(2, "")));
        assert_eq!(survivor(2, "").name(text), Some(name));
        for wrong in ["", "a.rs", "a.rs:x:1: replace", "a.rs:0:1: replace", "a.rs:9:1: replace", "a.rs:1:x: replace"] {
            assert_eq!(Survivor::named(wrong, "a + b"), None, "{wrong}");
        }
    }

    #[test]
    fn a_reason_stays_with_its_line() {
        let old = [survivor(2, "so"), Survivor { file: "b.rs".into(), ..survivor(1, "other") }];
        let moved = replaced(&old, FILE, vec![survivor(7, "")]);
        assert_eq!(moved, [old[1].clone(), survivor(7, "so")]);
        for changed in [Survivor { code: "a + c".into(), ..survivor(7, "") }, Survivor { at: 5, ..survivor(7, "") }] {
            assert!(changed.finding().is_some() && moved[1].finding().is_none());
            assert_eq!(replaced(&old, FILE, vec![changed.clone()]), [old[1].clone(), changed]);
        }
    }

    #[test]
    fn changed_tests_leave_a_row_as_it_is() {
        assert_eq!(digest("fn a() {}\n\n#[cfg(test)]\nmod tests {\n}"), digest("fn a() {}\n"));
        assert_eq!(digest("fn a() {}\n\n#[cfg(test)]\nmod tests;\n"), digest("fn a() {}\n"));
        for more in ["use b::c;", "mod tests;"] {
            assert_ne!(digest(&format!("fn a() {{}}\n#[cfg(test)]\n{more}\nfn b() {{}}")), digest("fn a() {}\n"));
        }
    }
}
