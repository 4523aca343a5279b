//! Files appear whole or not at all; a failure has its exit code and leaves nothing behind.
#![cfg(unix)]

use crate::common::{await_file, fail, names, outcome, samplez, succeed};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A run of minutes, by the slowest method, so that its file is not large.
const LONG: &str = "sample --sigma 3.2 --method rejection --count 2e8 --threads 1 --format raw --dtype i8";

fn spawn(line: &str, out: &Path) -> Child {
    let mut command = samplez();
    command.args(line.split_whitespace()).arg("--out").arg(out);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args(["-s", name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
fn signals_leave_no_file() {
    for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = spawn(LONG, &folder.path().join("x.raw"));
        await_file(folder.path(), &mut child);
        signal(&child, name);
        let (got, out, err) = outcome(child.wait_with_output().unwrap());
        assert_eq!((got, out.as_str()), (Some(code), ""), "{name}: {err}");
        assert!(err.contains("nothing was written") && err.lines().count() == 1, "{err}");
        assert!(names(folder.path()).is_empty(), "{name} left {:?}", names(folder.path()));
    }
}

#[test]
fn a_failed_run_keeps_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.raw");
    fs::write(&path, "precious").unwrap();
    let mut child = spawn(LONG, &path);
    await_file(folder.path(), &mut child);
    signal(&child, "INT");
    assert_eq!(outcome(child.wait_with_output().unwrap()).0, Some(130));
    assert_eq!((names(folder.path()), fs::read(&path).unwrap()), (vec!["x.raw".to_string()], b"precious".to_vec()));

    succeed(&format!("sample --sigma 3.2 --count 5 --format raw --quiet --out {}", path.display()));
    assert_eq!((names(folder.path()), fs::read(&path).unwrap().len()), (vec!["x.raw".to_string()], 5));
}

/// The command under a limit on the size of files, in blocks of 512 bytes (1024 in some shells), as it is begun by any shell.
fn limited(line: &str, folder: &Path) -> (Option<i32>, String, String) {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -f 64; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_samplez")]);
    outcome(command.args(line.split(' ')).current_dir(folder).stdin(Stdio::null()).output().unwrap())
}

#[test]
fn what_does_not_fit_is_refused_before_the_first_byte() {
    let folder = tempfile::tempdir().unwrap();
    for line in ["sample --sigma 3.2 --count 1e7 --out x.npy", "sample --sigma 3.2 --count 1e7 --out x.txt"] {
        let (code, out, err) = limited(line, folder.path());
        assert_eq!((code, out.as_str(), err.lines().count()), (Some(3), "", 1), "{err}");
        assert!(
            err.contains("cannot write x.") && err.contains("the output has at least") && err.contains(" fit"),
            "{err}"
        );
    }
    // No disk has as many bytes.
    let out = folder.path().join("x.raw");
    fail(
        &format!("sample --sigma 3.2 --count 9e18 --out {}", out.display()),
        3,
        &["x.raw", "9,000,000,000,000,000,000 bytes"],
    );
    let file = fs::File::create(&out).unwrap();
    let mut command = samplez();
    command.args("sample --sigma 3.2 --count 9e18 --format raw".split(' '));
    let (code, _, err) = outcome(command.stdout(file).output().unwrap());
    assert!(code == Some(3) && err.contains("cannot write standard output: the output has at least"), "{err}");
    assert_eq!((names(folder.path()), fs::read(&out).unwrap().len()), (vec!["x.raw".to_string()], 0));
}

/// How long the text will be is not known before; the limit stands in for a full disk.
#[test]
fn a_full_disk_is_an_error_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let line = "sample --sigma 1e12 --count 10000 --quiet --format text";
    let (code, out, err) = limited(&format!("{line} --out x.txt"), folder.path());
    assert_eq!((code, out.as_str()), (Some(3), ""), "{err}");
    assert!(err.contains("x.txt") && err.contains("File too large") && err.contains("ulimit -f"), "{err}");
    assert!(names(folder.path()).is_empty());

    let script = format!("ulimit -f 64; exec {} {line} > y.txt", env!("CARGO_BIN_EXE_samplez"));
    let (code, _, err) = outcome(Command::new("sh").args(["-c", &script]).current_dir(&folder).output().unwrap());
    assert_eq!(code, Some(3), "{err}");
    assert!(err.contains("standard output: File too large"), "{err}");
}

