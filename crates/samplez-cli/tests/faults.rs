//! System calls fail on purpose: each call of a command fails once, in turn, and at each the command is killed once. Whatever happens, what
//! the folder had is whole, what is new is whole or not there, and a failure is one line and an exit code. strace plants the faults.
#![cfg(target_os = "linux")]

use crate::common::{names, outcome};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// A command, and what it writes.
struct Case {
    line: &'static str,
    /// Files that it makes or replaces; each folder has "old" in them before, but for keys, and for those among the inputs.
    written: &'static [&'static str],
    /// Whether they may not be there before.
    new: bool,
}

const fn writes(line: &'static str, written: &'static [&'static str]) -> Case {
    Case { line, written, new: false }
}

/// All are short, seeded, and their data the same in every run.
const CASES: &[Case] = &[
    writes("sample --sigma 3.2 --count 100 --seed 1 --out x.npy", &["x.npy"]),
    writes("sample --sigma 3.2 --count 20000 --seed 1 --out x.csv --quiet", &["x.csv"]),
    writes("sample --sigma 3.2 --count 100 --seed 1", &[]),
    writes("sample --sigma 3.2 --count 100 --seed-from file:centers.txt --format raw", &[]),
    writes("round centers.txt --sigma 3 --seed 1 --out r.npy", &["r.npy"]),
    writes("bytes --source ctr-drbg-aes256 --seed 1 --count 1000", &[]),
    writes("verify samples.npy --sigma 3.2", &[]),
    writes("verify samples.txt --sigma 3.2 --json", &[]),
    writes("verify samples.npy --against samples.txt", &[]),
    writes("watch samples.npy --sigma 3.2 --state state", &["state"]),
    writes("plot samples.npy --sigma 3.2 --out p.svg", &["p.svg"]),
    writes("plot samples.txt --sigma 3.2 --out p.png --quiet", &["p.png"]),
    writes("table --sigma 3.2 --emit c --out t.h", &["t.h"]),
    writes("certify --sigma 3.2 --precision 64 --json", &[]),
    writes("completions bash", &[]),
    Case {
        line: "scheme regev keygen --set mr09-136 --secret k --public k.pub --seed 1",
        written: &["k", "k.pub"],
        new: true,
    },
    writes("scheme lp11 encrypt text --public box.pub --seed 1 --out text.box", &["text.box"]),
    writes("scheme lp11 decrypt text.sealed --secret box --out text.open", &["text.open"]),
];

/// Calls that fail only where the caller is wrong, or cannot: of memory that is there, of signals, of threads that wait.
const HARMLESS: &[&str] = &[
    "arch_prctl",
    "brk",
    "close",
    "exit",
    "exit_group",
    "futex",
    "getegid",
    "geteuid",
    "getpid",
    "gettid",
    "madvise",
    "mprotect",
    "munmap",
    "poll",
    "prlimit64",
    "restart_syscall",
    "rseq",
    "rt_sigprocmask",
    "rt_sigreturn",
    "sched_yield",
    "set_robust_list",
    "sigaltstack",
];

/// What else worker threads ask for: stacks and heaps of their own.
const OF_WORKERS: &[&str] = &["mmap", "mremap", "sched_getaffinity"];

/// How each call fails.
fn error(call: &str) -> &'static str {
    match call {
        "write" | "pwrite64" => "ENOSPC",
        "openat" | "fcntl" => "EMFILE",
        "mmap" | "mremap" => "ENOMEM",
        "clone" | "clone3" => "EAGAIN",
        "ioctl" => "ENOTTY",
        _ => "EIO",
    }
}

/// What is done to a call.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    Fails,
    /// It is interrupted by a signal, and nothing else.
    Interrupted,
    /// The process is killed as it enters.
    Kills,
}

fn strace(folder: &Path, options: &[&str], line: &str) -> Command {
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o"]).arg(folder.with_extension("trace")).args(options);
    command.arg(env!("CARGO_BIN_EXE_samplez")).args(line.split(' ')).current_dir(folder).stdin(Stdio::null());
    command
}

/// A folder with what the commands read, and with the files that this one replaces.
fn folder_of(case: &Case, inputs: &Path, place: &Path) {
    fs::create_dir(place).unwrap();
    for name in names(inputs) {
        fs::copy(inputs.join(&name), place.join(&name)).unwrap();
    }
    if !case.new {
        for path in case.written.iter().map(|name| place.join(name)).filter(|path| !path.exists()) {
            fs::write(path, "old").unwrap();
        }
    }
}

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    names(folder).into_iter().map(|name| (name.clone(), fs::read(folder.join(name)).unwrap())).collect()
}

