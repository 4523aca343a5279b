//! `docs/trust/coverage.csv` and `docs/trust/uncovered.csv`: which lines of the shipped code the tests run, and why not the others.
//!
//! The crates are measured together, the packages for Python and for JavaScript each by its own language's tool: what a measurement has
//! nothing of keeps its row. The lines of the crates in [`EXPLAINED`] that no test runs each have a reason, which somebody has written into `lab/tools/uncovered.tsv`:
//! the file, how many lines there are from the first one on, its text, and why. A reason goes with the text, wherever it moves.

use crate::trust::{COVERAGE, COVERAGE_HEADER, UNCOVERED, UNCOVERED_HEADER};
use samplez_lab::Place;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use xtask::csv::{field, rows};
use xtask::files::{self, Findings};

const REASONS: &str = "lab/tools/uncovered.tsv";

/// What is counted, and its files; of the first each line has a test or a reason.
const COUNTED: [(&str, &str); 7] = [
    ("samplez-core", "crates/samplez-core/src/"),
    ("samplez-sources", "crates/samplez-sources/src/"),
    ("samplez-tables", "crates/samplez-tables/src/"),
    ("samplez-schemes", "crates/samplez-schemes/src/"),
    ("samplez", "crates/samplez/src/"),
    ("samplez for Python", "python/samplez/"),
    ("samplez for JavaScript", "web/dist/"),
];
const EXPLAINED: &[(&str, &str)] = COUNTED.split_at(3).0;

/// How often each line of each file was run.
type Counts = BTreeMap<String, BTreeMap<usize, u64>>;

/// Keeps the coverage that this file in the format of LCOV has.
pub(crate) fn keep(root: &Path, lcov: &Path) -> Findings {
    let mut counts = read(root, &files::read(lcov)?);
    let mut texts = BTreeMap::new();
    for (file, lines) in &mut counts {
        let text = files::read(&root.join(file))?;
        let tests = tests(&text);
        let is_code = |line: usize| text.lines().nth(line - 1).is_none_or(|line| is_code(file, line));
        lines.retain(|line, _| !tests.contains(line) && is_code(*line));
        texts.insert(file.clone(), text.lines().map(|line| line.trim().to_owned()).collect());
    }
    let Place { machine, commit } = Place::here();
    let place = [samplez_lab::today().as_str(), &machine, &commit].map(field).join(",");
    let mut totals = BTreeMap::<&str, (usize, usize)>::new();
    for (file, lines) in &counts {
        let total = totals.entry(package(&COUNTED, file).unwrap_or_default()).or_default();
        *total = (total.0 + lines.len(), total.1 + lines.values().filter(|count| **count > 0).count());
    }
    if totals.is_empty() {
        let wanted = COUNTED.map(|(_, files)| files).join(", ");
        return Err(io::Error::other(format!("{}: has no line of {wanted}", lcov.display())));
    }
    let kept: BTreeMap<String, String> = rows::<6>(root, COVERAGE, COVERAGE_HEADER)?
        .into_iter()
        .map(|row| (row[0].clone(), row.each_ref().map(|text| field(text)).join(",") + "\n"))
        .collect();
    let row = |name: &str| match totals.get(name) {
        Some((lines, covered)) => Some(format!("{name},{lines},{covered},{place}\n")),
        None => kept.get(name).cloned(),
    };
    write(root, COVERAGE, COVERAGE_HEADER, COUNTED.iter().filter_map(|(name, _)| row(name)))?;
    if !counts.keys().any(|file| package(EXPLAINED, file).is_some()) {
        return Ok(Vec::new());
    }
    let (rows, findings) = explained(&uncovered(&counts, &texts), &files::read(&root.join(REASONS))?);
    write(root, UNCOVERED, UNCOVERED_HEADER, rows)?;
    Ok(findings)
}

/// Neither empty nor a comment: some tools count these too.
fn is_code(file: &str, line: &str) -> bool {
    let comments: &[&str] = if file.ends_with(".js") { &["//", "/*", "* ", "*/"] } else { &["//"] };
    let line = line.trim();
    !line.is_empty() && !comments.iter().any(|comment| line.starts_with(comment))
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
    files::write(&root.join(name), &text)
}

/// What a file is counted for.
fn package(counted: &[(&'static str, &str)], file: &str) -> Option<&'static str> {
    counted.iter().find(|(_, files)| file.starts_with(files)).map(|(name, _)| *name)
}

/// The counts of the packages' own files that are no tests.
fn read(root: &Path, lcov: &str) -> Counts {
    let mut counts = Counts::new();
    let mut file = None;
    for line in lcov.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            let shown = files::shown(root, Path::new(path));
            let name = shown.rsplit('/').next().unwrap_or_default();
            let is_test = ["tests.rs", "testing.rs"].contains(&name) || shown.contains("/tests/");
            file = (package(&COUNTED, &shown).is_some() && !is_test).then_some(shown);
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
    for (file, lines) in counts.iter().filter(|(file, _)| package(EXPLAINED, file).is_some()) {
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
        assert!([("a.rs", "  * b"), ("a.js", "a"), ("a.py", "# a")].iter().all(|(file, line)| is_code(file, line)));
        assert!(["", "  ", "// a", "    /** b */", "     * c", " */"].iter().all(|line| !is_code("a.js", line)));
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