#[test]
#[cfg(target_os = "linux")]
fn full_devices_are_errors_on_every_way() {
    let full = Path::new("/dev/full");
    let child = spawn("sample --sigma 3.2 --count 10 --format raw", full);
    let (code, _, err) = outcome(child.wait_with_output().unwrap());
    assert_eq!(code, Some(3), "{err}");
    assert!(err.contains("/dev/full") && err.contains("No space left"), "{err}");
    assert!(!fs::symlink_metadata(full).unwrap().is_file(), "a device was replaced by a file");

    for line in [
        "sample --sigma 3.2 --count 10",
        "sample --sigma 3.2 --count 10 --format raw",
        "sample --sigma 3.2 --count 1e6 --format raw",
        "certify --sigma 3.2",
        "methods",
        "sources",
        "--help",
    ] {
        let device = fs::File::options().write(true).open(full).unwrap();
        let output = samplez().args(line.split_whitespace()).stdout(device).output().unwrap();
        let (code, _, err) = outcome(output);
        assert_eq!(code, Some(3), "{line}: {err}");
        assert!(err.contains("standard output") && err.contains("No space left"), "{line}: {err}");
    }
}

/// Whoever closes the pipe has enough: nothing is said, by no command.
#[test]
fn a_closed_pipe_is_silent() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("centers.txt"), "1/3\n").unwrap();
    succeed(&format!("sample --sigma 3.2 --count 1000 --quiet --out {}", at("x.npy").display()));
    for line in [
        "sample --sigma 3.2 --count 1e12",
        "sample --sigma 3.2 --count 1e12 --format npy --quiet",
        "round centers.txt --sigma 3 --count 1e12",
        "bytes --source chacha8 --count 1e15",
        "verify x.npy --sigma 3.2",
        "verify x.npy --sigma 3.2 --json",
        "plot x.npy --sigma 3.2",
        "certify --sigma 3.2",
        "table --sigma 3.2 --emit rust",
        "methods",
        "plan --sigma 3.2",
        "sources",
        "scheme sets",
        "bench sample --sigma 3.2 --count 1000",
        "completions zsh",
        "man",
        "--help",
        "sample --help",
        "--version",
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = samplez();
        let output = command.current_dir(&folder).args(line.split(' ')).stdout(writer).output().unwrap();
        let (code, _, err) = outcome(output);
        assert_eq!((code, err.as_str()), (Some(141), ""), "{line}");
    }
    // And where the first lines have been read.
    let mut child = samplez();
    child.args("sample --sigma 3.2 --count 1e12".split(' '));
    let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    let mut pipe = BufReader::new(child.stdout.take().unwrap());
    pipe.read_line(&mut line).unwrap();
    drop(pipe);
    assert!(line.trim().parse::<i64>().is_ok());
    let (code, _, err) = outcome(child.wait_with_output().unwrap());
    assert_eq!((code, err.as_str()), (Some(141), ""));
}

/// Data that would go nowhere is an error; a report that nobody reads is none, for its exit code says enough.
#[test]
fn a_closed_standard_output_drops_data_with_a_note() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("centers.txt"), "1/3\n").unwrap();
    let run = |line: &str, redirection: &str| {
        let script = format!("exec {} {line} {redirection}", env!("CARGO_BIN_EXE_samplez"));
        outcome(Command::new("sh").args(["-c", &script]).current_dir(&folder).stdin(Stdio::null()).output().unwrap())
    };
    for line in [
        "sample --sigma 3.2 --count 10 --seed 1",
        "sample --sigma 3.2 --count 10 --format npy --seed 1",
        "round centers.txt --sigma 3 --seed 1",
        "bytes --source chacha8 --count 10",
        "table --sigma 3.2 --emit c",
    ] {
        let (code, _, err) = run(line, ">&-");
        assert_eq!(code, Some(0), "{line}: {err}");
        let note = "note: standard output is closed, or /dev/null";
        assert!(err.contains(note), "{line}: {err}");
        // As a program that drops the output has it, for reading too.
        let (code, _, err) = run(line, "1<> /dev/null");
        assert!(code == Some(0) && err.contains(note), "{line}: {err}");
        let (code, _, err) = run(line, "> /dev/null");
        assert!(code == Some(0) && !err.contains(note), "{line}: {err}");
        if !line.contains("npy") && !line.contains("bytes") {
            let without = run(line, "| cat").1;
            assert!(
                ["--out -", "--out=-"].iter().all(|dash| run(&format!("{line} {dash}"), "| cat").1 == without),
                "{line}"
            );
        }
    }
    assert!(!folder.path().join("-").exists());
    assert_eq!(run("sample --sigma 3.2 --count 10 --out x.txt --quiet", ">&-"), (Some(0), "".into(), "".into()));
    assert_eq!(run("certify --sigma 3.2", ">&-").0, Some(0));
    assert_eq!(run("sample --sigma 3.2 --count 10", "2>&- | wc -l").1.trim(), "10");
}

