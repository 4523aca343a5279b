//! The number of findings that each file may have: it can only fall.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use xtask::files;

const FILE: &str = "docs/style/ceilings.tsv";
const WRITE: &str = "cargo xtask check-prose --write";

/// The findings of each file.
pub(crate) type Judged = BTreeMap<String, Vec<String>>;

/// A file without a line has the ceiling 0.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Ceilings(BTreeMap<String, usize>);

impl Ceilings {
    /// The committed ceilings, if there are any.
    pub(crate) fn read(root: &Path) -> io::Result<Option<Self>> {
        let path = root.join(FILE);
        if path.exists() { Self::parse(&files::read(&path)?).map(Some) } else { Ok(None) }
    }

    pub(crate) fn write(&self, root: &Path) -> io::Result<()> {
        let lines = self.0.iter().map(|(path, count)| format!("{path}\t{count}\n"));
        files::write(&root.join(FILE), &lines.collect::<String>())
    }

    /// The ceilings that these findings just meet.
    pub(crate) fn of(judged: &Judged) -> Self {
        let counts = judged.iter().map(|(path, findings)| (path.clone(), findings.len()));
        Self(counts.filter(|(_, count)| *count > 0).collect())
    }

    fn parse(text: &str) -> io::Result<Self> {
        let line = |(number, line): (usize, &str)| {
            let parsed = line.split_once('\t').and_then(|(path, count)| Some((path.to_owned(), count.parse().ok()?)));
            parsed
                .ok_or_else(|| io::Error::other(format!("{FILE}:{}: expected a path, a tab and a number", number + 1)))
        };
        text.lines().enumerate().map(line).collect::<io::Result<_>>().map(Self)
    }

    fn get(&self, path: &str) -> usize {
        self.0.get(path).copied().unwrap_or(0)
    }

    /// Lists each file that has more findings than its ceiling, or fewer.
    pub(crate) fn check(&self, judged: &Judged) -> Vec<String> {
        let mut out = self.exceeded(judged);
        for (path, ceiling) in &self.0 {
            let count = judged.get(path).map_or(0, Vec::len);
            if count < *ceiling {
                out.push(format!(
                    "{path}: {count} findings, its ceiling is {ceiling}: lower the ceiling with `{WRITE}`"
                ));
            }
        }
        out
    }

    /// The findings of each file that has more than its ceiling.
    fn exceeded(&self, judged: &Judged) -> Vec<String> {
        let mut out = Vec::new();
        for (path, findings) in judged.iter().filter(|(path, findings)| findings.len() > self.get(path)) {
            out.extend(findings.iter().cloned());
            out.push(format!("{path}: {} findings, its ceiling is {}", findings.len(), self.get(path)));
        }
        out
    }

    /// The ceilings, each lowered to the present findings and never raised; and the files that have more.
    ///
    /// If a file is moved or split, its ceiling passes to the new files, unless these have more findings in sum.
    pub(crate) fn lowered(&self, judged: &Judged) -> (Self, Vec<String>) {
        let present = Self::of(judged);
        let gone: usize = self.0.iter().filter(|(path, _)| !judged.contains_key(*path)).map(|(_, count)| count).sum();
        let new: usize = present.0.iter().filter(|(path, _)| !self.0.contains_key(*path)).map(|(_, count)| count).sum();
        let lower = |(path, count): (&String, &usize)| {
            let ceiling = self.0.get(path).copied().unwrap_or(if new <= gone { *count } else { 0 });
            (path.clone(), ceiling.min(*count))
        };
        let lowered = Self(present.0.iter().map(lower).filter(|(_, count)| *count > 0).collect());
        let findings = lowered.exceeded(judged);
        (lowered, findings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(counts: &[(&str, usize)]) -> Judged {
        counts.iter().map(|(path, count)| (path.to_string(), vec![format!("{path}:1: x"); *count])).collect()
    }

    fn ceilings(text: &str) -> Ceilings {
        Ceilings::parse(text).unwrap()
    }

    #[test]
    fn the_check_fails_above_and_below() {
        let ceilings = ceilings("a.md\t1\n");
        assert_eq!(ceilings.check(&judged(&[("a.md", 1), ("b.md", 0)])), [""; 0]);
        let above = ["a.md:1: x", "a.md:1: x", "a.md: 2 findings, its ceiling is 1"];
        assert_eq!(ceilings.check(&judged(&[("a.md", 2)])), above);
        let below = "a.md: 0 findings, its ceiling is 1: lower the ceiling with `cargo xtask check-prose --write`";
        assert_eq!(ceilings.check(&judged(&[("a.md", 0)])), [below]);
        assert_eq!(ceilings.check(&judged(&[])), [below], "the file is gone");
        let new = judged(&[("a.md", 1), ("b.md", 1)]);
        assert_eq!(ceilings.check(&new), ["b.md:1: x", "b.md: 1 findings, its ceiling is 0"]);
    }

    #[test]
    fn ceilings_are_lowered_and_never_raised() {
        let before = ceilings("a.md\t3\nb.md\t1\nc.md\t2\n");
        let (after, findings) = before.lowered(&judged(&[("a.md", 2), ("b.md", 0), ("c.md", 2)]));
        assert_eq!((after, findings), (ceilings("a.md\t2\nc.md\t2\n"), vec![]));
        let (after, findings) = before.lowered(&judged(&[("a.md", 2), ("b.md", 2), ("c.md", 2), ("d.md", 1)]));
        assert_eq!(after, ceilings("a.md\t2\nb.md\t1\nc.md\t2\n"));
        let named: Vec<&String> = findings.iter().filter(|finding| finding.contains("ceiling")).collect();
        assert_eq!(named, ["b.md: 2 findings, its ceiling is 1", "d.md: 1 findings, its ceiling is 0"]);
    }

    #[test]
    fn a_file_that_is_moved_or_split_passes_its_ceiling_on() {
        let before = ceilings("a.md\t3\n");
        let split = judged(&[("b.md", 2), ("c.md", 1)]);
        assert_eq!(before.lowered(&split), (ceilings("b.md\t2\nc.md\t1\n"), vec![]));
        let more = judged(&[("b.md", 2), ("c.md", 2)]);
        let (after, findings) = before.lowered(&more);
        assert_eq!((after, findings.len()), (ceilings(""), 6));
        let copied = judged(&[("a.md", 3), ("b.md", 1)]);
        assert_eq!(before.lowered(&copied).0, before, "the first file is still there");
    }

    #[test]
    fn the_first_ceilings_are_the_present_findings() {
        assert_eq!(Ceilings::of(&judged(&[("a.md", 2), ("b.md", 0)])), ceilings("a.md\t2\n"));
    }

    #[test]
    fn a_line_without_a_number_is_an_error() {
        let error = Ceilings::parse("a.md\t1\nb.md\t-1\n").unwrap_err();
        assert_eq!(error.to_string(), "docs/style/ceilings.tsv:2: expected a path, a tab and a number");
    }
}
