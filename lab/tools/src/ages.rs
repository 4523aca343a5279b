//! Which kept measurements are older than the code that they measured.
//!
//! A row of docs/trust names the commit at which it was made. For each part of the code that rows are about, docs/trust/code.csv has
//! its digest at their commit. `gen-trust` adds missing digests from git; afterwards a tree without any history is compared.
//! Comments, empty lines and tests do not count.

use samplez::Method;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::Command;
use xtask::csv::Table;
use xtask::files::{self, Findings};

const CODE: &str = "docs/trust/code.csv";
/// The digest of a part whose text at that commit is nowhere kept: a tree with changes, or a commit that git does not have.
const UNKNOWN: &str = "unknown";
const EXTENSIONS: [&str; 5] = ["rs", "py", "ts", "c", "go"];

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
        let code = Table::open(root, CODE)?;
        let keys =
            code.column("commit")?.zip(code.column("part")?).map(|(commit, part)| [commit, part].map(String::from));
        let kept = keys.zip(code.column("digest")?.map(String::from)).collect();
        let (used, today) = (BTreeMap::new(), BTreeMap::new());
        Ok(Ages { root, check, kept, used, today, findings: Vec::new() })
    }

    /// How many rows are older than the code, by the parts of it that each is about.
    pub(crate) fn older(&mut self, table: &Table, parts: impl Fn(&[String]) -> Vec<String>) -> io::Result<String> {
        let (mut older, commits) = (0, table.column("commit")?.map(String::from).collect::<Vec<_>>());
        for (row, commit) in table.rows.iter().zip(commits) {
            // Each part is looked up, so that the digests of all are kept.
            let mut changed = false;
            for part in parts(row) {
                changed |= self.changed(&commit, &part)?;
            }
            older += usize::from(changed);
        }
        Ok(share(older, table.rows.len()))
    }

    /// The same for a file whose rows name no commit: that of its last change. Its digest stands for it, so that a new file has a new age.
    pub(crate) fn older_file(&mut self, file: &str, parts: &[&str]) -> io::Result<String> {
        let name = format!("{file}@{}", hex(&Sha256::digest(files::read(&self.root.join(file))?)));
        let mut changed = false;
        for part in parts {
            changed |= self.changed(&name, part)?;
        }
        Ok(share(usize::from(changed), 1))
    }

    /// Whether a part has changed since this commit.
    fn changed(&mut self, commit: &str, part: &str) -> io::Result<bool> {
        if !self.today.contains_key(part) {
            self.today.insert(part.to_owned(), digest(part, &here(self.root, part)?));
        }
        let key = [commit, part].map(String::from);
        let then = match self.kept.get(&key).or_else(|| self.used.get(&key)) {
            Some(then) => then.clone(),
            None if self.check => {
                self.findings.push(format!("{CODE}: has no digest of {part} at {commit}: cargo tools gen-trust"));
                return Ok(false);
            }
            None => self.then(commit, part),
        };
        let changed = then != self.today[part];
        self.used.insert(key, then);
        Ok(changed)
    }

    fn then(&self, commit: &str, part: &str) -> String {
        let today = || self.today[part].clone();
        let commit = match commit.split_once('@') {
            None => commit.to_owned(),
            Some((file, _))
                if !git(self.root, &["status", "--porcelain", "--", file]).is_some_and(|s| s.is_empty()) =>
            {
                return today();
            }
            Some((file, _)) => git(self.root, &["log", "-1", "--format=%H", "--", file]).unwrap_or_default(),
        };
        let commit = commit.trim();
        if commit.is_empty() || commit.contains('+') {
            return UNKNOWN.into();
        }
        let found = [part.to_owned(), format!("{part}.rs")];
        let Some(list) = git(self.root, &["ls-tree", "-r", "--name-only", commit, "--", &found[0], &found[1]]) else {
            return UNKNOWN.into();
        };
        let mut texts = BTreeMap::new();
        for file in list.lines().filter(|file| is_code(file)) {
            let Some(text) = git(self.root, &["show", &format!("{commit}:{file}")]) else { return UNKNOWN.into() };
            texts.insert(file.to_owned(), text);
        }
        digest(part, &texts)
    }

    /// Keeps the digests that rows use; or the findings.
    pub(crate) fn finish(self) -> Findings {
        if !self.check && self.used != self.kept {
            let lines: String =
                self.used.iter().map(|([commit, part], digest)| format!("{commit},{part},{digest}\n")).collect();
            files::write(&self.root.join(CODE), &format!("commit,part,digest\n{lines}"))?;
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
    let common = ["arch/vector", "bits", "samplers/common"].map(|part| format!("crates/samplez-core/src/{part}"));
    let judge = ["crates/samplez-stats/src", "crates/samplez-tables/src"].map(String::from);
    own.into_iter().chain(common).chain(judge).collect()
}

fn share(older: usize, of: usize) -> String {
    match older {
        0 => "none".into(),
        older if older == of => "all".into(),
        older => format!("{older} of {of}"),
    }
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

/// The part of a file that is shipped: what comes before its tests.
fn shipped(text: &str) -> &str {
    let is_tests = |at: &usize| {
        let mut lines = text[*at..].lines().skip(1);
        lines.next().is_some_and(|line| line.ends_with('{')) || lines.next().is_none()
    };
    let tests = text.match_indices("#[cfg(test)]\nmod ").map(|(at, _)| at).find(is_tests);
    text[..tests.unwrap_or(text.len())].trim_end()
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

    #[test]
    fn a_row_is_older_if_code_of_it_changed() {
        let folder = std::env::temp_dir().join(format!("samplez-ages-{}", std::process::id()));
        let write = |name: &str, text: &str| files::write(&folder.join(name), text).unwrap();
        write("a.rs", "fn a() {}");
        write("b/c.rs", "fn c() {}");
        write("rows.csv", "name,commit\nfirst,0123\nsecond,4567\n");
        let rows = Table::open(&folder, "rows.csv").unwrap();
        let today = |part: &str| digest(part, &here(&folder, part).unwrap());
        write(CODE, &format!("commit,part,digest\n0123,a,{}\n0123,b,{}\n4567,a,unknown\n", today("a"), today("b")));
        let older = || {
            let mut ages = Ages::read(&folder, true).unwrap();
            let parts =
                |row: &[String]| if row[0] == "first" { vec!["a".into(), "b".into()] } else { vec!["a".into()] };
            let older = ages.older(&rows, parts).unwrap();
            assert!(!ages.changed("89ab", "a").unwrap());
            assert_eq!(ages.finish().unwrap().len(), 1, "a digest that is not kept is a finding");
            older
        };
        assert_eq!(older(), "1 of 2", "unknown code is another one");
        write("a.rs", "//! The first.\n\n/// A.\nfn a() {}\n\n#[cfg(test)]\nmod tests {\n}\n");
        assert_eq!(older(), "1 of 2", "comments and tests do not count");
        write("b/c.rs", "fn c() { a() }");
        assert_eq!(older(), "all");
        write("b/c.rs", "fn c() {}");
        write("a/d.rs", "");
        assert_eq!(older(), "all", "a new file counts");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
