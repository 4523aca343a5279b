//! `docs/trust/coverage.csv`: how many lines of the shipped code the tests run.
//!
//! The crates are measured together, the packages for Python and for JavaScript each by its own language's tool: what a measurement has
//! nothing of keeps its row.

use crate::trust::{COVERAGE, COVERAGE_HEADER};
use samplez_lab::Place;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use xtask::csv::{field, rows};
use xtask::files::{self, Findings};

/// What is counted, and its files.
const COUNTED: [(&str, &str); 7] = [
    ("samplez-core", "crates/samplez-core/src/"),
    ("samplez-sources", "crates/samplez-sources/src/"),
    ("samplez-tables", "crates/samplez-tables/src/"),
    ("samplez-schemes", "crates/samplez-schemes/src/"),
    ("samplez", "crates/samplez/src/"),
    ("samplez for Python", "python/samplez/"),
    ("samplez for JavaScript", "web/dist/"),
];

/// How often each line of each file was run.
type Counts = BTreeMap<String, BTreeMap<usize, u64>>;

/// Keeps the coverage that this file in the format of LCOV has.
pub(crate) fn keep(root: &Path, lcov: &Path) -> Findings {
    let mut counts = read(root, &files::read(lcov)?);
    for (file, lines) in &mut counts {
        let text = files::read(&root.join(file))?;
        let tests = tests(&text);
        let is_code = |line: usize| text.lines().nth(line - 1).is_none_or(|line| is_code(file, line));
        lines.retain(|line, _| !tests.contains(line) && is_code(*line));
    }
    let Place { machine, commit } = Place::here();
    let place = [samplez_lab::today().as_str(), &machine, &commit].map(field).join(",");
    let mut totals = BTreeMap::<&str, (usize, usize)>::new();
    for (file, lines) in &counts {
        let total = totals.entry(package(file).unwrap_or_default()).or_default();
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
    let lines: String = COUNTED.iter().filter_map(|(name, _)| row(name)).collect();
    files::write(&root.join(COVERAGE), &format!("{COVERAGE_HEADER}\n{lines}"))?;
    Ok(Vec::new())
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

/// What a file is counted for.
fn package(file: &str) -> Option<&'static str> {
    COUNTED.iter().find(|(_, files)| file.starts_with(files)).map(|(name, _)| *name)
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
            file = (package(&shown).is_some() && !is_test).then_some(shown);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_a_file_are_added() {
        let file = "crates/samplez-core/src/a.rs";
        let lcov = format!(
            "SF:/r/{file}\nDA:1,3\nDA:2,0\nend_of_record\nSF:/r/crates/samplez-core/src/a/tests.rs\nDA:1,0\n\
             SF:/r/crates/samplez-core/tests/b.rs\nDA:1,0\nSF:/r/{file}\nDA:2,2\nDA:7,0\n"
        );
        let counts = Counts::from([(file.to_owned(), BTreeMap::from([(1, 3), (2, 2), (7, 0)]))]);
        assert_eq!(read(Path::new("/r"), &lcov), counts);
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
}
