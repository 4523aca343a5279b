//! `docs/trust/mutants.csv` and `docs/trust/survivors.tsv`: what `cargo-mutants` changed in the shipped code, file by file, and which of
//! its changes no test noticed.
//!
//! A file whose text has a row is not taken again: a run that was cut off goes on where it was. Behind each survivor somebody writes why
//! it may live: it changes nothing that is promised. A reason stays with the change and the text of its line, wherever that moves.

use crate::csv::{field, number, rows};
use crate::files::{self, Findings};
use crate::plants::copied;
use samplez_lab::Place;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

pub(crate) const MUTANTS: &str = "docs/trust/mutants.csv";
pub(crate) const MUTANTS_HEADER: &str = "file,digest,caught,timeouts,missed,unviable,seconds,date,commit";
const SURVIVORS: &str = "docs/trust/survivors.tsv";
const SURVIVORS_HEADER: &str = "file\tline\tat\tchange\tcode\twhy it may live";

const FOLDER: &str = "target/mutants";

/// Tests, as `cargo test` has them chosen.
struct Tests {
    /// As they are run everywhere; else not, for what changes with each mutant is compiled in a fifth of the time.
    optimized: bool,
    packages: &'static [&'static str],
    arguments: &'static [&'static str],
    of: Of,
}

/// Which of a program's tests.
enum Of {
    All,
    /// Those of the mutated module.
    Module,
    /// Those with the name of the mutated room in theirs.
    Room,
    /// The quickest of these, or of all where the room has none.
    Quick,
    /// The examples in the mutated file.
    File,
}

const CORE: Tests = Tests { optimized: true, packages: &["samplez-core"], arguments: &["--lib"], of: Of::All };
const CORE_MODULE: Tests = Tests { optimized: false, of: Of::Module, ..CORE };
const EXAMPLES: Tests = Tests { arguments: &[], of: Of::File, ..CORE };
const LAWS: Tests =
    Tests { optimized: true, packages: &["samplez-check"], arguments: &["--test", "laws"], of: Of::Room };
const QUICK_LAWS: Tests = Tests { optimized: false, of: Of::Quick, ..LAWS };
const SOURCES: Tests =
    Tests { optimized: true, packages: &["samplez-sources"], arguments: &["--lib", "--tests"], of: Of::All };
const TABLES: Tests = Tests { packages: &["samplez-tables"], ..SOURCES };
const TABLES_MODULE: Tests = Tests { arguments: &["--lib"], of: Of::Module, ..TABLES };

/// The tests of the mutants below a path.
struct Stages {
    below: &'static str,
    /// What all are put to: those of the room that are quick.
    first: &'static [Tests],
    /// What those are put to that these don't notice and nobody has given a reason to live.
    then: &'static [Tests],
}

const STAGES: [Stages; 4] = [
    Stages { below: "crates/samplez-core/src/table/", first: &[CORE_MODULE], then: &[TABLES, EXAMPLES, LAWS, CORE] },
    Stages { below: "crates/samplez-core/src/", first: &[CORE_MODULE, QUICK_LAWS], then: &[LAWS, EXAMPLES, CORE] },
    Stages { below: "crates/samplez-sources/src/", first: &[SOURCES], then: &[] },
    Stages { below: "crates/samplez-tables/src/", first: &[TABLES_MODULE], then: &[TABLES] },
];

/// What these don't notice either is put to those that take minutes: what is left of secrets in memory, streams, hostile tables, and
/// all laws but for the statistics' own.
const LAST: [Tests; 3] = [
    Tests { packages: &["samplez-ct"], arguments: &["--tests"], ..SOURCES },
    Tests { packages: &["samplez", "samplez-fuzz", "samplez-tables"], ..SOURCES },
    Tests { arguments: &["--test", "laws", "--", "--skip=ideal::", "--skip=wrong::"], of: Of::All, ..LAWS },
];

/// How long the quick ones take in all.
const QUICK: f64 = 3.0;

/// Those that this file is put to.
fn stages(file: &str) -> Option<&'static Stages> {
    STAGES.iter().find(|stages| file.starts_with(stages.below))
}

/// Its module: a sampler's, a table's, else the first below the crate.
fn module(file: &str) -> String {
    let path = file.split_once("/src/").map_or(file, |(_, path)| path).trim_end_matches(".rs");
    let depth = if ["samplers/", "table/"].iter().any(|floor| path.starts_with(floor)) { 2 } else { 1 };
    path.split('/').take(depth).collect::<Vec<_>>().join("::")
}

/// What the sampler, the table or the folder is called.
fn room(module: &str) -> &str {
    module.rsplit("::").next().unwrap_or(module)
}

