//! Bibliographic keys are in docs/papers.md, and files that documents and comments name exist. Links and anchors are checked by the site.

use std::collections::BTreeSet;
use std::path::Path;
use xtask::files::{self, Findings};

/// The most lines of a file: it has one job.
const LINES: usize = 600;

pub(crate) fn check(root: &Path, _: Option<&str>) -> Findings {
    let defined = defined_keys(&files::read(&root.join("docs/papers.md"))?);
    let ignored = files::read(&root.join(".gitignore"))?;
    let mut findings = Vec::new();
    for language in ["md", "rs", "py", "ts"] {
        for path in files::below(root, language)? {
            let text = files::read(&path)?;
            let mut found = Vec::new();
            if language == "md" || language == "rs" {
                let comments = comments(&text);
                let (prose, code) = if language == "md" { split(&text) } else { (comments, Vec::new()) };
                found.extend(missing_paths(root, &path, &[code, named_files(&prose)].concat(), &ignored));
                found.extend(unknown_keys(&prose, &defined));
            }
            let lines = text.lines().count();
            found.extend(
                (language != "md" && lines > LINES).then(|| format!("{lines} lines; a file has at most {LINES}")),
            );
            let at = files::shown(root, &path);
            findings.extend(found.into_iter().map(|finding| format!("{at}:{finding}")));
        }
    }
    Ok(findings)
}

/// The text with fenced blocks and inline code blanked; lines stay where they are.
pub(crate) fn without_code(text: &str) -> String {
    split(text).0
}

/// The prose of a text, and its inline code with the lines; fenced blocks are neither.
fn split(text: &str) -> (String, Vec<(usize, &str)>) {
    let (mut fenced, mut prose, mut code) = (false, String::with_capacity(text.len()), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        let is_fence = line.trim_start().starts_with("```");
        fenced ^= is_fence;
        if !fenced && !is_fence {
            // Odd pieces are between backticks; an unpaired backtick opens nothing.
            let pieces: Vec<&str> = line.split('`').collect();
            for (i, piece) in pieces.iter().enumerate() {
                if i % 2 == 0 || i + 1 == pieces.len() {
                    prose.push_str(piece);
                } else {
                    prose.push(CODE);
                    code.push((number, *piece));
                }
            }
        }
        prose.push('\n');
    }
    (prose, code)
}

/// The character that replaces inline code.
const CODE: char = '\u{fffc}';

/// The words of a text that are paths with an extension, with their lines.
fn named_files(text: &str) -> Vec<(usize, &str)> {
    let is_file = |word: &&str| {
        let extension = word.rsplit_once('/').and_then(|(_, name)| name.rsplit_once('.'));
        extension.is_some_and(|(_, end)| !end.is_empty() && end.bytes().all(|b| b.is_ascii_alphanumeric()))
    };
    let words = |line| str::split(line, |c: char| c.is_whitespace() || "`()[]|,;«»\"'#".contains(c));
    let numbered = text.lines().enumerate();
    numbered
        .flat_map(|(i, line)| words(line).map(move |w| (i + 1, w.trim_end_matches(['.', ':']))))
        .filter(|(_, word)| is_file(word))
        .collect()
}

/// The named paths that do not exist. A path begins with a folder of the repository, or with a crate and `src`. It may
/// also be relative to its document. Patterns, commands and ignored paths are left out.
fn missing_paths(root: &Path, document: &Path, named: &[(usize, &str)], ignored: &str) -> Vec<String> {
    let is_ignored = |span: &str| {
        ignored.lines().filter(|line| !line.is_empty()).any(|line| match line.strip_prefix('/') {
            Some(from_root) => Path::new(span).starts_with(from_root),
            None => span.split('/').any(|part| part == line),
        })
    };
    let is_missing = |span: &str| {
        let Some((first, rest)) =
            span.split_once('/').filter(|(first, _)| !first.is_empty() && !first.starts_with('.'))
        else {
            return false;
        };
        // `samplez/core` is an npm module; a path into a crate has its sources.
        let bases = [(root.to_path_buf(), true), (root.join("crates"), rest.starts_with("src/"))];
        let span = span.split(':').next().unwrap_or_default(); // without the lines: `x.rs:7-9`
        !span.contains(|c: char| c.is_whitespace() || "<>*{}…$()=".contains(c))
            && bases.iter().any(|(base, counts)| *counts && base.join(first).is_dir())
            && !bases.iter().any(|(base, _)| base.join(span).exists())
            && !document.with_file_name(span).exists()
            && !is_ignored(span)
    };
    let missing = named.iter().filter(|(_, span)| is_missing(span));
    missing.map(|(line, span)| format!("{line}: {span} does not exist")).collect()
}

