//! `kat/SHA256SUMS`: the lines of files that were written.

use sha2::{Digest, Sha256};
use std::path::Path;
use xtask::files::{self, Findings};

const FILE: &str = "kat/SHA256SUMS";

/// Writes the sums of these files of kat/, which are in the list.
pub(crate) fn write(root: &Path, names: &[&str]) -> Findings {
    let mut sums = files::read(&root.join(FILE))?;
    let mut findings = Vec::new();
    for name in names {
        match replaced(&sums, name, files::read(&root.join("kat").join(name))?.as_bytes()) {
            Some(new) => sums = new,
            None => findings.push(format!("{FILE}: has no line for {name}")),
        }
    }
    files::write(&root.join(FILE), &sums)?;
    Ok(findings)
}

/// The list with this file's sum, if it has a line for it.
fn replaced(sums: &str, name: &str, content: &[u8]) -> Option<String> {
    let is_of = |line: &&str| line.split_once("  ").is_some_and(|(_, of)| of == name);
    let old = sums.lines().find(is_of)?;
    let sum: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
    Some(sums.replace(&format!("{old}\n"), &format!("{sum}  {name}\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    // The digest of "abc": FIPS 180-4's example.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn one_line_is_replaced() {
        let new = replaced("1  a.csv\n2  ba.csv\n", "a.csv", b"abc");
        assert_eq!(new, Some(format!("{ABC}  a.csv\n2  ba.csv\n")));
        assert_eq!(replaced("2  ba.csv\n", "a.csv", b"abc"), None);
    }
}
