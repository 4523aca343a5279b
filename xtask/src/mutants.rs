//! `docs/trust/mutants.csv` and `docs/trust/survivors.tsv`: what `cargo-mutants` changed in the shipped code, file by file, and which of
//! its changes no test noticed.
//!
//! A file whose text has a row is not taken again: a run that was cut off goes on where it was. Behind each survivor somebody writes why
//! it may live: it changes nothing that is promised. A reason stays with the change and the text of its line, wherever that moves.

use crate::csv::{field, rows};
use crate::files::{self, Findings};
use crate::plants::copied;
use samplez_lab::Place;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub(crate) const MUTANTS: &str = "docs/trust/mutants.csv";
pub(crate) const MUTANTS_HEADER: &str = "file,digest,caught,timeouts,missed,unviable,seconds,date,commit";
const SURVIVORS: &str = "docs/trust/survivors.tsv";
const SURVIVORS_HEADER: &str = "file\tline\tat\tchange\tcode\twhy it may live";

const FOLDER: &str = "target/mutants";

/// Tests, as `cargo test` has them chosen.
struct Tests {
    /// As they are run everywhere; else not, for what changes with each mutant is compiled five times faster so.
    optimized: bool,
    packages: &'static [&'static str],
    arguments: &'static [&'static str],
}

/// Which tests the mutants of a crate are put to: those that are quick, then, what survives these, those that take their time.
const TESTS: [(&str, &[Tests]); 3] = [
    (
        "samplez-core",
        &[
            Tests {
                optimized: false,
                packages: &["samplez-core"],
                arguments: &[
                    "--lib",
                    "--",
                    // These draw long, or try many vectors.
                    "--skip=declared_costs",
                    "--skip=both_ways",
                    "--skip=have_their_share",
                    "--skip=brackets_hold",
                    "--skip=every_place",
                    "--skip=a_ladder",
                    "--skip=trees_of_every_length",
                ],
            },
            Tests { optimized: true, packages: &["samplez-core"], arguments: &["--lib"] },
            Tests { optimized: true, packages: &["samplez", "samplez-check", "samplez-ct"], arguments: &["--tests"] },
        ],
    ),
    (
        "samplez-sources",
        &[
            Tests { optimized: true, packages: &["samplez-sources"], arguments: &["--lib", "--tests"] },
            Tests { optimized: true, packages: &["samplez", "samplez-ct"], arguments: &["--tests"] },
        ],
    ),
    (
        "samplez-tables",
        &[
            Tests { optimized: true, packages: &["samplez-tables"], arguments: &["--lib", "--tests"] },
            Tests { optimized: true, packages: &["samplez", "samplez-check", "samplez-ct"], arguments: &["--tests"] },
        ],
    ),
];

/// Those of the crate that this file is of.
fn tests(file: &str) -> Option<&'static [Tests]> {
    let name = file.strip_prefix("crates/")?.split('/').next()?;
    TESTS.iter().find(|(package, _)| *package == name).map(|(_, tests)| *tests)
}