/// The quickest of these tests, from what `--report-time` prints of them: up to [`QUICK`] in all.
fn quickest(printed: &str) -> Vec<String> {
    let timed = printed.lines().filter_map(|line| {
        let (name, rest) = line.strip_prefix("test ")?.split_once(" ... ok <")?;
        Some((rest.strip_suffix("s>")?.parse::<f64>().ok()?, name))
    });
    let mut timed: Vec<_> = timed.collect();
    timed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut sum = 0.0;
    let mut has_time = |&(time, _): &(f64, _)| {
        sum += time;
        sum <= QUICK
    };
    timed.into_iter().take_while(|one| has_time(one)).map(|(_, name)| name.into()).collect()
}

/// The part of a file that is shipped: what comes before its tests.
fn shipped(text: &str) -> &str {
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
    fn then(mut self, again: &Outcome) -> Outcome {
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
    clean: BTreeMap<String, Option<Duration>>,
    /// The quickest tests of a room.
    quick: BTreeMap<String, Vec<String>>,
}

impl Copy {
    fn cargo(&self, tests: &Tests, arguments: &[&str]) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        command.args(arguments).env("CARGO_TARGET_DIR", &self.target).current_dir(&self.tree);
        // Tests stop at the first that fails.
        command.env("RUSTC_BOOTSTRAP", "1").env("CARGO_PROFILE_DEV_DEBUG", "0");
        command.env("RUST_TEST_THREADS", "1");
        if !tests.optimized {
            command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0");
        }
        command
    }

    /// How long the tests take without a mutant, which they pass; or nothing, if there are none.
    fn clean(&mut self, tests: &Tests, arguments: &[&str]) -> Result<Option<Duration>> {
        let name = format!("{}{}", arguments.join(" "), if tests.optimized { "" } else { ", not optimized" });
        if let Some(&clean) = self.clean.get(&name) {
            return Ok(clean);
        }
        let mut all = vec!["test", "--quiet"];
        tests.packages.iter().for_each(|package| all.extend(["-p", *package]));
        let options = all.len();
        all.extend(arguments);
        let listed = self.cargo(tests, &[&all[..], &["--list"]].concat()).output()?;
        let start = Instant::now();
        let ended = self.cargo(tests, &all).output()?;
        if !listed.status.success() || !ended.status.success() {
            let words = [listed.stderr, ended.stdout, ended.stderr];
            let words = words.map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
            return Err(Error::other(format!("{}: fails without a mutant: {words}", all[options..].join(" "))));
        }
        let clean = String::from_utf8_lossy(&listed.stdout).contains(": test").then(|| start.elapsed());
        self.clean.insert(name, clean);
        Ok(clean)
    }

    /// The names of the room's quickest tests; of the quickest of all if it has none.
    fn quick(&mut self, tests: &Tests, room: &str) -> Result<Vec<String>> {
        if let Some(names) = self.quick.get(room) {
            return Ok(names.clone());
        }
        let mut arguments = vec!["test", "--quiet", "-p", tests.packages[0]];
        arguments.extend(tests.arguments);
        arguments.extend(["--", "-Z", "unstable-options", "--report-time", "--format=pretty"]);
        arguments.extend((!room.is_empty()).then_some(room));
        let ended = self.cargo(tests, &arguments).output()?;
        let mut names = quickest(&String::from_utf8_lossy(&ended.stdout));
        if names.is_empty() && !room.is_empty() {
            names = self.quick(tests, "")?;
        }
        self.quick.insert(room.into(), names.clone());
        Ok(names)
    }

    /// What becomes of these mutants of a file under these tests, of all of them if none is named.
    ///
    /// Three times what the tests take without a mutant, and ten seconds, is too long.
    fn judged(&mut self, file: &str, tests: &Tests, only: &BTreeSet<String>) -> Result<Option<Outcome>> {
        let mut arguments = tests.arguments.to_vec();
        arguments.extend((!arguments.contains(&"--")).then_some("--"));
        arguments.extend(["-Z", "unstable-options", "--fail-fast"]);
        let module = module(file);
        let chosen = match tests.of {
            Of::All => Vec::new(),
            Of::Module => vec![format!("{module}::")],
            Of::Room => vec![room(&module).into()],
            Of::Quick => match self.quick(tests, room(&module))? {
                names if names.is_empty() => return Ok(None),
                names => [vec!["--exact".into()], names].concat(),
            },
            Of::File => vec![file.into()],
        };
        arguments.extend(chosen.iter().map(String::as_str));
        let Some(clean) = self.clean(tests, &arguments)? else { return Ok(None) };
        let limit = (clean * 3 + Duration::from_secs(10)).as_secs().to_string();
        let mut command =
            self.cargo(tests, &["mutants", "--in-place", "--baseline=skip", "--no-shuffle", "--colors=never"]);
        command.args(["--timeout", &limit, "--build-timeout=600", "--file", file]).arg("--output").arg(&self.out);
        command.args(only.iter().flat_map(|name| ["--re".into(), exactly(name)]));
        command.args(["--test-package", &tests.packages.join(",")]).arg("--").args(arguments);
        // 2: some were missed, 3: some took too long.
        let status = command.stdout(Stdio::null()).status()?;
        if !matches!(status.code(), Some(0 | 2 | 3)) {
            return Err(Error::other(format!("{file}: cargo mutants: {status}")));
        }
        Outcome::read(&self.out.join("mutants.out")).map(Some)
    }

    /// What becomes of all mutants of a file under the first tests; under more where it has none of these.
    fn all(&mut self, file: &str, stages: &Stages) -> Result<Outcome> {
        let mut outcome: Option<Outcome> = None;
        for (i, tests) in stages.first.iter().chain(stages.then).enumerate() {
            let open = outcome.as_ref().map(|outcome| outcome.missed.clone()).unwrap_or_default();
            if outcome.is_some() && (open.is_empty() || i >= stages.first.len()) {
                break;
            }
            if let Some(then) = self.judged(file, tests, &open)? {
                outcome = Some(outcome.map_or_else(|| then.clone(), |first| first.then(&then)));
            }
        }
        outcome.ok_or_else(|| Error::other(format!("{file}: no tests")))
    }

    /// What becomes of those that were missed, under all tests.
    fn again(&mut self, file: &str, stages: &Stages, missed: BTreeSet<String>) -> Result<Outcome> {
        let mut outcome = Outcome { missed, ..Outcome::default() };
        for tests in stages.first.iter().chain(stages.then).chain(&LAST) {
            if outcome.missed.is_empty() {
                break;
            }
            if let Some(then) = self.judged(file, tests, &outcome.missed)? {
                outcome = outcome.then(&then);
            }
        }
        Ok(outcome)
    }
}

