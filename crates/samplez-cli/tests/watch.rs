//! `samplez watch`: states on disk, their alarms, and who may write them.

use crate::common::{names, outcome, run, samplez, succeed};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Runs `watch` in a folder; returns the exit code and the report.
fn watched(folder: &Path, line: &str) -> (Option<i32>, Value) {
    let mut command = samplez();
    command.current_dir(folder).args(["watch", "--json", "--quiet"]).args(line.split_whitespace());
    let (code, out, err) = outcome(command.output().unwrap());
    assert_eq!(err, "", "{line}");
    (code, serde_json::from_str(&out).unwrap())
}

/// Runs `watch`, and expects this refusal.
fn refused(folder: &Path, line: &str, code: i32, words: &[&str]) {
    let output = samplez().current_dir(folder).arg("watch").args(line.split_whitespace()).output().unwrap();
    let (got, out, err) = outcome(output);
    assert_eq!((got, out.as_str(), err.lines().count()), (Some(code), "", 1), "{line}: {err}");
    words.iter().for_each(|word| assert!(err.contains(word), "{line}: no \"{word}\" in {err}"));
}

fn draw(folder: &Path, name: &str, sigma: &str, count: u32, seed: u32) {
    let out = folder.join(name);
    succeed(&format!("sample --sigma {sigma} --count {count} --seed {seed} --quiet --out {}", out.display()));
}

#[test]
fn a_state_grows_with_each_file_and_keeps_its_alarm() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    draw(at, "a.npy", "3.2", 100_000, 1);
    draw(at, "b.npy", "3.2", 50_000, 2);
    draw(at, "wide.npy", "3.3", 100_000, 3);
    let line = |file: &str| format!("{file} --sigma 3.2 --state s");
    for (file, n) in [("a.npy", 100_000), ("b.npy", 150_000)] {
        let (code, report) = watched(at, &line(file));
        assert_eq!((code, &report["n"], &report["alarm"]), (Some(0), &n.into(), &false.into()), "{report}");
    }
    // Without the state, e begins at 1.
    assert_eq!(watched(at, "b.npy --sigma 3.2").1["n"], 50_000);
    let sound = fs::read(at.join("s")).unwrap();
    let (code, report) = watched(at, &line("wide.npy"));
    assert_eq!((code, &report["alarm"]), (Some(1), &true.into()), "{report}");
    assert!(report["highest_log10_e"].as_f64() >= Some(6.0), "{report}");
    // The alarm stays, and nothing is added.
    let (code, again) = watched(at, &line("a.npy"));
    assert_eq!((code, &again), (Some(1), &report));
    // The same values raise no alarm of 1e-200.
    fs::write(at.join("s"), sound).unwrap();
    assert_eq!(watched(at, &format!("{} --alpha 1e-200", line("wide.npy"))).0, Some(0));
    let (code, out, _) = run(&format!("watch {} --sigma 3.2 --quiet", at.join("wide.npy").display()));
    assert!(code == Some(1) && out.contains("REJECTED: ") && out.contains("log10 of e"), "{out}");
}

#[test]
fn states_multiply_once_each() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (name, seed) in [("a", 1), ("b", 2)] {
        draw(at, &format!("{name}.npy"), "3.25", 30_000, seed);
        assert_eq!(watched(at, &format!("{name}.npy --sigma 3.2 --state {name}")).0, Some(0));
    }
    // Neither has an alarm alone: the law is wrong in both.
    let (code, report) = watched(at, "--merge a b --sigma 3.2 --alpha 0.01");
    assert_eq!((code, &report["n"]), (Some(1), &60_000.into()), "{report}");
    refused(at, "--merge a a --sigma 3.2", 2, &["--merge = a: ", "given twice", "remove one"]);
    refused(at, "--merge a missing --sigma 3.2", 2, &["--merge = missing: there is no such file"]);
    refused(at, "--merge a --sigma 3.3", 2, &["a: law = D_Z(sigma = 16/5", "expected a state of D_Z(sigma = 33/10"]);
}

