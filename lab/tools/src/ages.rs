//! Which kept measurements are older than the code that they measured.
//!
//! A row of docs/trust names the commit at which it was made. For each part of the code that rows are about, docs/trust/code.csv has
//! its digest at their commit. `gen-trust` adds missing digests from git; afterwards a tree without any history is compared.
//! Comments, empty lines and tests do not count.

use crate::mutants::shipped;
use samplez::Method;
use samplez_lab::Place;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::Command;
use xtask::csv::rows;
use xtask::files;

const CODE: &str = "docs/trust/code.csv";
const CODE_HEADER: &str = "commit,part,digest";
/// The digest of a part whose text at that commit is nowhere kept: a tree with changes, or a commit that git does not have.
const UNKNOWN: &str = "unknown";
const EXTENSIONS: [&str; 5] = ["rs", "py", "ts", "c", "go"];

/// The code that every method uses, and the verifier that judged it.
const COMMON: [&str; 5] = [
    "crates/samplez-core/src/arch/vector",
    "crates/samplez-core/src/bits",
    "crates/samplez-core/src/samplers/common",
    "crates/samplez-stats/src",
    "crates/samplez-tables/src",
];

/// The digests that are kept and those of today.
pub(crate) struct Ages<'a> {
    root: &'a Path,
    check: bool,
    kept: BTreeMap<[String; 2], String>,
    used: BTreeMap<[String; 2], String>,
    today: BTreeMap<String, String>,
    findings: Vec<String>,
}

impl<'a> Ages<'a> {
    /// Reads the kept digests. With `check` a missing one is a finding, and otherwise git has it.
    pub(crate) fn read(root: &'a Path, check: bool) -> io::Result<Self> {
        let kept = rows(root, CODE, CODE_HEADER)?.into_iter().map(|[commit, part, digest]| ([commit, part], digest));
        let (used, today) = (BTreeMap::new(), BTreeMap::new());
        Ok(Ages { root, check, kept: kept.collect(), used, today, findings: Vec::new() })
    }

    /// The parts that have changed since this commit; names a part that a row of it is about.
    pub(crate) fn changed(&mut self, commit: &str, parts: &[String]) -> io::Result<Vec<String>> {
        let mut changed = Vec::new();
        for part in parts {
            if !self.today.contains_key(part) {
                self.today.insert(part.clone(), digest(part, &here(self.root, part)?));
            }
            let key = [commit.to_owned(), part.clone()];
            let then = match self.kept.get(&key).or_else(|| self.used.get(&key)) {
                Some(then) => then.clone(),
                None if self.check => {
                    self.findings.push(format!("{CODE}: has no digest of {part} at {commit}: cargo tools gen-trust"));
                    continue;
                }
                None => self.then(commit, part)?,
            };
            if then != self.today[part] {
                changed.push(part.clone());
            }
            self.used.insert(key, then);
        }
        Ok(changed)
    }

    /// The same for a file whose rows name no commit: that of its last change. Its digest stands for it, so that a new file has a new age.
    pub(crate) fn of_file(&mut self, file: &str, parts: &[&str]) -> io::Result<Vec<String>> {
        let parts: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
        let path = self.root.join(file);
        if !path.exists() {
            return Ok(Vec::new());
        }
        let name = format!("{file}@{}", hex(&Sha256::digest(files::read(&path)?)));
        self.changed(&name, &parts)
    }

    fn then(&self, commit: &str, part: &str) -> io::Result<String> {
        let today = || self.today[part].clone();
        let commit = match commit.split_once('@') {
            None => commit.to_owned(),
            Some((file, _))
                if !git(self.root, &["status", "--porcelain", "--", file]).is_some_and(|s| s.is_empty()) =>
            {
                return Ok(today());
            }
            Some((file, _)) => git(self.root, &["log", "-1", "--format=%H", "--", file]).unwrap_or_default(),
        };
        if commit == Place::here().commit {
            return Ok(today());
        }
        let commit = commit.trim();
        if commit.is_empty() || commit.contains('+') {
            return Ok(UNKNOWN.into());
        }
        let found = [part.to_owned(), format!("{part}.rs")];
        let Some(list) = git(self.root, &["ls-tree", "-r", "--name-only", commit, "--", &found[0], &found[1]]) else {
            return Ok(UNKNOWN.into());
        };
        let mut texts = BTreeMap::new();
        for file in list.lines().filter(|file| is_code(file)) {
            let Some(text) = git(self.root, &["show", &format!("{commit}:{file}")]) else {
                return Ok(UNKNOWN.into());
            };
            texts.insert(file.to_owned(), text);
        }
        Ok(digest(part, &texts))
    }

    /// Keeps the digests that rows use; or the findings.
    pub(crate) fn finish(self) -> io::Result<Vec<String>> {
        if !self.check && self.used != self.kept {
            let lines: String =
                self.used.iter().map(|([commit, part], digest)| format!("{commit},{part},{digest}\n")).collect();
            files::write(&self.root.join(CODE), &format!("{CODE_HEADER}\n{lines}"))?;
        }
        Ok(self.findings)
    }
}

/// The code that decides what a run of this method draws, and how it is judged.
pub(crate) fn of_method(method: &str) -> Vec<String> {
    let module = match method {
        "auto" => None,
        "ProposalStore of SamplerZ" => Some("sampler_z".to_owned()),
        "ProposalStore of StripRounder" => Some("strip_rounder".to_owned()),
        name => name.parse::<Method>().ok().map(|method| method.row().file.trim_end_matches(".rs").to_owned()),
    };
    let own = ["arch", "samplers"].map(|folder| match &module {
        Some(module) => format!("crates/samplez-core/src/{folder}/{module}"),
        None => format!("crates/samplez-core/src/{folder}"),
    });
    own.into_iter().chain(COMMON.map(String::from)).collect()
}

