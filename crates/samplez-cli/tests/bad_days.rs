//! Days on which processes die at any moment, pipes are slow, and there are more threads than processors. Each system call
//! that fails alone is in `faults.rs`, full disks and closed pipes are in `whole_or_nothing.rs`.
#![cfg(unix)]

use crate::common::{SEED, await_file, names, samplez, succeed};
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const COUNT: usize = 3_000_000;

/// Samples of a run of minutes by the slowest method, in place of [`COUNT`].
const LONG: &str = "200000000 --method rejection --threads 1";

/// Makes the file, `COUNT` bytes, in some hundredths of a second.
fn line(path: &str) -> String {
    format!("sample --sigma 3.2 --count {COUNT} --format raw --dtype i8 --seed {SEED} --quiet --out {path}")
}

fn begin(line: &str) -> Child {
    samplez().args(line.split(' ')).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

/// Begins a run, and waits until it writes.
fn begin_to_write(line: &str, folder: &Path) -> Child {
    let mut child = begin(line);
    await_file(folder, &mut child);
    child
}

/// A hundred runs, each killed a little later than the one before until one lives to its end, and so on: what stands under the name is
/// the old file whole or the new one whole, and one run that lives removes whatever the dead have left. On Linux that is nothing, but for the
/// moment in which a file has both names.
///
/// When a run is killed depends on the machine's load, and so does how far it has come. The runs go on, at finer and finer moments, until
/// enough have died.
#[test]
fn whenever_it_is_killed_the_file_is_the_old_one_or_the_new() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.raw");
    let line = line(path.to_str().unwrap());
    let start = Instant::now();
    succeed(&line);
    let mut step = start.elapsed() / 30;
    let (old, new) = (vec![b'o'; 1000], fs::read(&path).unwrap());
    let (mut died, mut lived) = (0, 0);
    let mut pause = Duration::ZERO;
    let mut child = begin_to_write(&line.replace(&COUNT.to_string(), LONG), folder.path());
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success());
    let left = names(folder.path());
    assert!(!cfg!(target_os = "linux") || left.len() == 1, "{left:?}");
    assert!(fs::read(&path).unwrap() == new, "the old file is whole");
    succeed(&line);
    assert_eq!(names(folder.path()).len(), 1);
    while died + lived < 100 || died <= 20 {
        fs::write(&path, &old).unwrap();
        let mut child = begin(&line);
        std::thread::sleep(pause);
        child.kill().unwrap();
        let status = child.wait().unwrap();
        let now = fs::read(&path).unwrap();
        assert!(now == old || now == new, "{} bytes after {pause:?}, {status}", now.len());
        assert!(!status.success() || now == new, "success without the file, after {pause:?}");
        if status.success() {
            // All moments were tried: again from the beginning, and closer to each other.
            (lived, pause, step) = (lived + 1, Duration::ZERO, step * 3 / 4);
        } else {
            (died, pause) = (died + 1, pause + step);
        }
    }
    let (code, _, note) = crate::common::run(&line.replace("--quiet ", ""));
    assert!(code == Some(0), "{note}");
    assert_eq!(fs::read(&path).unwrap(), new);
    assert_eq!(names(folder.path()).len(), 1, "{note}");
}

/// Who reads slowly gets the same bytes, in the end.
#[test]
fn a_slow_reader_gets_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.raw");
    succeed(&line(path.to_str().unwrap()));
    let whole = line("");
    let mut child = begin(whole.strip_suffix(" --out ").unwrap());
    let (mut pipe, mut got) = (child.stdout.take().unwrap(), Vec::new());
    let mut part = [0; 4099];
    loop {
        let length = pipe.read(&mut part).unwrap();
        if length == 0 {
            break;
        }
        got.extend_from_slice(&part[..length]);
        if got.len() < 200_000 {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    assert!(child.wait().unwrap().success());
    assert_eq!(got, fs::read(path).unwrap());
}

/// Many runs at once, of 64 threads each: none fails, and all make the same file.
#[test]
fn more_threads_than_processors_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    succeed(&line(&at("one")));
    let names: Vec<String> = (0..8).map(|i| at(&format!("many-{i}"))).collect();
    let runs: Vec<Child> = names.iter().map(|name| begin(&format!("{} --threads 64", line(name)))).collect();
    for mut run in runs {
        assert!(run.wait().unwrap().success());
    }
    let one = fs::read(at("one")).unwrap();
    for name in names {
        assert_eq!(fs::read(&name).unwrap(), one, "{name}");
    }
}

/// Pieces that workers make, one of which dies twice and is begun again by another: together they are the whole.
#[test]
fn a_worker_that_dies_twice_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let piece = |index: usize, count: &str, name: &str| {
        format!(
            "sample --sigma 3.2 --block {index} --count {count} --format raw --dtype i8 --seed {SEED} --quiet --out {}",
            at(name)
        )
    };
    succeed(&line(&at("whole")));
    let mut pieces = Vec::new();
    for index in 0..4 {
        let name = format!("piece-{index}");
        for _ in 0..if index == 2 { 2 } else { 0 } {
            let mut worker = begin_to_write(&piece(index, LONG, &name), folder.path());
            worker.kill().unwrap();
            assert!(!worker.wait().unwrap().success(), "no worker died");
        }
        succeed(&piece(index, &(COUNT / 4).to_string(), &name));
        pieces.extend(fs::read(at(&name)).unwrap());
    }
    assert!(pieces == fs::read(at("whole")).unwrap(), "the pieces are not the whole");
}

/// A table that does not fit: a message, the code that the README has, and no file.
#[test]
#[cfg(target_os = "linux")]
fn without_memory_there_is_a_message_and_no_file() {
    use std::os::unix::process::ExitStatusExt;
    let folder = tempfile::tempdir().unwrap();
    let limited = "ulimit -c 0 && ulimit -v 150000 && exec \"$0\" sample --sigma 1e5 --method knuth-yao --precision 256 --variable-time \
                   --count 10 --seed 1 --out x.npy";
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", limited, env!("CARGO_BIN_EXE_samplez")]).env_remove("RUST_BACKTRACE").current_dir(folder.path());
    let output = shell.output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    let first = message.lines().next().unwrap_or_default();
    assert!(first.starts_with("memory allocation of ") && first.ends_with(" bytes failed"), "{message}");
    // A shell has it as 134.
    assert_eq!(output.status.signal(), Some(6));
    assert_eq!(names(folder.path()), [""; 0]);
    assert!(include_str!("../README.md").contains("\n| 134 | out of memory: "));
    let help = samplez().arg("--help").output().unwrap().stdout;
    assert!(String::from_utf8_lossy(&help).contains("\n  134  out of memory: "));
}

/// On a terminal a set-up of seconds shows that it is at work, and a short one shows nothing.
#[test]
#[cfg(target_os = "linux")]
fn a_long_setup_is_shown_on_a_terminal() {
    let shown = |law: &str| {
        let line = format!("{} certify {law} --method cdt --precision 256", env!("CARGO_BIN_EXE_samplez"));
        let mut script = std::process::Command::new("script");
        script.args(["-qec", &line, "/dev/null"]).stdin(Stdio::null()).env("TERM", "xterm");
        let output = script.output().expect("script, of Debian's bsdutils");
        assert!(output.status.success());
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let long = shown("--sigma 200000");
    assert!(
        long.contains("building the sampler, ") && long.contains("Ctrl-C stops it") && long.contains("2^"),
        "{long}"
    );
    assert!(!shown("--sigma 3.2").contains("building"));
}