#[test]
fn states_that_cannot_be_continued_stay_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    draw(at, "a.npy", "3.2", 1000, 1);
    fs::write(at.join("bad.txt"), "1\n2\nthree\n").unwrap();
    watched(at, "a.npy --sigma 3.2 --state s");
    let state = fs::read(at.join("s")).unwrap();
    let broken = [
        (state[..state.len() - 1].to_vec(), "truncated or changed"),
        (state.iter().map(|byte| byte ^ u8::from(*byte == 0)).collect(), "truncated or changed"),
        ([b"samplez watch 9", &state[15..]].concat(), "version = 9: expected a state of version 1"),
        (b"1\n2\n".to_vec(), "expected a state that samplez watch wrote"),
        (Vec::new(), "expected a state that samplez watch wrote"),
    ];
    for (bytes, word) in broken {
        fs::write(at.join("t"), &bytes).unwrap();
        refused(at, "a.npy --sigma 3.2 --state t", 2, &["t: ", word]);
        assert_eq!(fs::read(at.join("t")).unwrap(), bytes);
    }
    refused(at, "a.npy --sigma 3.3 --state s", 2, &["s: law = ", "each law needs a state of its own"]);
    // A file is added whole or not at all.
    refused(at, "bad.txt --sigma 3.2 --state s", 2, &["bad.txt", "line 3"]);
    assert_eq!(fs::read(at.join("s")).unwrap(), state);
    fs::remove_file(at.join("t")).unwrap();
    assert_eq!(names(at), ["a.npy", "bad.txt", "s"]);
}

/// A limit on the size of files stands in for a full disk.
#[test]
#[cfg(unix)]
fn a_full_disk_keeps_the_last_state() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    draw(at, "a.npy", "3.2", 1000, 1);
    watched(at, "a.npy --sigma 3.2 --state s");
    let state = fs::read(at.join("s")).unwrap();
    let script = "ulimit -f 1; exec \"$0\" watch a.npy --sigma 3.2 --state s --quiet";
    let mut command = std::process::Command::new("sh");
    let output = command.args(["-c", script, env!("CARGO_BIN_EXE_samplez")]).current_dir(at).output().unwrap();
    let (code, out, err) = outcome(output);
    assert!(code == Some(3) && out.is_empty() && err.contains("cannot write s: "), "{code:?} {err}");
    assert_eq!((fs::read(at.join("s")).unwrap(), names(at)), (state, vec!["a.npy".into(), "s".into()]));
}

/// One process writes a state; a kill loses what came after the last save, and nothing else.
#[test]
#[cfg(unix)]
fn a_second_writer_is_refused_and_a_kill_keeps_the_last_state() {
    use std::io::Write;
    use std::process::Stdio;
    const SAVED: u64 = 1 << 24;
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    draw(at, "long.raw", "3.2", (SAVED + (1 << 20)) as u32, 4);
    draw(at, "a.npy", "3.2", 1000, 1);
    let mut command = samplez();
    let line = "watch - --format raw --dtype i8 --sigma 3.2 --state s --quiet";
    command.current_dir(at).args(line.split(' ')).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(&fs::read(at.join("long.raw")).unwrap()).unwrap();
    // However long that takes, as long as the run lives.
    while !at.join("s").exists() {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    std::os::unix::fs::symlink("s", at.join("link")).unwrap();
    for name in ["s", "link"] {
        let why = format!("--state = {name}: another `samplez watch` is writing it");
        refused(at, &format!("a.npy --sigma 3.2 --state {name}"), 2, &[&why, "wait"]);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    drop(pipe);
    let (code, report) = watched(at, "a.npy --sigma 3.2 --state s");
    let n = report["n"].as_u64().unwrap();
    assert!(code == Some(0) && (SAVED + 1000..=SAVED + (1 << 20) + 1000).contains(&n), "{report}");
    assert_eq!(names(at), ["a.npy", "link", "long.raw", "s"]);
}
