//! `docs/trust/mutants.csv` and `docs/trust/survivors.tsv`: what `cargo-mutants` changed in the shipped code, file by file, and which of
//! its changes no test noticed.
//!
//! A file whose text has a row is not taken again: a run that was cut off goes on where it was. Behind each survivor somebody writes why
//! it may live: it changes nothing that is promised. A reason stays with the change and the text of its line, wherever that moves.

mod kept;

use crate::plants::copied;
pub(crate) use kept::{MUTANTS, MUTANTS_HEADER, shipped, survivors, unexplained};
use kept::{Outcome, is_kept, keep, keep_again};
use samplez_lab::Place;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use xtask::files::{self, Findings};

const FOLDER: &str = "target/mutants";

const LAWS_FOLDER: &str = "lab/check/tests";

/// The core once more, in a copy, without what its examples alone need.
const ALONE: &str = "samplez-core-alone";

/// The table builders' tests as one program, in a copy.
const WHOLE: &str = "whole";
const BUILDERS: &str = "crates/samplez-tables/tests";

/// Tests, as `cargo test` has them chosen.
struct Tests {
    /// How far the compiler optimizes: 2 is what they are run with everywhere; with less, what changes with each mutant is compiled in a
    /// fifth of the time, and with 0 what computes long takes ten times as long.
    level: &'static str,
    packages: &'static [&'static str],
    arguments: &'static [&'static str],
    of: Of,
    /// The quickest of these alone: up to [`QUICK`].
    is_quick: bool,
}

/// Which of a program's tests.
enum Of {
    All,
    /// Those of the mutated module.
    Module,
    /// Those of the samplers.
    Samplers,
    /// The laws of the mutated room, by the program that [`programs`] made of them.
    Room,
    /// The examples in the mutated file.
    File,
}

const CORE: Tests =
    Tests { level: "2", packages: &["samplez-core"], arguments: &["--lib"], of: Of::All, is_quick: false };
const CORE_MODULE: Tests = Tests { level: "0", packages: &[ALONE], of: Of::Module, ..CORE };
const QUICK_MODULE: Tests = Tests { is_quick: true, ..CORE_MODULE };
const QUICK_SAMPLERS: Tests = Tests { of: Of::Samplers, ..QUICK_MODULE };
const EXAMPLES: Tests = Tests { arguments: &[], of: Of::File, ..CORE };
const LAWS: Tests = Tests { packages: &["samplez-check"], arguments: &[], of: Of::Room, ..CORE };
const QUICK_LAWS: Tests = Tests { is_quick: true, ..LAWS };
const SOURCES: Tests = Tests { packages: &["samplez-sources"], arguments: &["--lib", "--tests"], ..CORE };
const TABLES: Tests = Tests { packages: &["samplez-tables"], ..SOURCES };
const TABLES_WHOLE: Tests = Tests { level: "1", arguments: &["--lib", "--test", WHOLE], ..TABLES };

/// The tests of the mutants below a path.
struct Stages {
    below: &'static str,
    /// What all are put to: those of the room that are quick.
    first: &'static [Tests],
    /// What those are put to that these don't notice and nobody has given a reason to live.
    then: &'static [Tests],
}

const STAGES: [Stages; 5] = [
    Stages { below: "crates/samplez-core/src/table/", first: &[CORE_MODULE], then: &[TABLES, EXAMPLES, LAWS, CORE] },
    Stages {
        below: "crates/samplez-core/src/samplers/common/",
        first: &[QUICK_MODULE, QUICK_SAMPLERS],
        then: &[CORE_MODULE, CORE],
    },
    Stages {
        below: "crates/samplez-core/src/",
        first: &[QUICK_MODULE, QUICK_LAWS],
        then: &[CORE_MODULE, LAWS, EXAMPLES, CORE],
    },
    Stages { below: "crates/samplez-sources/src/", first: &[SOURCES], then: &[] },
    Stages { below: "crates/samplez-tables/src/", first: &[TABLES_WHOLE], then: &[] },
];

/// What these don't notice either is put to those that take minutes: what is left of secrets in memory, streams, hostile tables, and
/// all laws but for the statistics' own.
const LAST: [Tests; 3] = [
    Tests { packages: &["samplez-ct"], arguments: &["--tests"], ..SOURCES },
    Tests { packages: &["samplez", "samplez-fuzz", "samplez-tables"], ..SOURCES },
    Tests {
        arguments: &["--test", "laws", "--", "--skip=ideal::", "--skip=wrong::"],
        packages: &["samplez-check"],
        ..SOURCES
    },
];