/// Writes how many parts of the code a row is older than; nothing if it is not.
pub(crate) fn mark(changed: &[String]) -> String {
    if changed.is_empty() { String::new() } else { format!("; older: {}", changed.len()) }
}

/// Writes how many of a figure's rows are older than the code, and than which, the most frequent first.
pub(crate) fn share(rows: &[Vec<String>]) -> String {
    let old = rows.iter().filter(|changed| !changed.is_empty()).count();
    if old == 0 {
        return "none".into();
    }
    let mut counts = BTreeMap::<&String, usize>::new();
    rows.iter().flatten().for_each(|part| *counts.entry(part).or_default() += 1);
    let mut parts: Vec<String> = counts.keys().map(|part| (*part).clone()).collect();
    parts.sort_by_key(|part| std::cmp::Reverse(counts[part]));
    let of = if rows.len() == 1 { "all".into() } else { format!("{old} of {}", rows.len()) };
    format!("{of}: {}", names(&parts))
}

/// The first three parts, shortened, and how many more there are.
fn names(parts: &[String]) -> String {
    let short = |part: &String| format!("`{}`", part.replace("crates/", "").replace("/src", ""));
    let first: Vec<String> = parts.iter().take(3).map(short).collect();
    let more = parts.len().saturating_sub(3);
    first.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
}

fn is_code(file: &str) -> bool {
    let tests = file.contains("/tests/") || file.ends_with("/tests.rs");
    !tests && file.rsplit_once('.').is_some_and(|(_, extension)| EXTENSIONS.contains(&extension))
}

/// The texts of a part today: `PART.rs`, or the file PART itself, and everything below PART.
fn here(root: &Path, part: &str) -> io::Result<BTreeMap<String, String>> {
    let mut paths = vec![root.join(part), root.join(format!("{part}.rs"))];
    paths.retain(|path| path.is_file());
    if root.join(part).is_dir() {
        for extension in EXTENSIONS {
            paths.extend(files::below(&root.join(part), extension)?);
        }
    }
    let mut texts = BTreeMap::new();
    for path in paths {
        let name = files::shown(root, &path);
        if is_code(&name) {
            texts.insert(name, files::read(&path)?);
        }
    }
    Ok(texts)
}

/// The digest of the code in these texts.
fn digest(part: &str, texts: &BTreeMap<String, String>) -> String {
    let mut sum = Sha256::new();
    for (name, text) in texts {
        sum.update(name.strip_prefix(part).unwrap_or(name));
        let comment = if name.ends_with(".py") { "#" } else { "//" };
        let lines = shipped(text).lines().map(str::trim);
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with(comment)) {
            sum.update("\n");
            sum.update(line);
        }
        sum.update("\0");
    }
    hex(&sum.finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        digest("a", &BTreeMap::from([("a/b.rs".to_owned(), text.to_owned())]))
    }

    #[test]
    fn code_counts_and_comments_do_not() {
        let text = "fn a() {\n    b();\n}\n";
        assert_eq!(
            of(text),
            of("//! A file.\n\n/// A.\nfn a() {\n  // So.\n  b();\n}\n\n#[cfg(test)]\nmod tests {\n}\n")
        );
        assert_ne!(of(text), of("fn a() {\n    c();\n}\n"));
        assert_ne!(of(text), digest("a", &BTreeMap::from([("a/c.rs".to_owned(), text.to_owned())])));
    }

    #[test]
    fn a_row_is_older_if_a_part_of_it_changed() {
        let folder = std::env::temp_dir().join(format!("samplez-ages-{}", std::process::id()));
        let write = |name: &str, text: &str| files::write(&folder.join(name), text).unwrap();
        write("a.rs", "fn a() {}");
        write("b/c.rs", "fn c() {}");
        let parts = ["a".to_owned(), "b".to_owned()];
        let lines =
            parts.each_ref().map(|part| format!("0123,{part},{}\n", digest(part, &here(&folder, part).unwrap())));
        write(CODE, &format!("{CODE_HEADER}\n{}", lines.concat()));
        let changed = || {
            let mut ages = Ages::read(&folder, true).unwrap();
            let changed = ages.changed("0123", &parts).unwrap();
            (changed, ages.changed("4567", &parts[..1]).unwrap(), ages.finish().unwrap().len())
        };
        assert_eq!(changed(), (vec![], vec![], 1));
        write("b/c.rs", "fn c() { a() }");
        write("a.rs", "// The first.\nfn a() {}");
        assert_eq!(changed(), (vec!["b".to_owned()], vec![], 1));
        write("a/d.rs", "");
        assert_eq!(changed().0, parts);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn shares_name_the_parts() {
        let old = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>();
        assert_eq!(share(&[vec![], vec![]]), "none");
        assert_eq!(share(&[old(&["crates/x/src/y"])]), "all: `x/y`");
        assert_eq!(share(&[old(&["d", "c", "b"]), vec![], old(&["a", "c"])]), "2 of 3: `c`, `a`, `b` and 1 more");
        assert_eq!([mark(&[]), mark(&old(&["a", "b"]))], ["", "; older: 2"]);
    }
}
