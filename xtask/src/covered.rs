//! `docs/trust/coverage.csv` and `docs/trust/uncovered.csv`: which lines of the shipped code the tests run, and why not the others.
//!
//! The lines of the crates in [`EXPLAINED`] that no test runs each have a reason, which somebody has written into `xtask/uncovered.tsv`:
//! the file, how many lines there are from the first one on, its text, and why. A reason goes with the text, wherever it moves.

use crate::csv::field;
use crate::files::{self, Findings};
use crate::trust::{COVERAGE_HEADER, UNCOVERED_HEADER};
use samplez_lab::Place;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

const FOLDER: &str = "docs/trust";
const REASONS: &str = "xtask/uncovered.tsv";

/// The crates whose lines are counted, the first of which all have a test or a reason.
const COUNTED: [&str; 5] = ["samplez-core", "samplez-sources", "samplez-tables", "samplez-lattice", "samplez"];
const EXPLAINED: &[&str] = COUNTED.split_at(3).0;

/// How often each line of each file was run.
type Counts = BTreeMap<String, BTreeMap<usize, u64>>;

/// Keeps the coverage that this file in the format of LCOV has.
pub(crate) fn keep(root: &Path, lcov: &Path) -> Findings {
    let mut counts = read(root, &files::read(lcov)?);
    let mut texts = BTreeMap::new();
    for (file, lines) in &mut counts {
        let text = files::read(&root.join(file))?;
        let tests = tests(&text);
        let is_comment = |line: usize| text.lines().nth(line - 1).is_some_and(|line| line.trim().starts_with("//"));
        lines.retain(|line, _| !tests.contains(line) && !is_comment(*line));
        texts.insert(file.clone(), text.lines().map(|line| line.trim().to_owned()).collect());
    }
    let Place { machine, commit } = Place::here();
    let place = [samplez_lab::today().as_str(), &machine, &commit].map(field).join(",");
    let mut totals = BTreeMap::<&str, (usize, usize)>::new();
    for (file, lines) in &counts {
        let total = totals.entry(package(file)).or_default();
        *total = (total.0 + lines.len(), total.1 + lines.values().filter(|count| **count > 0).count());
    }
    if totals.is_empty() {
        return Err(io::Error::other(format!("{}: has no line of crates/*/src", lcov.display())));
    }
    let rows = totals.iter().map(|(name, (lines, covered))| format!("{name},{lines},{covered},{place}\n"));
    write(root, "coverage.csv", COVERAGE_HEADER, rows)?;
    let (rows, findings) = explained(&uncovered(&counts, &texts), &files::read(&root.join(REASONS))?);
    write(root, "uncovered.csv", UNCOVERED_HEADER, rows)?;
    Ok(findings)
}

/// The lines of a file that are there for tests alone: what has the attribute, to its last line, which is indented as the first.
fn tests(text: &str) -> BTreeSet<usize> {
    let lines: Vec<&str> = text.lines().collect();
    let mut tests = BTreeSet::new();
    for (start, line) in lines.iter().enumerate().filter(|(_, line)| line.trim() == "#[cfg(test)]") {
        let indent = line.len() - line.trim_start().len();
        let ends = |line: &str| {
            let text = line.trim();
            !text.starts_with('#') && line.len() - line.trim_start().len() == indent && text.ends_with(['}', ';', ','])
        };
        let end = lines[start + 1..].iter().position(|line| ends(line)).map_or(lines.len(), |after| start + 2 + after);
        tests.extend(start + 1..=end);
    }
    tests
}

fn write(root: &Path, name: &str, header: &str, rows: impl IntoIterator<Item = String>) -> io::Result<()> {
    let text: String = [format!("{header}\n")].into_iter().chain(rows).collect();
    files::write(&root.join(FOLDER).join(name), &text)
}

/// The crate of a file.
fn package(file: &str) -> &str {
    file.split('/').nth(1).unwrap_or_default()
}

/// The counts of the crates' own files that are no tests.
fn read(root: &Path, lcov: &str) -> Counts {
    let mut counts = Counts::new();
    let mut file = None;
    for line in lcov.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            let shown = files::shown(root, Path::new(path));
            let name = shown.rsplit('/').next().unwrap_or_default();
            let ours = shown.starts_with("crates/")
                && shown.split('/').nth(2) == Some("src")
                && COUNTED.contains(&package(&shown));
            file = (ours && !["tests.rs", "testing.rs"].contains(&name) && !shown.contains("/tests/")).then_some(shown);
        } else if let (Some(data), Some(file)) = (line.strip_prefix("DA:"), &file) {
            let mut numbers = data.split(',');
            let (line, count) =
                (numbers.next().and_then(|n| n.parse().ok()), numbers.next().and_then(|n| n.parse().ok()));
            if let (Some(line), Some(count)) = (line, count) {
                let sum: &mut u64 = counts.entry(file.clone()).or_default().entry(line).or_default();
                *sum = sum.saturating_add(count);
            }
        }
    }
    counts
}

