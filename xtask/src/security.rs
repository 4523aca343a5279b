//! What a reviewer has to trust: docs/review.md's tables of `unsafe` in our code, whose reasons clippy demands, and of other people's crates.

use crate::promises;
use crate::tokens::{Token, tokens};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use xtask::files::{self, Findings};
use xtask::markers;

const FILE: &str = "docs/review.md";

/// Where ours is, and what for. It is nowhere else.
const ROOMS: [(&str, &str); 8] = [
    ("crates/samplez-core/src/arch", "vector instructions of tables and trials"),
    ("crates/samplez-sources/src/arch", "vector and AES instructions of the ciphers"),
    ("capi/src", "pointers that C gives"),
    ("web/wasm/src", "functions of JavaScript: entropy, written into the module's memory, and progress"),
    ("python/src", "NumPy's C interface for bit generators"),
    ("lab/ct/src", "requests to valgrind, an allocator that keeps freed blocks; a tool, not shipped"),
    ("lab/ct/emulated/src", "pointers that an emulator gives; a tool, not shipped"),
    ("lab/fuzz/src", "calls of the C interface, as a program makes them; a tool, not shipped"),
];

/// What the libraries take from others, and what for. A new one is written here by whoever has read why it is needed.
const NEEDS: [(&str, &str); 27] = [
    ("block-buffer", "part of `digest`"),
    ("bytemuck", "words seen as bytes"),
    ("cfg-if", "part of others"),
    ("chacha20", "HChaCha20 for the seed tree"),
    ("cipher", "traits of the ciphers"),
    ("cpufeatures", "which instructions the machine has"),
    ("crypto-common", "part of `cipher` and `digest`"),
    ("digest", "traits of the hashes"),
    ("getrandom", "the operating system's entropy"),
    ("hybrid-array", "part of `cipher` and `digest`"),
    ("inout", "part of `cipher`"),
    ("keccak", "part of `sha3`"),
    ("libc", "part of `getrandom` and `cpufeatures`"),
    ("libm", "logarithms of laws and bounds, the same everywhere"),
    ("num-bigint", "parameters and samples of any size, read and written in decimal"),
    ("num-integer", "part of `num-bigint`"),
    ("num-traits", "part of `num-bigint`"),
    ("rand", "a sampler as a distribution of `rand`; feature `rand`"),
    ("rand_core", "the traits of generators"),
    ("salsa20", "Salsa20"),
    ("serde", "recipes and certificates in files; feature `serde`"),
    ("serde_core", "part of `serde`"),
    ("sha2", "Hash_DRBG; a scheme's hash"),
    ("sha3", "the schemes' random oracles; feature `schemes`"),
    ("sponge-cursor", "part of `sha3`"),
    ("typenum", "part of `hybrid-array`"),
    ("zeroize", "erasing"),
];

/// Writes the tables, or with `check` compares them; in either case `unsafe` elsewhere is a finding.
pub(crate) fn run(root: &Path, check: bool) -> Findings {
    let (mut findings, unsafes) = ours(root)?;
    let (more, others) = others(root)?;
    findings.extend(more);
    let (more, promises) = promises::table(root, &files::read(&root.join("SECURITY.md"))?)?;
    findings.extend(more);
    let tables = [("promises", promises), ("unsafe", unsafes), ("dependencies", others)];
    findings.extend(markers::fill(root, FILE, "xtask gen-security", &tables, check)?);
    Ok(findings)
}

/// How often a file has blocks, functions and implementations that are unsafe.
#[derive(Default, PartialEq, Debug)]
struct Count {
    blocks: usize,
    functions: usize,
    implementations: usize,
}

impl Count {
    fn total(&self) -> usize {
        self.blocks + self.functions + self.implementations
    }
}

fn count(text: &str) -> std::io::Result<Count> {
    let mut count = Count::default();
    let found = tokens(text)?;
    for (i, (token, _)) in found.iter().enumerate() {
        if *token != Token::Word("unsafe") {
            continue;
        }
        let before = found[..i].last().map(|(token, _)| *token);
        match found.get(i + 1).map(|(token, _)| *token) {
            Some(Token::Mark('{')) => count.blocks += 1,
            // The type of a pointer to one is no code.
            Some(Token::Word("fn" | "extern")) if matches!(before, Some(Token::Mark(':' | '(' | '<' | ',' | '='))) => {}
            Some(Token::Word("fn" | "extern")) => count.functions += 1,
            Some(Token::Word("impl")) => count.implementations += 1,
            _ => {} // an attribute
        }
    }
    Ok(count)
}

