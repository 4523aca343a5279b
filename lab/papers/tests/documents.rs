//! What the documents tell a user to type works, and prints what they show.
//!
//! In blocks of `sh`, the lines that begin with `samplez`, `samplez-lab`, `echo`, `cc` or `paste`, or pipe into `samplez`, are run, in one folder for
//! each document, and each target of a `make` has to exist; a line that ends in `\` goes on. A block whose first line is a comment with a file's name is
//! that file. In blocks of `text`, a line `$ samplez …` is run, and the lines below it have to come out in this order, others between them; `…` stands
//! for more. It takes seconds: the counts are those of the documents. Samples that a document draws without a seed get one: see
//! `fixtures/programs/samplez`.
#![cfg(unix)]

mod common;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The command, which is built beside `samplez-lab`.
fn samplez() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_samplez-lab")).with_file_name("samplez");
    assert!(program.exists(), "{} is missing: run cargo build -p samplez-cli", program.display());
    program
}

/// The fenced blocks of a language.
fn blocks<'a>(markdown: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("```{language}\n");
    let pieces = markdown.split(fence.as_str()).skip(1);
    pieces.map(|piece| piece.split("```").next().unwrap_or_default()).collect()
}

/// A folder, and a path on which the programs of `fixtures/programs` come first: the command, and what stands for others.
struct Shell {
    folder: tempfile::TempDir,
    path: String,
}

impl Shell {
    fn new() -> Shell {
        let folder = tempfile::tempdir().unwrap();
        let here = Path::new(env!("CARGO_BIN_EXE_samplez-lab")).parent().unwrap();
        let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/programs");
        let path = format!("{}:{}:{}", programs.display(), here.display(), std::env::var("PATH").unwrap());
        Shell { folder, path }
    }

    /// Exit code, standard output, standard error of a line.
    fn run(&self, line: &str) -> (Option<i32>, String, String) {
        let mut command = Command::new("sh");
        command.args(["-c", line]).env("PATH", &self.path).env("SAMPLEZ", samplez());
        command.current_dir(&self.folder).stdin(Stdio::null());
        common::outcome(command.output().unwrap())
    }
}

/// The blocks that begin with a comment that names a file.
fn files(markdown: &str) -> impl Iterator<Item = (&str, &str)> {
    let comments = [("c", "/* "), ("python", "# "), ("js", "// "), ("go", "// "), ("rust", "// ")];
    comments.into_iter().flat_map(move |(language, comment)| {
        blocks(markdown, language).into_iter().filter_map(move |block| {
            let name = block.lines().next()?.strip_prefix(comment)?.trim_end_matches(" */");
            let file = name.contains('.') && !name.ends_with('.') && !name.contains(['/', ' ']);
            file.then_some((name, block))
        })
    })
}

/// What does not work in a document.
fn failures(markdown: &str, targets: &[&str]) -> String {
    let shell = Shell::new();
    let mut wrong = String::new();
    for (name, text) in files(markdown) {
        fs::write(shell.folder.path().join(name), text).unwrap();
    }
    let commands: Vec<String> = blocks(markdown, "sh").iter().map(|block| block.replace("\\\n", "")).collect();
    for line in commands.iter().flat_map(|block| block.lines()) {
        if ["samplez ", "samplez-lab ", "echo ", "cc ", "paste "].iter().any(|program| line.starts_with(program))
            || line.contains("| samplez ")
        {
            let (code, _, err) = shell.run(line);
            if code != Some(0) {
                writeln!(wrong, "{line}\n{err}").unwrap();
            }
        } else if let Some(target) = line.strip_prefix("make ") {
            let target = target.split_whitespace().next().unwrap_or_default();
            if !targets.contains(&target) {
                writeln!(wrong, "{line}: no such target").unwrap();
            }
        }
    }
    for block in blocks(markdown, "text") {
        let mut lines = Vec::new().into_iter();
        for line in block.lines() {
            if let Some(command) = line.strip_prefix("$ ") {
                let (_, out, err) = shell.run(command);
                lines = (out + &err).lines().map(str::to_owned).collect::<Vec<_>>().into_iter();
            } else if line != "…" && !lines.by_ref().any(|other| other.trim_end() == line.trim_end()) {
                writeln!(wrong, "not printed, or not there: {line}").unwrap();
            }
        }
    }
    wrong
}

#[test]
fn the_documents_are_right() {
    let makefile = fs::read_to_string(root().join("Makefile")).unwrap();
    let targets: Vec<&str> = makefile.lines().filter_map(|line| Some(line.split_once(':')?.0)).collect();
    let others =
        ["README.md", "crates/samplez-cli/README.md", "docs/reproducing.md", "docs/sources.md", "docs/table-forms.md"];
    let mut documents: Vec<PathBuf> = others.map(|name| root().join(name)).into();
    documents.extend(fs::read_dir(root().join("docs/book")).unwrap().map(|entry| entry.unwrap().path()));
    let (mut commands, mut all) = (0, String::new());
    for document in documents.iter().filter(|path| path.extension().is_some_and(|e| e == "md")) {
        let markdown = fs::read_to_string(document).unwrap();
        commands += blocks(&markdown, "sh").len();
        let wrong = failures(&markdown, &targets);
        if !wrong.is_empty() {
            writeln!(all, "{}:\n{wrong}", document.display()).unwrap();
        }
    }
    assert!(all.is_empty(), "{all}");
    assert!(commands > 5);
}

#[test]
fn what_is_wrong_is_found() {
    for (markdown, what) in [
        ("```sh\nsamplez sample --sigma 0 --count 1\n```\n", "sigma = 0"),
        ("```sh\nsamplez sample --count 1 \\\n  --sigma 0\n```\n", "sigma = 0"),
        ("```sh\nsamplez dice\n```\n", "there is no such command"),
        ("```sh\nmake tea   # now\n```\n", "make tea   # now: no such target"),
        (
            "```text\n$ samplez certify --sigma 3.2 --method karney\ntiming   constant\n```\n",
            "there: timing   constant",
        ),
        ("```text\n$ samplez sources\nchacha20\n```\n", "there: chacha20"),
        ("```c\n/* x.c */\nint main(void) { return y; }\n```\n```sh\ncc x.c -o x\n```\n", "undeclared"),
        ("```text\nout of nowhere\n```\n", "there: out of nowhere"),
    ] {
        let wrong = failures(markdown, &["coffee"]);
        assert!(wrong.contains(what), "{markdown}{wrong}");
    }
    let right = "```c\n/* x.c */\nint main(void) { return 0; }\n```\n```sh\ncc x.c -o x\nsamplez sample --sigma 3 --count 9 --quiet > x.txt # to a file\nsamplez plot x.txt --sigma 3\n\
                 samplez bytes --source os | dieharder -a\nmake coffee\n```\n\
                 ```text\n$ samplez sample --sigma 1/1000 --count 2 --quiet\n0\n…\n```\n";
    assert_eq!(failures(right, &["coffee"]), "");
}
