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

/// Eight runs write one file at once: it is whole, of one of them. Of eight that make keys of one name, one does, and its two keys fit.
#[test]
fn of_many_writers_one_is_last_and_one_makes_the_keys() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let together = |line: &dyn Fn(usize) -> String| -> Vec<_> {
        let runs: Vec<Child> = (1..=8).map(|i| begin(&line(i))).collect();
        runs.into_iter().map(|mut run| run.wait().unwrap().code()).collect()
    };
    let of = |i: usize, name: &str| line(&at(name)).replace(SEED, &i.to_string());
    let whole: Vec<Vec<u8>> = (1..=8).map(|i| (succeed(&of(i, "own")), fs::read(at("own")).unwrap()).1).collect();
    assert_eq!(together(&|i| of(i, "shared")), [Some(0); 8]);
    assert!(whole.contains(&fs::read(at("shared")).unwrap()));
    fs::write(at("text"), "0123456789abcdef").unwrap();
    let (key, public) = (at("key"), at("public"));
    let keygen = format!("scheme lp11 keygen --set ring-256 --quiet --secret {key} --public");
    let codes = together(&|i| format!("{keygen} {public} --seed {i}"));
    assert_eq!(codes.iter().filter(|code| **code == Some(0)).count(), 1, "{codes:?}");
    succeed(&format!("scheme lp11 encrypt {} --public {public} --out {} --quiet", at("text"), at("box")));
    succeed(&format!("scheme lp11 decrypt {} --secret {key} --out {}", at("box"), at("open")));
    assert_eq!(fs::read(at("open")).unwrap(), b"0123456789abcdef");
    // A public key of theirs all, and a secret key for each: what loses leaves nothing.
    let codes = together(&|i| format!("{} {} --seed {i}", keygen.replace(&key, &at(&format!("k{i}"))), at("one")));
    let won = codes.iter().position(|code| *code == Some(0)).unwrap() + 1;
    assert_eq!(codes.iter().filter(|code| **code == Some(2)).count(), 7, "{codes:?}");
    let mut expected = ["box", "key", "one", "open", "own", "public", "shared", "text"].map(String::from).to_vec();
    expected.push(format!("k{won}"));
    expected.sort();
    assert_eq!(names(folder.path()), expected);
}

/// The day's clock jumps at every look, before 1970 and beyond 2262 too. Only a seed from the time looks at it.
#[test]
#[cfg(target_os = "linux")]
fn a_clock_that_jumps_changes_nothing() {
    let [tools, usual, jumped] = [0; 3].map(|_| tempfile::tempdir().unwrap());
    let shim = "#include <sys/syscall.h>\n#include <time.h>\n#include <unistd.h>\nint clock_gettime(clockid_t id, struct timespec *t) {\n\
                static const time_t steps[] = {0, -5, 1L << 40, 1800000000, -(1L << 40)}; static unsigned n;\n\
                long end = syscall(SYS_clock_gettime, id, t);\n\
                if (id == CLOCK_REALTIME) t->tv_sec = steps[n++ % 5], write(2, \"look\", 4);\nreturn end; }";
    fs::write(tools.path().join("shim.c"), shim).unwrap();
    let mut compiler = std::process::Command::new("cc");
    let built = compiler.args(["-shared", "-fPIC", "-w", "-o", "shim.so", "shim.c"]).current_dir(&tools).status();
    assert!(built.unwrap().success());
    let shim = tools.path().join("shim.so");
    for line in [
        "sample --sigma 3.2 --count 100000 --seed 1",
        "sample --sigma 3.2 --count 100000 --seed 1 --out x.npy",
        "verify x.npy --sigma 3.2",
        "watch x.npy --sigma 3.2 --state s",
        "scheme lp11 keygen --set ring-256 --secret k --public k.pub --seed 1",
    ] {
        let [with, without] = [(&jumped, shim.as_path()), (&usual, Path::new(""))].map(|(folder, preload)| {
            let output =
                samplez().args(line.split(' ')).current_dir(folder).env("LD_PRELOAD", preload).output().unwrap();
            (
                output,
                names(folder.path()).iter().map(|name| fs::read(folder.path().join(name)).unwrap()).collect::<Vec<_>>(),
            )
        });
        // Notes contain how long a run took.
        assert!(with.0.status.success() && with.0.stdout == without.0.stdout && with.1 == without.1, "{line}");
        assert!(!with.0.stderr.windows(4).any(|part| part == b"look"), "{line} looks at the day's clock");
    }
    let mut command = samplez();
    let output = command
        .args("sample --sigma 3.2 --count 9 --seed-from insecure-time".split(' '))
        .env("LD_PRELOAD", shim)
        .output();
    let output = output.unwrap();
    assert!(output.status.success() && output.stderr.windows(4).any(|part| part == b"look"), "the clock does not jump");
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
