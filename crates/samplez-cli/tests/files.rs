//! Files: what `sample` writes is what it should be, what `verify` reads is what is there.

use crate::common::{ABSENT, FOLDER, SEED, fail, fixture, outcome, run, samplez, succeed};
use samplez_cli::testing::files::{Integers, npy};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

const LAW: &str = "--sigma 3.2";

/// Writes `count` samples of the fixed seed to a new file and returns its bytes.
fn sampled(folder: &Path, name: &str, count: u64, more: &str) -> Vec<u8> {
    let path = folder.join(name);
    let line = format!("sample {LAW} --count {count} --seed {SEED} --quiet --out {} {more}", path.display());
    assert_eq!(succeed(&line), "", "data goes to the file only");
    fs::read(path).unwrap()
}

fn read_npy(bytes: &[u8]) -> Result<Vec<i64>, String> {
    let mut reader = npy::Reader::new(bytes).map_err(|e| e.to_string())?;
    let (mut values, mut out) = (Vec::new(), [0; 1000]);
    loop {
        match reader.read(&mut out).map_err(|e| e.to_string())? {
            0 => return Ok(values),
            n => values.extend_from_slice(&out[..n]),
        }
    }
}

#[test]
fn one_seed_one_file_whatever_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    // Three chunks and a bit, so that the threads really share the work.
    let one = sampled(folder.path(), "1.npy", 400_001, "--threads 1");
    for threads in [2, 3, 7] {
        assert!(one == sampled(folder.path(), "n.npy", 400_001, &format!("--threads {threads}")), "{threads} threads");
    }
    let text = succeed(&format!("sample {LAW} --count 400001 --seed {SEED} --quiet --threads 5"));
    let values: Vec<i64> = text.lines().map(|line| line.parse().unwrap()).collect();
    assert!(values == read_npy(&one).unwrap());
    let shorter = sampled(folder.path(), "s.npy", 150_000, "");
    assert!(values[..150_000] == read_npy(&shorter).unwrap(), "a shorter file is a beginning of a longer one");
}

#[test]
fn one_seed_the_same_integers_in_every_format_and_type() {
    let folder = tempfile::tempdir().unwrap();
    let text = sampled(folder.path(), "x.txt", 10_000, "");
    let values: Vec<i64> = str::from_utf8(&text).unwrap().lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(values.len(), 10_000);
    let csv = sampled(folder.path(), "x.csv", 10_000, "");
    assert!(csv == [b"x\n", &text[..]].concat());
    for (dtype, size) in [("i8", 1), ("i16", 2), ("i32", 4), ("i64", 8)] {
        let raw = sampled(folder.path(), "x.raw", 10_000, &format!("--dtype {dtype}"));
        let expected: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()[..size].to_vec()).collect();
        assert!(raw == expected, "{dtype}");
        let npy = sampled(folder.path(), "x.npy", 10_000, &format!("--dtype {dtype}"));
        assert!(npy[128..] == raw && read_npy(&npy).unwrap() == values, "{dtype}");
    }
    let other = sampled(folder.path(), "x.txt", 10_000, "--method karney");
    assert!(other != text, "another method gives another stream");
}

#[test]
fn without_a_seed_every_run_differs() {
    let line = format!("sample {LAW} --count 100 --quiet");
    assert_ne!(succeed(&line), succeed(&line));
    let os = format!("{line} --source os");
    assert_ne!(succeed(&os), succeed(&os));
}

#[test]
fn the_header_is_numpys_own_byte_for_byte() {
    for (name, dtype) in [("i1-le", "i8"), ("i2-le", "i16"), ("i4-le", "i32"), ("i8-le", "i64")] {
        let numpy = fs::read(fixture(&format!("{name}.npy"))).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let ours = sampled(folder.path(), "x.npy", 6, &format!("--dtype {dtype}"));
        assert_eq!(ours[..128], numpy[..128], "{name}");
        assert_eq!(ours.len(), numpy.len(), "{name}");
    }
}

#[test]
fn numpys_integers_are_read() {
    const SIGNED: [i64; 6] = [0, -1, 2, -100, 127, -128];
    const UNSIGNED: [i64; 6] = [0, 1, 2, 100, 127, 3];
    for (name, expected) in [
        ("i1-le", &SIGNED[..]),
        ("i2-le", &SIGNED),
        ("i2-be", &SIGNED),
        ("i4-le", &SIGNED),
        ("i4-be", &SIGNED),
        ("i8-le", &SIGNED),
        ("i8-be", &SIGNED),
        ("u1-le", &UNSIGNED),
        ("u2-le", &UNSIGNED),
        ("u2-be", &UNSIGNED),
        ("u4-le", &UNSIGNED),
        ("u4-be", &UNSIGNED),
        ("u8-le", &UNSIGNED),
        ("u8-be", &UNSIGNED),
        ("fortran-2d", &[0, -100, -1, 127, 2, -128]), // in the order of storage
        ("c-3d", &SIGNED),
        ("version-2", &SIGNED),
        ("version-3", &SIGNED),
        ("scalar", &[7]),
        ("empty", &[]),
    ] {
        let bytes = fs::read(fixture(&format!("{name}.npy"))).unwrap();
        assert_eq!(read_npy(&bytes), Ok(expected.to_vec()), "{name}");
    }
}