fn digest(text: &str) -> String {
    Sha256::digest(text).iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

/// What became of a file's mutants, each by its name.
#[derive(Debug, Default, PartialEq)]
struct Outcome {
    caught: BTreeSet<String>,
    unviable: BTreeSet<String>,
    timeouts: BTreeSet<String>,
    missed: BTreeSet<String>,
}

impl Outcome {
    /// As `cargo-mutants` leaves it in its folder.
    fn read(folder: &Path) -> Result<Outcome> {
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

    /// After those that were missed were put to more tests.
    fn then(mut self, again: Outcome) -> Outcome {
        for (to, from) in [(&mut self.caught, &again.caught), (&mut self.timeouts, &again.timeouts)] {
            to.extend(self.missed.intersection(from).cloned().collect::<Vec<_>>());
        }
        self.missed.retain(|name| !again.caught.contains(name) && !again.timeouts.contains(name));
        self
    }
}

/// A copy of the sources in which the mutants are made, one by one.
struct Copy {
    tree: PathBuf,
    target: PathBuf,
    out: PathBuf,
    /// How long the tests take without a mutant, by their arguments.
    clean: BTreeMap<String, Duration>,
}

impl Copy {
    fn cargo(&self, tests: &Tests, arguments: &[&str]) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        command.args(arguments).env("CARGO_TARGET_DIR", &self.target).current_dir(&self.tree);
        if !tests.optimized {
            command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0").env("CARGO_PROFILE_DEV_DEBUG", "0");
        }
        command
    }

    /// Without a mutant the tests pass; three times what they take, and ten seconds, is too long.
    fn limit(&mut self, tests: &Tests) -> Result<Duration> {
        let mut arguments = vec!["test", "--quiet"];
        tests.packages.iter().for_each(|package| arguments.extend(["-p", *package]));
        arguments.extend(tests.arguments);
        let name = format!("{}{}", arguments[2..].join(" "), if tests.optimized { "" } else { ", not optimized" });
        if !self.clean.contains_key(&name) {
            let built = self.cargo(tests, &[&["test", "--no-run"], &arguments[1..]].concat()).output()?;
            let start = Instant::now();
            let ended = self.cargo(tests, &arguments).output()?;
            if !built.status.success() || !ended.status.success() {
                let words = [built.stderr, ended.stdout, ended.stderr];
                let words = words.map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
                return Err(Error::other(format!("{name}: fails without a mutant: {words}")));
            }
            self.clean.insert(name.clone(), start.elapsed());
        }
        Ok(self.clean[&name] * 3 + Duration::from_secs(10))
    }

    /// What becomes of the mutants of a file under these tests; `again`: of those that were missed.
    fn judged(&mut self, file: &str, tests: &Tests, again: bool) -> Result<Outcome> {
        let limit = self.limit(tests)?.as_secs().to_string();
        let mut command =
            self.cargo(tests, &["mutants", "--in-place", "--baseline=skip", "--no-shuffle", "--colors=never"]);
        command.args(["--timeout", &limit, "--build-timeout=600", "--file", file]).arg("--output").arg(&self.out);
        command.args(again.then_some("--iterate"));
        command.args(["--test-package", &tests.packages.join(",")]).arg("--").args(tests.arguments);
        // 2: some were missed, 3: some took too long.
        let status = command.stdout(Stdio::null()).status()?;
        if !matches!(status.code(), Some(0 | 2 | 3)) {
            return Err(Error::other(format!("{file}: cargo mutants: {status}")));
        }
        Outcome::read(&self.out.join("mutants.out"))
    }
}

/// Judges the mutants of the files below this path that have no row yet, and keeps each file's as it is done.
pub(crate) fn check(root: &Path, below: &str) -> Findings {
    let (folder, commit) = (root.join(FOLDER), Place::here().commit);
    let (tree, target, out) = (folder.join("tree"), folder.join("target"), folder.join("out"));
    copied(root, &tree)?;
    let mut copy = Copy { tree, target, out, clean: BTreeMap::new() };
    let path = copy.tree.join(below);
    let all = if path.is_file() { vec![path] } else { files::below(&path, "rs")? };
    let all: Vec<String> = all.iter().map(|path| files::shown(&copy.tree, path)).collect();
    let Some(tests) = all.first().and_then(|file| tests(file)) else {
        return Err(Error::other(format!("{below}: must be in one of {:?}", TESTS.map(|(package, _)| package))));
    };
    for file in all.iter().filter(|file| file.contains("/src/")) {
        let text = files::read(&copy.tree.join(file))?;
        let kept = rows::<9>(root, MUTANTS, MUTANTS_HEADER)?;
        if kept.iter().any(|row| row[0] == *file && row[1] == digest(&text)) {
            continue;
        }
        let start = Instant::now();
        let mut outcome = copy.judged(file, &tests[0], false)?;
        let known = survivors(root)?;
        let is_open = |name: &String| {
            let new = Survivor::named(name, &text);
            new.is_none_or(|new| !known.iter().any(|old| old.is(&new) && !old.why.is_empty()))
        };
        for more in &tests[1..] {
            // What has a reason needs no more tests.
            if outcome.missed.iter().any(is_open) {
                outcome = outcome.then(copy.judged(file, more, true)?);
            }
        }
        keep(root, file, &text, &outcome, [start.elapsed().as_secs().to_string(), commit.clone()])?;
    }
    unexplained(root, below)
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

/// The survivors below this path without a reason.
pub(crate) fn unexplained(root: &Path, below: &str) -> Findings {
    Ok(survivors(root)?
        .iter()
        .filter(|survivor| survivor.file.starts_with(below))
        .filter_map(Survivor::finding)
        .collect())
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

/// Keeps a file's outcome, and that it is done last; with how many seconds it took and the commit.
fn keep(root: &Path, file: &str, text: &str, outcome: &Outcome, [seconds, commit]: [String; 2]) -> Result<()> {
    let wrong = |name: &String| Error::other(format!("{name}: no mutant of {file}"));
    let new = outcome.missed.iter().map(|name| Survivor::named(name, text).ok_or_else(|| wrong(name)));
    let mut all = replaced(&survivors(root)?, file, new.collect::<Result<_>>()?);
    all.retain(|survivor| root.join(&survivor.file).exists());
    let mut counts: Vec<[String; 9]> = rows(root, MUTANTS, MUTANTS_HEADER)?;
    counts.retain(|row| row[0] != file && root.join(&row[0]).exists());
    let Outcome { caught, unviable, timeouts, missed } = outcome;
    let [caught, timeouts, missed, unviable] =
        [caught, timeouts, missed, unviable].map(|names| names.len().to_string());
    counts.push([file.into(), digest(text), caught, timeouts, missed, unviable, seconds, samplez_lab::today(), commit]);
    counts.sort();
    let row = |row: &[String; 9]| row.iter().map(|text| field(text)).collect::<Vec<_>>().join(",") + "\n";
    let survivors = all.iter().map(Survivor::row).collect::<String>();
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
        assert_eq!(Survivor::named(&name, "fn b() {\n    a + b\n}"), Some(survivor(2, "")));
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
    fn what_more_tests_catch_was_not_missed() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
        let first = Outcome { caught: names(&["a"]), missed: names(&["b", "c", "d"]), ..Outcome::default() };
        let again = Outcome {
            caught: names(&["b"]),
            timeouts: names(&["c", "e"]),
            missed: names(&["d"]),
            ..Outcome::default()
        };
        let both = first.then(again);
        assert_eq!((both.caught, both.timeouts, both.missed), (names(&["a", "b"]), names(&["c"]), names(&["d"])));
    }

    #[test]
    fn a_file_has_its_crates_tests() {
        assert_eq!(tests(FILE).unwrap()[0].packages, ["samplez-core"]);
        assert!(tests("crates/samplez-cli/src/main.rs").is_none() && tests("README.md").is_none());
    }
}