/// A regular expression that this text alone matches.
fn exactly(text: &str) -> String {
    let is_plain = |c: char| !c.is_ascii_punctuation() || ['<', '>'].contains(&c);
    let escaped = text.chars().map(|c| if is_plain(c) { c.into() } else { format!("\\{c}") });
    format!("^{}$", escaped.collect::<String>())
}

/// The files below a path, or the one that it is, but for tests' own.
pub(crate) fn judged(path: &Path) -> Result<Vec<PathBuf>> {
    let all = if path.is_file() { vec![path.to_owned()] } else { files::below(path, "rs")? };
    Ok(all.into_iter().filter(|path| !path.ends_with("tests.rs")).collect())
}

/// The files below one of these paths, with their tests.
fn chosen(root: &Path, paths: &str) -> Result<Vec<(String, &'static Stages)>> {
    let mut chosen = Vec::new();
    for below in paths.split_whitespace() {
        let all = judged(&root.join(below))?;
        let all = all.iter().map(|path| files::shown(root, path));
        let all: Vec<_> = all.filter_map(|file| stages(&file).map(|stages| (file, stages))).collect();
        // A file of tests has no mutants.
        if all.is_empty() && !below.ends_with("tests.rs") {
            return Err(Error::other(format!("{below}: must be below one of {:?}", STAGES.map(|stages| stages.below))));
        }
        chosen.extend(all);
    }
    Ok(chosen)
}

/// Judges the mutants of the files below these paths, with spaces between, that have no row yet, and keeps each file's as it is done;
/// then, once more, those that survived and have no reason to.
///
/// As many files at a time as there are processors.
pub(crate) fn check(root: &Path, paths: &str) -> Findings {
    let all = chosen(root, paths)?;
    let mut copies = Vec::new();
    for i in 0..std::thread::available_parallelism()?.get().min(all.len()) {
        let folder = root.join(FOLDER).join(i.to_string());
        let (tree, target, out) = (folder.join("tree"), folder.join("target"), folder.join("out"));
        copied(root, &tree)?;
        copies.push(Copy { tree, target, out, clean: BTreeMap::new(), quick: BTreeMap::new() });
    }
    let commit = Place::here().commit;
    let keeping = Mutex::new(());
    each(&mut copies, &all, |copy, (file, stages)| {
        let text = files::read(&copy.tree.join(file))?;
        if rows::<9>(root, MUTANTS, MUTANTS_HEADER)?.iter().any(|row| row[0] == *file && row[1] == digest(&text)) {
            return Ok(());
        }
        let start = Instant::now();
        let outcome = copy.all(file, stages)?;
        let _one = keeping.lock();
        keep(root, file, &text, &outcome, [start.elapsed().as_secs().to_string(), commit.clone()])
    })?;
    each(&mut copies, &all, |copy, (file, stages)| {
        let text = files::read(&copy.tree.join(file))?;
        let open = survivors(root)?.into_iter().filter(|s| s.file == *file && s.why.is_empty());
        let open = open.filter_map(|survivor| survivor.name(&text)).collect();
        let outcome = copy.again(file, stages, open)?;
        let _one = keeping.lock();
        keep_again(root, file, &text, &outcome)
    })?;
    Ok(unexplained(root)?.into_iter().filter(|one| all.iter().any(|(file, _)| one.starts_with(file))).collect())
}

