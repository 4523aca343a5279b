//! The known-answer vectors and their sums.

use crate::files::{self, Findings};
use sha2::{Digest, Sha256};
use std::path::Path;

const SUMS: &str = "kat/SHA256SUMS";

/// Compares kat/SHA256SUMS with the files below kat/, each of which its README names.
pub fn check(root: &Path) -> Findings {
    let (sums, readme) = (files::read(&root.join(SUMS))?, files::read(&root.join("kat/README.md"))?);
    let (mut findings, mut folders, mut seen) = (Vec::new(), vec![root.join("kat")], 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = files::shown(&root.join("kat"), &path);
            if path.is_dir() {
                folders.push(path);
            } else if !["README.md", "SHA256SUMS"].contains(&name.as_str()) {
                seen += 1;
                if !sums.lines().any(|line| line == listed(&name, &std::fs::read(&path).unwrap_or_default())) {
                    findings.push(format!("kat/{name}: {SUMS} does not have its SHA-256"));
                }
                if !readme.contains(&name) {
                    findings.push(format!("kat/{name}: kat/README.md does not name its origin"));
                }
            }
        }
    }
    if sums.lines().count() != seen {
        findings.push(format!("{SUMS}: {} lines for {seen} files", sums.lines().count()));
    }
    Ok(findings)
}

/// Writes the sums of these files of kat/, which are in the list.
pub fn write(root: &Path, names: &[&str]) -> Findings {
    let mut sums = files::read(&root.join(SUMS))?;
    for name in names {
        let new = listed(name, &std::fs::read(root.join("kat").join(name))?);
        let lines = sums.lines().map(|line| if line.ends_with(&format!("  {name}")) { &new } else { line });
        sums = lines.map(|line| line.to_owned() + "\n").collect();
    }
    files::write(&root.join(SUMS), &sums)?;
    check(root)
}

/// A line of the list, in the format of `sha256sum`.
fn listed(name: &str, content: &[u8]) -> String {
    let sum: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{sum}  {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_disagreement_is_found() {
        let root = std::env::temp_dir().join(format!("samplez-kat-{}", std::process::id()));
        let put = |name: &str, text: &str| files::write(&root.join("kat").join(name), text).unwrap();
        put("a/x.txt", "abc");
        // FIPS 180-4's example, and `printf abc | sha256sum`.
        let sums = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a/x.txt\n";
        let found = |sums: &str, readme: &str| {
            put("SHA256SUMS", sums);
            put("README.md", readme);
            check(&root).unwrap().len()
        };
        assert_eq!(found(sums, "about a/x.txt"), 0);
        assert_eq!(found(sums, "about nothing"), 1);
        assert_eq!(found(&sums.replace("ba78", "ba79"), "a/x.txt"), 1);
        assert_eq!(found("", "a/x.txt"), 2);
        assert_eq!(found(&format!("{sums}0  gone\n"), "a/x.txt"), 1);
        assert_eq!(found("0  a/x.txt\n", "a/x.txt"), 1);
        assert_eq!(write(&root, &["a/x.txt"]).unwrap(), [""; 0]);
        assert_eq!(files::read(&root.join(SUMS)).unwrap(), sums);
        std::fs::remove_dir_all(root).unwrap();
    }
}