#[test]
fn what_cannot_be_judged_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let verify = |file: &Path| format!("verify {} {LAW}", file.display());
    for (name, words) in [
        ("float64", "floating-point"),
        ("bool", "booleans"),
        ("structured", "records"),
        ("complex", "complex"),
        ("string", "strings"),
        ("datetime", "dates"),
        ("u8-too-large", "2^63-1"),
        ("empty", "holds no integers"),
        ("i2-le", "at least 100"),
    ] {
        let name = format!("{name}.npy");
        fail(&verify(&fixture(&name)), 2, &[&name, words]);
    }
    let npy = sampled(folder.path(), "whole.npy", 1000, "");
    for (name, content, words) in [
        ("cut.npy", &npy[..1000], "the header promises 1000 integers of 1 byte, the file holds 872"),
        ("longer.npy", &[&npy[..], b"x"].concat(), "trailing bytes"),
        ("head.npy", &npy[..50], "truncated in the npy header"),
        ("text.npy", b"1\n2\n", "must begin with"),
        ("empty.npy", b"", "must begin with"),
        ("empty.txt", b"", "holds no integers"),
        ("float.txt", b"1\n2\n0.5\n", "line 3: \"0.5\" is not an integer"),
        ("big.txt", b"1 99999999999999999999", "line 1: \"99999999999999999999\""),
        ("empty.csv", b",x\n0,1\n1,\n", "line 3: a cell is empty"),
        ("two.csv", b"x,y\n1,2\n", "it has 2 columns (x, y): choose one by --column, its name or number"),
        ("binary", &npy[128..], "is not an integer"),
        ("x.raw", b"12", "--dtype"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        fail(&verify(&path), 2, &[name, words]);
    }
    let raw = folder.path().join("x.raw");
    fs::write(&raw, b"123").unwrap();
    fail(&format!("{} --dtype i16", verify(&raw)), 2, &["x.raw", "multiple of the 2 bytes of i16"]);
    fail(&format!("{} --dtype i8 --format text", verify(&raw)), 2, &["--dtype is for raw files only"]);
    fail(&verify(&folder.path().join("missing.npy")), 2, &["missing.npy", ABSENT]);
    fail(&verify(folder.path()), 2, &FOLDER);
}

/// Two samples side by side, as pandas writes them: each column for itself, never both as one stream.
#[test]
fn a_column_is_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let text = String::from_utf8(sampled(folder.path(), "x.txt", 20_000, "")).unwrap();
    let rows = text.lines().enumerate().map(|(i, x)| format!("{i},{x}.0,{i}\r\n"));
    let path = folder.path().join("frame.csv");
    fs::write(&path, format!("\u{feff},\"a, b\",count\r\n{}", rows.collect::<String>())).unwrap();
    let verify = format!("verify {} {LAW}", path.display());
    for column in ["2", "count"] {
        let (code, ..) = run(&format!("{verify} --column {column}"));
        assert_eq!(code, Some(if column == "2" { 0 } else { 1 }), "{column}");
    }
    fail(&verify, 2, &["frame.csv", "it has 3 columns (\"\", a, b, count)", "--column"]);
    fail(&format!("{verify} --column c"), 2, &["column = c", "numbered from 1"]);
    let npy = folder.path().join("x.npy");
    sampled(folder.path(), "x.npy", 1000, "");
    fail(&format!("verify {} {LAW} --column x", npy.display()), 2, &["--column is for CSV files only"]);
}

#[test]
fn every_format_is_verified_from_file_and_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    for (name, more, reading) in [
        ("x.npy", "", ""),
        ("x.txt", "", ""),
        ("x.csv", "", "--format csv"),
        ("x.raw", "--dtype i32", "--format raw --dtype i32"),
        ("x.bin", "--dtype i8", "--format raw --dtype i8"),
    ] {
        let bytes = sampled(folder.path(), name, 20_000, more);
        let path = folder.path().join(name);
        let from_file = run(&format!("verify {} {LAW} {reading} --json", path.display()));
        assert_eq!((from_file.0, from_file.2.as_str()), (Some(0), ""), "{name}: {}", from_file.1);
        let mut command = samplez();
        command.args(format!("verify - {LAW} {reading} --json").split_whitespace());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(&bytes).unwrap();
        assert_eq!(outcome(child.wait_with_output().unwrap()), from_file, "{name}");
    }
}

/// Whatever one byte becomes, the file is read or refused; nothing panics, nothing hangs.
#[test]
fn damaged_files_are_read_or_refused() {
    let (mut read, mut refused) = (0, 0);
    for name in ["i2-le", "fortran-2d", "structured", "version-2", "u8-too-large"] {
        let whole = fs::read(fixture(&format!("{name}.npy"))).unwrap();
        for at in 0..whole.len() {
            for byte in [0, 1, b' ', b'(', b')', b',', b'9', b'\'', b'{', b'}', 0x7f, 0x80, 0xff] {
                let mut damaged = whole.clone();
                damaged[at] = byte;
                *if read_npy(&damaged).is_ok() { &mut read } else { &mut refused } += 1;
            }
        }
    }
    assert!(read > 500 && refused > 500, "{read} read, {refused} refused");
}