/// Has each of these done by one of the copies.
fn each<T: Sync>(copies: &mut [Copy], all: &[T], job: impl Fn(&mut Copy, &T) -> Result<()> + Sync) -> Result<()> {
    let next = AtomicUsize::new(0);
    let work = |copy: &mut Copy| {
        while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            job(copy, one)?;
        }
        Ok(())
    };
    let work = &work;
    std::thread::scope(|scope| {
        let threads: Vec<_> = copies.iter_mut().map(|copy| scope.spawn(move || work(copy))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no job panics"))
    })
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
    fn name(&self, text: &str) -> Option<String> {
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

/// Keeps a file's outcome, and that it is done last; with how many seconds it took and the commit.
fn keep(root: &Path, file: &str, text: &str, outcome: &Outcome, [seconds, commit]: [String; 2]) -> Result<()> {
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
fn keep_again(root: &Path, file: &str, text: &str, again: &Outcome) -> Result<()> {
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
    fn what_more_tests_catch_was_not_missed() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
        let first = Outcome { caught: names(&["a"]), missed: names(&["b", "c", "d"]), ..Outcome::default() };
        let again = Outcome {
            caught: names(&["b"]),
            timeouts: names(&["c", "e"]),
            missed: names(&["d"]),
            ..Outcome::default()
        };
        let both = first.then(&again);
        assert_eq!((both.caught, both.timeouts, both.missed), (names(&["a", "b"]), names(&["c"]), names(&["d"])));
    }

    #[test]
    fn quick_tests_end_in_time() {
        let printed = "running 4 tests\ntest a::b ... ok <2.500s>\ntest a::c ... ok <0.001s>\ntest d ... ok <1.000s>\n\
                       test e ... FAILED <0.001s>\n\ntest result: ok. 3 passed; finished in 3.50s\n";
        assert_eq!(quickest(printed), ["a::c", "d"]);
        assert!(quickest("running 0 tests\n").is_empty());
    }

    #[test]
    fn changed_tests_leave_a_row_as_it_is() {
        assert_eq!(digest("fn a() {}\n\n#[cfg(test)]\nmod tests {\n}"), digest("fn a() {}\n"));
        assert_eq!(digest("fn a() {}\n\n#[cfg(test)]\nmod tests;\n"), digest("fn a() {}\n"));
        for more in ["use b::c;", "mod tests;"] {
            assert_ne!(digest(&format!("fn a() {{}}\n#[cfg(test)]\n{more}\nfn b() {{}}")), digest("fn a() {}\n"));
        }
        assert_eq!(exactly("a.rs:2: + in A<B>"), r"^a\.rs\:2\: \+ in A<B>$");
    }

    #[test]
    fn a_file_has_its_crates_tests() {
        assert_eq!(stages(FILE).unwrap().below, "crates/samplez-core/src/");
        assert_eq!(stages("crates/samplez-core/src/table/cdt.rs").unwrap().then[0].packages, ["samplez-tables"]);
        for (file, module_of, room_of) in [
            ("samplez-core/src/samplers/cdt_lazy_ct/finish.rs", "samplers::cdt_lazy_ct", "cdt_lazy_ct"),
            ("samplez-core/src/samplers/cdt.rs", "samplers::cdt", "cdt"),
            ("samplez-core/src/table/ziggurat/height.rs", "table::ziggurat", "ziggurat"),
            ("samplez-core/src/bits/draws.rs", "bits", "bits"),
            ("samplez-tables/src/law.rs", "law", "law"),
        ] {
            assert_eq!((module(file).as_str(), room(module_of)), (module_of, room_of));
        }
        assert!(stages("crates/samplez-cli/src/main.rs").is_none() && stages("README.md").is_none());
    }
}
