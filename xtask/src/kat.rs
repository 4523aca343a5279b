//! The known-answer vectors are the files that `kat/SHA256SUMS` says.

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use xtask::files::{self, Findings};

pub(crate) fn check(root: &Path) -> Findings {
    let folder = root.join("kat");
    let sums = files::read(&folder.join("SHA256SUMS"))?;
    let readme = files::read(&folder.join("README.md"))?;
    Ok(compare(&sums, &readme, &vectors(&folder)?))
}

/// The files of the folder and its subfolders, by name, with their contents.
fn vectors(folder: &Path) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(current) = folders.pop() {
        for entry in std::fs::read_dir(&current).map_err(|e| files::named(&current, &e))? {
            let path = entry?.path();
            let name = files::shown(folder, &path);
            if path.is_dir() {
                folders.push(path);
            } else if !matches!(name.as_str(), "README.md" | "SHA256SUMS") {
                found.insert(name, std::fs::read(&path).map_err(|e| files::named(&path, &e))?);
            }
        }
    }
    Ok(found)
}

/// What is wrong between the list of sums, the description and the files.
fn compare(sums: &str, readme: &str, vectors: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let mut findings = Vec::new();
    let mut listed = BTreeMap::new();
    for (number, line) in sums.lines().enumerate() {
        match line.split_once("  ") {
            Some((sum, name)) => drop(listed.insert(name, sum)),
            None => findings.push(format!("kat/SHA256SUMS:{}: not «SUM, two spaces, NAME»", number + 1)),
        }
    }
    for (name, content) in vectors {
        let actual: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
        match listed.remove(name.as_str()) {
            None => findings.push(format!("kat/{name}: not in kat/SHA256SUMS")),
            Some(sum) if sum != actual => findings.push(format!("kat/{name}: SHA-256 is {actual}, listed is {sum}")),
            Some(_) => {}
        }
        if !readme.contains(name.as_str()) {
            findings.push(format!("kat/{name}: kat/README.md does not tell its origin"));
        }
    }
    findings.extend(listed.keys().map(|name| format!("kat/{name}: listed in kat/SHA256SUMS, but not there")));
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    // The digest of "abc": FIPS 180-4's example, and `printf abc | sha256sum`.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn every_disagreement_is_found() {
        let vectors = BTreeMap::from([("a/x.txt".to_owned(), b"abc".to_vec())]);
        let sums = format!("{ABC}  a/x.txt\n");
        let of = |sums: &str, readme: &str| compare(sums, readme, &vectors);
        assert_eq!(of(&sums, "about a/x.txt"), [""; 0]);
        assert_eq!(of(&sums, "about nothing").len(), 1);
        assert!(of(&sums.replace("ba78", "ba79"), "a/x.txt")[0].contains(ABC));
        assert!(of("", "a/x.txt")[0].contains("not in kat/SHA256SUMS"));
        assert!(of(&(sums.clone() + ABC + "  gone\n"), "a/x.txt")[0].contains("not there"));
        assert!(of(&(sums + "nonsense\n"), "a/x.txt")[0].contains("SHA256SUMS:2"));
    }
}