/// What is in no room, and the table.
fn ours(root: &Path) -> std::io::Result<(Vec<String>, String)> {
    let mut findings = Vec::new();
    let mut rooms = BTreeMap::new();
    for part in ["crates", "capi", "web", "python", "examples", "lab", "xtask"] {
        for path in files::below(&root.join(part), "rs")? {
            let at = files::shown(root, &path);
            let count = count(&files::read(&path)?).map_err(|error| files::named(&path, &error))?;
            if count.total() == 0 || at.contains("/tests/") {
                continue;
            }
            match ROOMS.iter().position(|(room, _)| at.starts_with(room)) {
                Some(room) => {
                    let sum: &mut (Count, usize) = rooms.entry(room).or_default();
                    sum.0.blocks += count.blocks;
                    sum.0.functions += count.functions;
                    sum.0.implementations += count.implementations;
                    sum.1 += 1;
                }
                None => findings.push(format!("{at}: unsafe outside the rooms that are for it")),
            }
        }
    }
    let mut table =
        String::from("| where | files | blocks | functions | implementations | for |\n|---|--:|--:|--:|--:|---|\n");
    for (room, (count, files)) in &rooms {
        let ((path, what), Count { blocks, functions, implementations }) = (ROOMS[*room], count);
        table += &format!("| [{path}](../{path}) | {files} | {blocks} | {functions} | {implementations} | {what} |\n");
    }
    Ok((findings, table))
}

/// What nobody has written the use of, and the table.
fn others(root: &Path) -> std::io::Result<(Vec<String>, String)> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["tree", "--locked", "-e", "normal", "--target", "x86_64-unknown-linux-gnu"])
        .args(["--all-features", "--prefix", "none", "-f", "{p}", "-p", "samplez", "-p", "samplez-schemes"])
        .current_dir(root)
        .output()?;
    if !output.status.success() {
        return Err(std::io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let mut taken = BTreeMap::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        if let (Some(name), Some(version)) = (words.next(), words.next())
            && !name.starts_with("samplez")
        {
            taken.insert(name, version.trim_start_matches('v'));
        }
    }
    let mut findings = Vec::new();
    let mut table = String::from("| crate | version | `unsafe` | for |\n|---|---|--:|---|\n");
    for (name, version) in &taken {
        let need = NEEDS.iter().find(|(known, _)| known == name).map(|(_, need)| *need);
        if need.is_none() {
            findings.push(format!("{name} {version}: nobody has said what for; xtask/src/security.rs"));
        }
        let unsafes = match folder(name, version) {
            Some(folder) => unsafe_in(&folder)?.to_string(),
            None => return Err(std::io::Error::other(format!("{name} {version}: its text is not here: cargo fetch"))),
        };
        table += &format!("| `{name}` | {version} | {unsafes} | {} |\n", need.unwrap_or("?"));
    }
    for (name, _) in NEEDS {
        if !taken.contains_key(name) {
            findings.push(format!("{name}: is no dependency of the libraries any more; xtask/src/security.rs"));
        }
    }
    Ok((findings, table))
}

/// Where cargo has a crate's text.
fn folder(name: &str, version: &str) -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")))?;
    let registries = std::fs::read_dir(home.join("registry/src")).ok()?;
    registries.flatten().map(|entry| entry.path().join(format!("{name}-{version}"))).find(|path| path.exists())
}

fn unsafe_in(folder: &Path) -> std::io::Result<usize> {
    let mut sum = 0;
    for path in files::below(&folder.join("src"), "rs")? {
        sum += count(&files::read(&path)?).map_err(|error| files::named(&path, &error))?.total();
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_counted() {
        let of = |text: &str| {
            let count = count(text).unwrap();
            [count.blocks, count.functions, count.implementations]
        };
        assert_eq!(of("fn f() {\n    // SAFETY: it is.\n    unsafe { g() }\n}\n"), [1, 0, 0]);
        assert_eq!(of("/// # Safety\n///\n/// Never.\nunsafe fn f() {}\n"), [0, 1, 0]);
        assert_eq!(of("unsafe extern \"C\" fn f() {}\n"), [0, 1, 0]);
        assert_eq!(of("unsafe impl Send for X {}\nunsafe impl Sync for X {}\n"), [0, 0, 2]);
        assert_eq!(of("#[unsafe(no_mangle)]\n// unsafe { of no code }\nfn f() { \"unsafe {\"; }\n"), [0, 0, 0]);
        assert_eq!(of("struct S(unsafe fn());\n"), [0, 0, 0]);
    }
}