/// How long the quick ones take in all.
const QUICK: f64 = 3.0;

/// Those that this file is put to.
fn stages(file: &str) -> Option<&'static Stages> {
    STAGES.iter().find(|stages| file.starts_with(stages.below))
}

/// Its module: a sampler's, a table's, that of what samplers have in common, else the first below the crate.
fn module(file: &str) -> String {
    let path = file.split_once("/src/").map_or(file, |(_, path)| path).trim_end_matches(".rs");
    let floors = [("samplers/common/", 3), ("samplers/", 2), ("table/", 2)];
    let depth = floors.iter().find(|(floor, _)| path.starts_with(floor)).map_or(1, |(_, depth)| *depth);
    path.split('/').take(depth).collect::<Vec<_>>().join("::")
}

/// What the sampler, the table or the folder is called.
fn room(module: &str) -> &str {
    module.rsplit("::").next().unwrap_or(module)
}

/// The quickest of some tests, and whether that is all of them.
#[derive(Debug, PartialEq)]
struct Quickest {
    names: Vec<String>,
    are_all: bool,
}

/// The quickest of these tests, from what `--report-time` prints of them: up to [`QUICK`] in all.
fn quickest(printed: &str) -> Quickest {
    let timed = printed.lines().filter_map(|line| {
        let (name, rest) = line.strip_prefix("test ")?.split_once(" ... ok <")?;
        Some((rest.strip_suffix("s>")?.parse::<f64>().ok()?, name))
    });
    let mut timed: Vec<_> = timed.collect();
    timed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut sum = 0.0;
    let mut has_time = |&&(time, _): &&(f64, &str)| {
        sum += time;
        sum <= QUICK
    };
    let names: Vec<_> = timed.iter().take_while(|one| has_time(one)).map(|(_, name)| (*name).into()).collect();
    Quickest { are_all: names.len() == timed.len(), names }
}

/// A copy of the sources in which the mutants are made, one by one.
struct Copy {
    tree: PathBuf,
    target: PathBuf,
    out: PathBuf,
    /// How long the tests take without a mutant, by their arguments.
    clean: BTreeMap<String, Option<Duration>>,
    /// The quickest tests, by the arguments that choose all of them.
    quick: BTreeMap<String, Quickest>,
}