#[test]
fn places_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing/x.npy");
    fail(&format!("sample --sigma 3.2 --count 5 --out {}", missing.display()), 3, &["missing/x.npy", "No such file"]);
    let directory = folder.path().join("d.npy");
    fs::create_dir(&directory).unwrap();
    fail(&format!("sample --sigma 3.2 --count 5 --out {}", directory.display()), 3, &["d.npy", "is a directory"]);
    let locked = folder.path().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o500)).unwrap();
    // The superuser may write anywhere: for them the kernel's own folder has to do.
    let forbidden = if fs::write(locked.join("probe"), "").is_ok() { Path::new("/proc").to_path_buf() } else { locked };
    fail(
        &format!("sample --sigma 3.2 --count 5 --out {}", forbidden.join("x.npy").display()),
        3,
        &["cannot write", "x.npy"],
    );
}

#[test]
fn a_new_file_has_the_permissions_of_any_new_file() {
    let folder = tempfile::tempdir().unwrap();
    let (ours, any) = (folder.path().join("x.txt"), folder.path().join("any"));
    succeed(&format!("sample --sigma 3.2 --count 5 --quiet --out {}", ours.display()));
    fs::write(&any, "").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&ours), mode(&any));
}

#[test]
fn a_file_that_is_replaced_keeps_its_permissions_and_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.txt");
    for mode in [0o600, 0o640, 0o666, 0o755] {
        fs::write(&path, "precious").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let line = format!("sample --sigma 3.2 --count 5 --out {}", path.display());
        let (code, _, err) = crate::common::run(&line);
        assert!(
            code == Some(0) && err.starts_with("note: ") && err.contains("x.txt exists (8 bytes), and is replaced"),
            "{err}"
        );
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, mode);
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 5);
        // Quiet, and for the next one.
        succeed(&format!("{line} --quiet"));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, mode);
    }
    // What may not be written may not be replaced; the superuser may write anything.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).unwrap();
    if fs::File::options().write(true).open(&path).is_err() {
        fail(&format!("sample --sigma 3.2 --count 9 --out {}", path.display()), 3, &["x.txt", "Permission denied"]);
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 5);
    }
}

#[test]
fn a_symbolic_link_stays_one_wherever_it_leads() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("d")).unwrap();
    fs::write(at("file.txt"), "old").unwrap();
    for (link, target) in [("live.txt", "file.txt"), ("dangling.txt", "d/new.txt")] {
        std::os::unix::fs::symlink(target, at(link)).unwrap();
        succeed(&format!("sample --sigma 3.2 --count 5 --quiet --out {}", at(link).display()));
        assert!(fs::symlink_metadata(at(link)).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(at(target)).unwrap().lines().count(), 5, "{link}");
    }
    std::os::unix::fs::symlink("loop.txt", at("loop.txt")).unwrap();
    fail(
        &format!("sample --sigma 3.2 --count 5 --out {}", at("loop.txt").display()),
        3,
        &["loop.txt", "leads nowhere"],
    );
    assert_eq!(names(&at("d")), ["new.txt"]);
}

/// On Linux nothing, as its file has no name; what another system or version has left is removed.
#[test]
fn what_a_killed_run_left_is_named_and_removed_by_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("x.raw"), folder.path().join("y.raw"));
    let mut child = spawn(LONG, &path);
    await_file(folder.path(), &mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    fs::write(folder.path().join(".x.raw.samplez-abcdef.part"), "left").unwrap();
    let left = names(folder.path());
    assert!(!cfg!(target_os = "linux") || left.len() == 1, "{left:?}");
    // A run that lives keeps its file, whoever else writes to the name.
    let mut living = spawn(LONG, &path);
    await_file(folder.path(), &mut living);
    succeed(&format!("sample --sigma 3.2 --count 5 --quiet --out {}", other.display()));
    let (code, _, err) = crate::common::run(&format!("sample --sigma 3.2 --count 5 --out {}", path.display()));
    assert_eq!(code, Some(0), "{err}");
    signal(&living, "INT");
    let (_, _, note) = outcome(living.wait_with_output().unwrap());
    let note = note.lines().next().unwrap_or_default();
    assert_eq!(note, "note: .x.raw.samplez-abcdef.part, left by a run that was killed, is removed");
    assert_eq!(names(folder.path()), ["x.raw", "y.raw"]);
}
