//! Which file imports which, and the circles among them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The imports of each file, and the first line of each.
#[derive(Debug, Default)]
pub(crate) struct Imports(BTreeMap<String, BTreeMap<String, usize>>);

impl Imports {
    /// `from` names an item of `to` on this line; a file does not import itself.
    pub(crate) fn add(&mut self, from: &str, to: &str, line: usize) {
        if from != to {
            let first = self.0.entry(from.into()).or_default().entry(to.into()).or_insert(line);
            *first = line.min(*first);
        }
    }

    /// For each file on a circle its shortest circle, unless an earlier finding names the file.
    pub(crate) fn circles(&self) -> Vec<String> {
        let (mut named, mut findings) = (BTreeSet::new(), Vec::new());
        for start in self.0.keys().map(String::as_str) {
            if named.contains(start) {
                continue;
            }
            let circle = self.circle(start);
            if !circle.is_empty() {
                let steps = circle.windows(2).map(|s| format!("{}:{} imports {}", s[0], self.0[s[0]][s[1]], s[1]));
                findings.push(format!("a circle: {}", steps.collect::<Vec<_>>().join(", ")));
            }
            named.extend(circle);
        }
        findings
    }

    /// The shortest path from a file back to itself, with the file at both ends; empty if there is none.
    fn circle<'a>(&'a self, start: &'a str) -> Vec<&'a str> {
        let mut seen = BTreeSet::new();
        let mut paths = VecDeque::from([vec![start]]);
        while let Some(path) = paths.pop_front() {
            if path.len() > 1 && path[path.len() - 1] == start {
                return path;
            }
            let next = self.0.get(path[path.len() - 1]).into_iter().flat_map(BTreeMap::keys);
            paths.extend(next.filter(|next| seen.insert(next.as_str())).map(|next| [&path[..], &[next]].concat()));
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles(edges: &[(&str, &str)]) -> Vec<String> {
        let mut imports = Imports::default();
        (1..).zip(edges).for_each(|(line, (from, to))| imports.add(from, to, line));
        imports.circles()
    }

    #[test]
    fn circles_are_found() {
        assert_eq!(circles(&[("a", "b"), ("a", "c"), ("b", "c"), ("c", "d"), ("a", "a")]), [""; 0]);
        let two = "a circle: a:1 imports b, b:2 imports a";
        assert_eq!(circles(&[("a", "b"), ("b", "a"), ("a", "b")]), [two]);
        let long = [("a", "b"), ("b", "c"), ("c", "a"), ("x", "a"), ("b", "a")];
        assert_eq!(circles(&long[..4]), ["a circle: a:1 imports b, b:2 imports c, c:3 imports a"]);
        assert_eq!(circles(&long)[0], "a circle: a:1 imports b, b:5 imports a");
        assert_eq!(circles(&[("a", "b"), ("b", "a"), ("c", "d"), ("d", "c"), ("b", "c")]).len(), 2);
    }
}