impl Copy {
    fn cargo(&self, tests: &Tests, arguments: &[&str]) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        command.args(arguments).env("CARGO_TARGET_DIR", &self.target).current_dir(&self.tree);
        // Tests stop at the first that fails.
        command.env("RUSTC_BOOTSTRAP", "1").env("CARGO_PROFILE_DEV_DEBUG", "0");
        command.env("RUST_TEST_THREADS", "1");
        command.env("CARGO_PROFILE_DEV_OPT_LEVEL", tests.level);
        command
    }

    /// How long the tests take without a mutant, which they pass; or nothing, if there are none.
    fn clean(&mut self, tests: &Tests, arguments: &[&str]) -> Result<Option<Duration>> {
        let name = name_of(tests, arguments);
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

    /// The names of the quickest of these tests.
    fn quick(&mut self, tests: &Tests, arguments: &[&str]) -> Result<Vec<String>> {
        let name = name_of(tests, arguments);
        if let Some(quick) = self.quick.get(&name) {
            return Ok(quick.names.clone());
        }
        let timed = ["--report-time", "--format=pretty"];
        let arguments = [&["test", "--quiet", "-p", tests.packages[0]], arguments, &timed[..]].concat();
        let ended = self.cargo(tests, &arguments).output()?;
        let quick = quickest(&String::from_utf8_lossy(&ended.stdout));
        let names = quick.names.clone();
        self.quick.insert(name, quick);
        Ok(names)
    }

    /// What becomes of these mutants of a file under these tests, of all of them if none is named.
    ///
    /// Three times what the tests take without a mutant, and ten seconds, is too long.
    fn judged(&mut self, file: &str, tests: &Tests, only: &BTreeSet<String>) -> Result<Option<Outcome>> {
        let module = module(file);
        let program = format!("room_{}", room(&module));
        let (of_room, filter) = match tests.of {
            Of::All => (false, None),
            Of::Module => (false, Some(format!("{module}::"))),
            Of::Samplers => (false, Some("samplers::".into())),
            Of::File => (false, Some(file.into())),
            Of::Room if !self.tree.join(LAWS_FOLDER).join(format!("{program}.rs")).exists() => return Ok(None),
            Of::Room => (true, None),
        };
        let mut arguments = if of_room { vec!["--test", &program] } else { tests.arguments.to_vec() };
        arguments.extend((!arguments.contains(&"--")).then_some("--"));
        arguments.extend(["-Z", "unstable-options", "--fail-fast"]);
        let all: Vec<&str> = arguments.iter().copied().chain(filter.as_deref()).collect();
        let quick;
        if tests.is_quick {
            quick = self.quick(tests, &all)?;
            if quick.is_empty() {
                return Ok(None);
            }
            arguments.extend(["--exact"].into_iter().chain(quick.iter().map(String::as_str)));
        } else if self.quick.get(&name_of(tests, &all)).is_some_and(|quick| quick.are_all && !quick.names.is_empty()) {
            // These have been run.
            return Ok(None);
        } else {
            arguments = all;
        }
        let Some(clean) = self.clean(tests, &arguments)? else { return Ok(None) };
        let limit = (clean * 3 + Duration::from_secs(10)).as_secs().to_string();
        let mut command =
            self.cargo(tests, &["mutants", "--in-place", "--baseline=skip", "--no-shuffle", "--colors=never"]);
        command.args(["--timeout", &limit, "--build-timeout=600", "--file", file]).arg("--output").arg(&self.out);
        command.args(only.iter().flat_map(|name| ["--re".into(), exactly(name)]));
        command.args(["--test-package", &tests.packages.join(",")]);
        // Which programs these are is for the compiler too.
        let split = arguments.iter().position(|&argument| argument == "--").unwrap_or(arguments.len());
        command.args(arguments[..split].iter().map(|argument| format!("--cargo-arg={argument}")));
        command.arg("--").args(&arguments[split..]);
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

/// What these tests are remembered by.
fn name_of(tests: &Tests, arguments: &[&str]) -> String {
    format!("{}, optimized by {}", arguments.join(" "), tests.level)
}

/// A regular expression that this text alone matches.
fn exactly(text: &str) -> String {
    let is_plain = |c: char| !c.is_ascii_punctuation() || ['<', '>'].contains(&c);
    let escaped = text.chars().map(|c| if is_plain(c) { c.into() } else { format!("\\{c}") });
    format!("^{}$", escaped.collect::<String>())
}

/// Whether all of a file is tests, or what they share, which is built for them alone and has no mutants.
fn is_test(path: &Path) -> bool {
    let names = path.file_name().into_iter().chain(path.parent().and_then(Path::file_name));
    names.into_iter().any(|name| ["tests.rs", "tests", "testing.rs"].iter().any(|test| name == *test))
}

/// The files below a path, or the one that it is, but for tests' own.
pub(crate) fn judged(path: &Path) -> Result<Vec<PathBuf>> {
    let all = if path.is_file() { vec![path.to_owned()] } else { files::below(path, "rs")? };
    Ok(all.into_iter().filter(|path| !is_test(path)).collect())
}

/// Makes a program of each room's laws in a copy: it is compiled in a fifth of the time that the one of all of them takes.
fn programs(tree: &Path) -> Result<()> {
    let folder = tree.join(LAWS_FOLDER);
    let samplers = tree.join("crates/samplez-core/src/samplers");
    let is_room = |name: &str| samplers.join(name).exists() || samplers.join(format!("{name}.rs")).exists();
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(|e| files::named(&folder, &e))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        names.extend(name.strip_suffix(".rs").map(str::to_owned));
    }
    let of = |name: &str, room: &str| name == room || name.starts_with(&format!("{room}_")) && !is_room(name);
    let manifest = tree.join("lab/check/Cargo.toml");
    let mut listed = files::read(&manifest)?;
    for room in names.iter().filter(|name| is_room(name)) {
        let mut program = "#![allow(dead_code, unused_imports)]\nmod common;\n".to_owned();
        names.iter().filter(|name| of(name, room)).for_each(|name| program += &format!("mod {name};\n"));
        files::write(&folder.join(format!("room_{room}.rs")), &program)?;
        listed += &format!("\n[[test]]\nname = \"room_{room}\"\n");
    }
    files::write(&manifest, &listed)
}

/// Makes one program of the table builders' tests in a copy: seven are linked in seven times its time.
fn whole(tree: &Path) -> Result<()> {
    let folder = tree.join(BUILDERS);
    let mut program = "#![allow(missing_docs)]\nmod common;\n".to_owned();
    for path in files::below(&folder, "rs")? {
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.parent() != Some(&folder) || name == WHOLE {
            continue;
        }
        let text = files::read(&path)?;
        // What is said of the program stands at its head alone.
        let kept = text.lines().filter(|line| !line.starts_with("//!") && !line.starts_with("#!["));
        let kept = kept.map(|line| if line == "mod common;" { "use crate::common;" } else { line });
        program += &format!("mod {name} {{\n{}\n}}\n", kept.collect::<Vec<_>>().join("\n"));
    }
    files::write(&folder.join(format!("{WHOLE}.rs")), &program)
}

/// Makes a package of the core's own tests in a copy: what its examples need is not compiled anew for these.
fn alone(tree: &Path) -> Result<()> {
    let core = files::read(&tree.join("crates/samplez-core/Cargo.toml"))?;
    let cut = |from: &str| core.find(from).ok_or_else(|| Error::other(format!("samplez-core's manifest: no {from}")));
    let features = &core[cut("[features]")?..cut("[dependencies]")?];
    let dependencies = &core[cut("[dependencies]")?..cut("[dev-dependencies]")?];
    let lints = &core[cut("[lints]")?..];
    let manifest = format!(
        "[package]\nname = {ALONE:?}\nbuild = false\nversion.workspace = true\nedition.workspace = true\n\n\
         [lib]\nname = \"samplez_core\"\npath = \"../samplez-core/src/lib.rs\"\n\n\
         {features}default = [\"rand\"]\n\n{dependencies}{lints}"
    );
    files::write(&tree.join("crates").join(ALONE).join("Cargo.toml"), &manifest)
}

/// The files below one of these paths, with their tests.
fn chosen(root: &Path, paths: &str) -> Result<Vec<(String, &'static Stages)>> {
    let mut chosen = Vec::new();
    for below in paths.split_whitespace() {
        let all = judged(&root.join(below))?;
        let all = all.iter().map(|path| files::shown(root, path));
        let all: Vec<_> = all.filter_map(|file| stages(&file).map(|stages| (file, stages))).collect();
        if all.is_empty() && !is_test(Path::new(below)) {
            return Err(Error::other(format!(
                "{below}: expected a path below one of {:?}",
                STAGES.map(|stages| stages.below)
            )));
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
        programs(&tree)?;
        whole(&tree)?;
        alone(&tree)?;
        copies.push(Copy { tree, target, out, clean: BTreeMap::new(), quick: BTreeMap::new() });
    }
    let commit = Place::here().commit;
    let keeping = Mutex::new(());
    each(&mut copies, &all, |copy, (file, stages)| {
        let text = files::read(&copy.tree.join(file))?;
        if is_kept(root, file, &text)? {
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

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "crates/samplez-core/src/a.rs";

    #[test]
    fn quick_tests_end_in_time() {
        let printed = "running 4 tests\ntest a::b ... ok <2.500s>\ntest a::c ... ok <0.001s>\ntest d ... ok <1.000s>\n\
                       test e ... FAILED <0.001s>\n\ntest result: ok. 3 passed; finished in 3.50s\n";
        assert_eq!(quickest(printed), Quickest { names: vec!["a::c".into(), "d".into()], are_all: false });
        let all = quickest("test a ... ok <1.000s>\ntest b ... ok <1.900s>\n");
        assert_eq!(all, Quickest { names: vec!["a".into(), "b".into()], are_all: true });
        assert!(quickest("running 0 tests\n").names.is_empty());
    }

    #[test]
    fn tests_have_no_mutants() {
        assert!(
            ["a/src/b/tests.rs", "a/src/b/tests/steps.rs", "a/src/testing.rs"]
                .iter()
                .all(|file| is_test(Path::new(file)))
        );
        assert!(
            !["a/src/b/attests.rs", "tests/src/b/c.rs", "a/src/lib.rs"].iter().any(|file| is_test(Path::new(file)))
        );
    }

    #[test]
    fn a_name_is_matched_alone() {
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
            ("samplez-core/src/samplers/common/ln2.rs", "samplers::common::ln2", "ln2"),
            ("samplez-core/src/bits/draws.rs", "bits", "bits"),
            ("samplez-tables/src/law.rs", "law", "law"),
        ] {
            assert_eq!((module(file).as_str(), room(module_of)), (module_of, room_of));
        }
        assert!(stages("crates/samplez-cli/src/main.rs").is_none() && stages("README.md").is_none());
    }
}