/// The thread and the call of a line that begins one.
fn call(line: &str) -> Option<(&str, &str)> {
    let (thread, rest) = line.split_once(char::is_whitespace)?;
    let (name, _) = rest.trim_start().split_once('(')?;
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_').then_some((thread, name))
}

/// The calls of the main thread once the language's runtime has begun: the name, and how many of that name the process has made by then.
fn calls(trace: &str) -> Vec<(String, usize)> {
    let process = trace.split_whitespace().next().expect("strace wrote a line");
    let mut counts = BTreeMap::<&str, usize>::new();
    // The last thing that the runtime does is to catch the signals of a stack that overflows.
    let begun = trace.lines().position(|line| line.contains("rt_sigaction(SIGBUS, {")).expect("the runtime begins");
    let mut calls = Vec::new();
    for (at, line) in trace.lines().enumerate() {
        let Some((_, name)) = call(line).filter(|(thread, _)| *thread == process) else { continue };
        let count = counts.entry(name).or_default();
        *count += 1;
        if at > begun && !HARMLESS.contains(&name) {
            calls.push((name.to_string(), *count));
        }
    }
    calls
}

/// What every command leaves behind if nothing fails.
struct Whole {
    code: Option<i32>,
    out: Vec<u8>,
    files: BTreeMap<String, Vec<u8>>,
}

/// What is wrong with the end of a run, if anything.
fn judge(
    case: &Case,
    whole: &Whole,
    inputs: &Path,
    place: &Path,
    call: &str,
    fault: Fault,
    output: &std::process::Output,
) -> Option<String> {
    let err = String::from_utf8_lossy(&output.stderr);
    let found = contents(place);
    let parts: Vec<&String> = found.keys().filter(|name| name.ends_with(".part")).collect();
    for (name, content) in &found {
        let was = fs::read(inputs.join(name)).unwrap_or(b"old".to_vec());
        let is_old = !case.new && case.written.contains(&name.as_str()) && was == *content;
        let is_whole = whole.files.get(name) == Some(content) || is_old;
        if !is_whole && !name.ends_with(".part") {
            return Some(format!("{name} is neither the old file nor the new one"));
        }
    }
    if let Some(name) = whole
        .files
        .keys()
        .find(|name| !(found.contains_key(*name) || case.new && case.written.contains(&name.as_str())))
    {
        return Some(format!("{name} is gone"));
    }
    if fault == Fault::Kills {
        return (output.status.signal() != Some(9)).then(|| format!("it was not killed: {:?}", output.status));
    }
    let finished = output.status.code() == whole.code && output.stdout == whole.out;
    if finished && fault == Fault::Fails && call == "write" && err.lines().count() == 0 {
        // A note could not be written; nothing else was lost.
        return (found != whole.files).then(|| "files are missing after success".to_string());
    }
    if finished && fault == Fault::Fails && call == "fsync" {
        return Some("success, though the disk keeps nothing".to_string());
    }
    if finished {
        let is_other = found.iter().filter(|(name, _)| !name.ends_with(".part")).ne(&whole.files);
        let is_left = !parts.is_empty() && !call.starts_with("unlink");
        return (is_other || is_left).then(|| format!("success, but the files are {:?}", found.keys()));
    }
    if fault == Fault::Interrupted {
        return Some("an interrupted call was not made again".to_string());
    }
    let errors = err.lines().filter(|line| line.starts_with("error: ")).count();
    if output.status.code() != Some(3) && output.status.code() != Some(2) {
        return Some(format!("it ended with {:?}", output.status));
    }
    if errors != 1 || err.contains("panicked") {
        return Some("not one line says what failed".to_string());
    }
    if !parts.is_empty() && !call.starts_with("unlink") {
        return Some(format!("{parts:?} is left"));
    }
    // Keys are both there or none; `watch` saves its state before it prints a verdict.
    let written = case.written.iter().filter(|name| found.get(**name) == whole.files.get(**name)).count();
    let is_saved = case.line.starts_with("watch") && call == "write";
    (written != 0 && !call.starts_with("unlink") && !is_saved).then(|| format!("an error, and {written} new files"))
}