/// Lines that follow each other, but for lines without code, and that no test runs.
#[derive(Debug, PartialEq)]
struct Run {
    file: String,
    first: usize,
    last: usize,
    lines: usize,
    text: String,
}

fn uncovered(counts: &Counts, texts: &BTreeMap<String, Vec<String>>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (file, lines) in counts.iter().filter(|(file, _)| EXPLAINED.contains(&package(file))) {
        let mut open = false;
        for (line, count) in lines {
            match runs.last_mut().filter(|_| open) {
                Some(run) if *count == 0 => (run.last, run.lines) = (*line, run.lines + 1),
                _ if *count == 0 => {
                    let text = texts.get(file).and_then(|text| text.get(line - 1)).cloned().unwrap_or_default();
                    runs.push(Run { file: file.clone(), first: *line, last: *line, lines: 1, text });
                }
                _ => {}
            }
            open = *count == 0;
        }
    }
    runs
}

/// A row for each run, and what has no reason, or is a reason for nothing.
fn explained(runs: &[Run], reasons: &str) -> (Vec<String>, Vec<String>) {
    let mut known = BTreeMap::new();
    for line in reasons.lines().filter(|line| !line.starts_with('#')) {
        if let [file, lines, text, why] = line.split('\t').collect::<Vec<_>>()[..] {
            known.insert((file, lines.to_owned(), text), why);
        }
    }
    let (mut rows, mut findings, mut used) = (Vec::new(), Vec::new(), BTreeSet::new());
    for Run { file, first, last, lines, text } in runs {
        let key = (file.as_str(), lines.to_string(), text.as_str());
        let why = known.get(&key).copied().unwrap_or_default();
        if why.is_empty() {
            findings.push(format!("{file}:{first}: {lines} lines without a test or a reason: {text}"));
        }
        used.insert(key);
        let place = if first == last { first.to_string() } else { format!("{first}-{last}") };
        rows.push(format!("{file},{place},{}\n", field(why)));
    }
    let idle = known.keys().filter(|key| !used.contains(*key));
    findings.extend(idle.map(|(file, lines, text)| format!("{REASONS}: {file}: has no {lines} such lines: {text}")));
    (rows, findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "crates/samplez-core/src/a.rs";

    fn runs() -> Vec<Run> {
        let lcov = format!(
            "SF:/r/{FILE}\nDA:1,3\nDA:2,0\nDA:4,0\nDA:5,1\nDA:6,0\nend_of_record\n\
             SF:/r/crates/samplez-core/src/a/tests.rs\nDA:1,0\nSF:/r/crates/samplez-core/tests/b.rs\nDA:1,0\n\
             SF:/r/crates/samplez/src/c.rs\nDA:1,0\nSF:/r/{FILE}\nDA:6,2\nDA:7,0\n"
        );
        let counts = read(Path::new("/r"), &lcov);
        assert_eq!(counts.len(), 2);
        let texts = (1..8).map(|line| format!("line {line}")).collect();
        uncovered(&counts, &[(FILE.to_owned(), texts)].into())
    }

    #[test]
    fn runs_of_lines_are_found() {
        let run = |first, last, lines| Run { file: FILE.into(), first, last, lines, text: format!("line {first}") };
        assert_eq!(runs(), [run(2, 4, 2), run(7, 7, 1)]);
    }

    #[test]
    fn what_is_there_for_tests_is_left_out() {
        let text = "use a;\n#[cfg(test)]\nmod testing;\nfn b() {}\n    #[cfg(test)]\n    #[inline]\n    fn c() {\n        1;\n    }\n\
                    fn d() {\n}\n#[cfg(test)]\nmod tests {\n    fn e() {\n    }\n}\n";
        assert_eq!(tests(text), [2, 3, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16].into());
        assert_eq!(tests("#[cfg(test)]\nmod tests {"), [1, 2].into());
    }

    #[test]
    fn each_has_a_reason() {
        let both = format!("{FILE}\t2\tline 2\tthis, that\n{FILE}\t1\tline 7\tso\n");
        let rows = vec![format!("{FILE},2-4,\"this, that\"\n"), format!("{FILE},7,so\n")];
        assert_eq!(explained(&runs(), &both), (rows, vec![]));
        // More lines than the reason was for, another text, and none.
        for wrong in [both.replace("\t2\t", "\t1\t"), both.replace("line 2", "line 3"), both.replace("that", "\t")] {
            assert!(!explained(&runs(), &wrong).1.is_empty(), "{wrong}");
        }
        assert_eq!(explained(&runs(), "").1.len(), 2);
        assert_eq!(explained(&[], &both).1.len(), 2);
    }
}