/// The comments alone; lines stay where they are.
fn comments(text: &str) -> String {
    text.lines().map(|line| line.find("//").map_or("", |at| &line[at..]).to_owned() + "\n").collect()
}

/// `Kar16`, `BCGHW13`: a capital, more letters, two digits.
fn is_key(text: &str) -> bool {
    let letters = text.trim_end_matches(|c: char| c.is_ascii_digit());
    text.len() == letters.len() + 2
        && letters.len() >= 2
        && letters.starts_with(|c: char| c.is_ascii_uppercase())
        && letters.bytes().all(|b| b.is_ascii_alphabetic())
}

/// The bracketed keys of a text with their lines; rustdoc writes the brackets `\[` and `\]`.
fn keys(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for piece in line.split('[').skip(1) {
            if let Some((key, _)) = piece.split_once(']') {
                // "[Kar16, §4]" and "[Reg05; LP11]" cite too.
                let cited = key.split([',', ';']).map(|part| part.trim().trim_end_matches('\\'));
                found.extend(cited.filter(|part| is_key(part)).map(|part| (number + 1, part.to_owned())));
            }
        }
    }
    found
}

/// The keys that docs/papers.md defines: its list items that open with `**[Key]**`.
fn defined_keys(papers: &str) -> BTreeSet<String> {
    papers
        .lines()
        .filter_map(|line| line.strip_prefix("- **[")?.split_once("]**"))
        .map(|(key, _)| key.to_owned())
        .collect()
}

fn unknown_keys(text: &str, defined: &BTreeSet<String>) -> Vec<String> {
    let unknown = keys(text).into_iter().filter(|(_, key)| !defined.contains(key));
    unknown.map(|(line, key)| format!("{line}: [{key}] is not in docs/papers.md")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_and_judged() {
        let text = "as [Kar16], \\[DW18\\] and [Reg05; LP11], [Pre17, §3.3]\nnot [Unreleased], [x86], [1], [T32] or A[B12]\n[BCGHW13](x)";
        let found: Vec<String> = keys(text).into_iter().map(|(line, key)| format!("{line}{key}")).collect();
        assert_eq!(found, ["1Kar16", "1DW18", "1Reg05", "1LP11", "1Pre17", "3BCGHW13"]);
        let defined = defined_keys("- **[Kar16]** Karney.\n[DW18] is only cited\n");
        assert_eq!(unknown_keys("[Kar16] [DW18]", &defined), ["1: [DW18] is not in docs/papers.md"]);
    }

    #[test]
    fn code_is_no_prose_and_comments_are_no_code() {
        assert_eq!(without_code("a `[Kar16]` b\n```\n[DW18]\n```\nc ` d").trim_end(), "a \u{fffc} b\n\n\n\nc  d");
        assert_eq!(comments("x[Ab12] // [Kar16]\n"), "// [Kar16]\n");
    }

    #[test]
    fn files_in_prose_and_comments_are_found() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let gone = ["docs", "gone.md"].join("/"); // in pieces, lest this file name it
        let text = format!(
            "//! Proof: {gone}.\n// (docs/papers.md) kat/README.md#papers, a/b and 1/2.5, docs/book: docs/gone\n"
        );
        assert_eq!(named_files(&text), [(1, &gone[..]), (2, "docs/papers.md"), (2, "kat/README.md"), (2, "1/2.5")]);
        let missing = missing_paths(root, &root.join("Makefile"), &named_files(&text), "");
        assert_eq!(missing, [format!("1: {gone} does not exist")]);
    }

    #[test]
    fn missing_paths_are_found() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let of = |text: &str| {
            missing_paths(root, &root.join("docs/papers.md"), &split(text).1, "/target\n/web/dist\n.venv\n\n")
        };
        let there = "`xtask/src/docs.rs` `docs/book/` `samplez-core/src/lib.rs` `xtask/src/docs.rs:7-9` `book/gone` `samplez/core`";
        assert_eq!(of(there), [""; 0]);
        assert_eq!(missing_paths(root, &root.join("capi/README.md"), &[(1, "tests/c.rs")], ""), [""; 0]);
        assert_eq!(
            of("`docs/*.md` `docs/<name>.md` `docs/{a,b}.md` `cargo docs/x` `d/gone` `/docs/gone` docs/gone"),
            [""; 0]
        );
        assert_eq!(of("`target/x` `web/dist/x.js` `web/.venv/x`\n```\n`docs/gone`\n```\n"), [""; 0]);
        let gone = of("a `docs/gone.md`\nb `samplez-core/src/gone.rs` and `xtask/dist/x`");
        let named = ["1: docs/gone.md", "2: samplez-core/src/gone.rs", "2: xtask/dist/x"];
        assert_eq!(gone, named.map(|name| format!("{name} does not exist")));
    }
}