/// Runs the command with each fault in turn, on as many threads as the machine has; what is wrong, and how many faults there were.
fn suffer(case: &Case, inputs: &Path) -> (Vec<String>, usize) {
    let root = tempfile::tempdir().unwrap();
    let place = root.path().join("whole");
    folder_of(case, inputs, &place);
    let output = strace(&place, &[], case.line).output().expect("strace is installed: apt-get install strace");
    let whole = Whole { code: output.status.code(), out: output.stdout, files: contents(&place) };
    assert!(matches!(whole.code, Some(0 | 1)), "{}: {}", case.line, String::from_utf8_lossy(&output.stderr));
    for name in case.written {
        let was = fs::read(inputs.join(name)).unwrap_or(b"old".to_vec());
        assert!(whole.files[*name] != was, "{}: {name} is not written", case.line);
    }
    let trace = fs::read_to_string(place.with_extension("trace")).unwrap();
    let mut jobs = Vec::new();
    for (call, count) in calls(&trace) {
        for fault in [Fault::Fails, Fault::Kills, Fault::Interrupted] {
            let restarts = matches!(call.as_str(), "read" | "write" | "openat" | "getrandom" | "fsync");
            if fault != Fault::Interrupted || restarts {
                jobs.push((call.clone(), count, fault));
            }
        }
    }
    let (total, jobs, wrong) = (jobs.len(), Mutex::new(jobs.into_iter().enumerate()), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let Some((number, (call, count, fault))) = jobs.lock().unwrap().next() else { break };
            let place = root.path().join(number.to_string());
            folder_of(case, inputs, &place);
            let what = match fault {
                Fault::Fails => format!("error={}", error(&call)),
                Fault::Interrupted => "error=EINTR".to_string(),
                Fault::Kills => "signal=KILL".to_string(),
            };
            let inject = format!("inject={call}:{what}:when={count}");
            let output = strace(&place, &["-e", &inject], case.line).output().unwrap();
            if let Some(complaint) = judge(case, &whole, inputs, &place, &call, fault, &output) {
                let (code, out, err) = (output.status, output.stdout.len(), String::from_utf8_lossy(&output.stderr));
                wrong
                    .lock()
                    .unwrap()
                    .push(format!("{}\n  {inject}: {complaint}; {code}, {out} bytes\n  {err}", case.line));
            }
            fs::remove_dir_all(&place).unwrap();
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    (wrong.into_inner().unwrap(), total)
}

/// What the commands read.
fn inputs() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text: String = (0..40).map(|i| format!("{}/3\n", i)).collect();
    fs::write(folder.path().join("centers.txt"), text).unwrap();
    fs::write(folder.path().join("text"), "0123456789abcdef").unwrap();
    for line in [
        "sample --sigma 3.2 --count 2000 --seed 2 --quiet --out samples.npy",
        "sample --sigma 3.2 --count 2000 --seed 3 --quiet --out samples.txt",
        "scheme lp11 keygen --set ring-256 --secret box --public box.pub --seed 1 --quiet",
        "scheme lp11 encrypt text --public box.pub --seed 2 --out text.sealed --quiet",
        "watch samples.txt --sigma 3.2 --state state --quiet",
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_samplez"));
        let (code, _, err) =
            outcome(command.args(line.split(' ').map(OsStr::new)).current_dir(&folder).output().unwrap());
        assert_eq!(code, Some(0), "{line}: {err}");
    }
    folder
}

#[test]
fn whatever_fails_nothing_is_lost() {
    let inputs = inputs();
    let mut total = 0;
    let mut wrong = Vec::new();
    for case in CASES {
        let (found, faults) = suffer(case, inputs.path());
        wrong.extend(found);
        total += faults;
    }
    println!("{total} faults in {} commands", CASES.len());
    assert!(wrong.is_empty(), "{} of {total} faults:\n{}", wrong.len(), wrong.join("\n"));
    assert!(total > 1000, "only {total} faults");
}

/// So that what fails in the main thread is all that can: workers draw and count, files are not theirs.
#[test]
fn worker_threads_read_and_write_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("place");
    fs::create_dir(&place).unwrap();
    for line in [
        "sample --sigma 3.2 --count 3000000 --seed 1 --threads 3 --quiet --out x.npy",
        "sample --sigma 3.2 --count 300000 --seed 1 --threads 3 --quiet --out x.csv",
    ] {
        let output = strace(&place, &[], line).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        let trace = fs::read_to_string(place.with_extension("trace")).unwrap();
        let process = trace.split_whitespace().next().unwrap();
        let calls = trace.lines().filter_map(call).filter(|(thread, _)| *thread != process);
        let (known, others): (Vec<&str>, Vec<&str>) =
            calls.map(|(_, name)| name).partition(|name| HARMLESS.contains(name) || OF_WORKERS.contains(name));
        assert!(!known.is_empty(), "{line}: no worker is seen");
        assert!(others.is_empty(), "{line}: {others:?}");
    }
}
