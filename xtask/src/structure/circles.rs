//! Which file imports which, and the circles among them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Files, what each imports, and the first line on which it does.
#[derive(Debug, Default)]
pub(crate) struct Imports(BTreeMap<String, BTreeMap<String, usize>>);

impl Imports {
    /// `from` names something of `to` on this line; a file does not import itself.
    pub(crate) fn add(&mut self, from: &str, to: &str, line: usize) {
        if from != to {
            let lines = self.0.entry(from.into()).or_default().entry(to.into()).or_insert(line);
            *lines = line.min(*lines);
        }
    }

    /// One finding for each set of files that reach each other: its shortest circle.
    pub(crate) fn circles(&self) -> Vec<String> {
        let mut told = BTreeSet::new();
        let mut findings = Vec::new();
        for start in self.0.keys() {
            if told.contains(start.as_str()) {
                continue;
            }
            let Some(circle) = self.circle(start) else { continue };
            // All that lie on a circle with `start` make one finding.
            let reached = self.reached(start);
            told.extend(reached.into_iter().filter(|file| self.reached(file).contains(start.as_str())));
            let steps = circle.windows(2).map(|step| {
                let line = self.0[step[0]][step[1]];
                format!("{}:{line} imports {}", step[0], step[1])
            });
            findings.push(format!("a circle: {}", steps.collect::<Vec<_>>().join(", ")));
        }
        findings
    }

    fn next(&self, file: &str) -> impl Iterator<Item = &str> {
        self.0.get(file).into_iter().flat_map(|to| to.keys().map(String::as_str))
    }

    /// All files that lie on a path from this one.
    fn reached<'a>(&'a self, from: &'a str) -> BTreeSet<&'a str> {
        let mut found = BTreeSet::new();
        let mut open = vec![from];
        while let Some(file) = open.pop() {
            open.extend(self.next(file).filter(|next| found.insert(*next)));
        }
        found
    }

    /// The shortest path from a file back to itself, both ends named.
    fn circle<'a>(&'a self, start: &'a str) -> Option<Vec<&'a str>> {
        let mut before: BTreeMap<&str, &str> = BTreeMap::new();
        let mut open = VecDeque::from([start]);
        while let Some(file) = open.pop_front() {
            for next in self.next(file) {
                if next == start {
                    let mut path = vec![start, file];
                    while let Some(earlier) = before.get(path[path.len() - 1]) {
                        path.push(earlier);
                    }
                    path.reverse();
                    return Some(path);
                }
                if !before.contains_key(next) {
                    before.insert(next, file);
                    open.push_back(next);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imports(edges: &[(&str, &str)]) -> Imports {
        let mut imports = Imports::default();
        edges.iter().enumerate().for_each(|(line, (from, to))| imports.add(from, to, line));
        imports
    }

    #[test]
    fn circles_are_found() {
        assert_eq!(imports(&[("a", "b"), ("a", "c"), ("b", "c"), ("c", "d"), ("a", "a")]).circles(), [""; 0]);
        assert_eq!(imports(&[("a", "b"), ("b", "a")]).circles(), ["a circle: a:0 imports b, b:1 imports a"]);
        let long = imports(&[("a", "b"), ("b", "c"), ("c", "a"), ("x", "a")]).circles();
        assert_eq!(long, ["a circle: a:0 imports b, b:1 imports c, c:2 imports a"]);
        let shortest = imports(&[("a", "b"), ("b", "c"), ("c", "a"), ("b", "a")]).circles();
        assert_eq!(shortest, ["a circle: a:0 imports b, b:3 imports a"]);
        assert_eq!(imports(&[("a", "b"), ("b", "a"), ("c", "d"), ("d", "c"), ("b", "c")]).circles().len(), 2);
    }

    #[test]
    fn the_first_line_counts() {
        let mut imports = Imports::default();
        [7, 3, 5].into_iter().for_each(|line| imports.add("a", "b", line));
        imports.add("b", "a", 1);
        assert_eq!(imports.circles(), ["a circle: a:3 imports b, b:1 imports a"]);
    }
}
