//! Files appear whole or not at all; a failure has its exit code and leaves nothing behind.
#![cfg(unix)]

mod common;

use common::{fail, names, outcome, samplez, succeed};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A run of minutes.
const LONG: &str = "sample --sigma 3.2 --method karney --count 2e9 --threads 1 --format raw";

fn spawn(line: &str, out: &Path) -> Child {
    let mut command = samplez();
    command.args(line.split_whitespace()).arg("--out").arg(out);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until the child has begun its temporary file in the folder.
fn await_file(folder: &Path, child: &mut Child) {
    let start = Instant::now();
    while !names(folder).iter().any(|name| name.starts_with(".samplez-")) {
        if start.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
            panic!("no temporary file in {:?}", names(folder));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
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

/// A limit on the size of files stands in for a full disk.
#[test]
fn a_full_disk_is_an_error_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let script = "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_samplez")]);
    command.args("sample --sigma 3.2 --count 1e7 --quiet --out".split(' ')).arg(folder.path().join("x.npy"));
    let (code, out, err) = outcome(command.output().unwrap());
    assert_eq!((code, out.as_str()), (Some(3), ""), "{err}");
    assert!(err.contains("x.npy") && err.contains("File too large"), "{err}");
    assert!(names(folder.path()).is_empty());
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

#[test]
fn a_closed_pipe_has_its_own_exit_code() {
    let mut command = samplez();
    command.args("sample --sigma 3.2 --count 1e12".split(' '));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    let mut pipe = BufReader::new(child.stdout.take().unwrap());
    pipe.read_line(&mut line).unwrap();
    drop(pipe);
    assert!(line.trim().parse::<i64>().is_ok());
    let (code, _, err) = outcome(child.wait_with_output().unwrap());
    assert_eq!((code, err.lines().count()), (Some(4), 1), "{err}");
    assert!(err.contains("closed the pipe"), "{err}");
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
fn a_symbolic_link_stays_one() {
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("file.txt"), folder.path().join("link.txt"));
    fs::write(&file, "old").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    succeed(&format!("sample --sigma 3.2 --count 5 --quiet --out {}", link.display()));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 5);
}
