//! Running the program.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

pub(crate) const SEED: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// What the system says of a file that is not there.
pub(crate) const ABSENT: &str = if cfg!(windows) { "(os error " } else { "No such file" };

/// What cannot be done to a folder in a file's place.
pub(crate) const FOLDER: [&str; 2] = ["cannot ", if cfg!(windows) { "open" } else { "read" }];

/// Where the system's entropy is read.
pub(crate) const ENTROPY: &[&str] = if cfg!(windows) { &["os"] } else { &["os", "dev-random", "dev-urandom"] };

pub(crate) fn samplez() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_samplez"));
    command.stdin(Stdio::null());
    command
}

/// Exit code, standard output, standard error.
pub(crate) fn outcome(output: Output) -> (Option<i32>, String, String) {
    let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Runs the program with arguments that are separated by spaces.
pub(crate) fn run(line: &str) -> (Option<i32>, String, String) {
    outcome(samplez().args(line.split_whitespace()).output().expect("the program starts"))
}

/// Runs the program and expects success and silence on standard error; returns its output.
pub(crate) fn succeed(line: &str) -> String {
    let (code, out, err) = run(line);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{line}");
    out
}

/// Runs the program and expects this exit code, an error that contains each of `words`, and
/// nothing on standard output.
pub(crate) fn fail(line: &str, expected: i32, words: &[&str]) {
    let (code, out, err) = run(line);
    assert_eq!((code, out.as_str()), (Some(expected), ""), "{line}\n{err}");
    for word in words {
        assert!(err.contains(word), "{line}\nexpected \"{word}\" in:\n{err}");
    }
    assert!(!err.contains("panicked"), "{line}\n{err}");
}

pub(crate) fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// Waits until a run has written to a file of this folder that has no name of its own yet, however long that takes, as long as the run lives.
#[cfg(unix)]
pub(crate) fn await_file(folder: &std::path::Path, child: &mut std::process::Child) {
    let is_written = |path: PathBuf| std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0);
    let unnamed = |entry: std::fs::DirEntry| {
        let target = std::fs::read_link(entry.path()).unwrap_or_default();
        target.starts_with(folder) && target.to_string_lossy().ends_with(" (deleted)") && is_written(entry.path())
    };
    let files = format!("/proc/{}/fd", child.id());
    while !std::fs::read_dir(&files).is_ok_and(|entries| entries.flatten().any(unnamed))
        && !names(folder).iter().any(|name| name.ends_with(".part") && is_written(folder.join(name)))
    {
        let ended = child.try_wait().expect("the run is known");
        assert!(ended.is_none(), "{ended:?}, and no temporary file in {:?}", names(folder));
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// The names in a folder, sorted.
pub(crate) fn names(folder: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is readable");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("an entry").file_name().into_string().expect("a UTF-8 name")).collect();
    names.sort();
    names
}
