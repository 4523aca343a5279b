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
        ("float64", "at least 100"),
        ("bool", "booleans"),
        ("structured", "records"),
        ("complex", "complex"),
        ("string", "strings"),
        ("datetime", "dates"),
        ("u8-too-large", "is not an integer of 64 bits"),
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
        ("binary", &npy[128..], "is binary: for bare integers add --format raw and --dtype"),
        ("x.raw", b"12", "--dtype"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        fail(&verify(&path), 2, &[name, words]);
    }
    let raw = folder.path().join("x.raw");
    fs::write(&raw, b"123").unwrap();
    fail(&format!("{} --dtype i16", verify(&raw)), 2, &["x.raw", "multiple of the 2 bytes of i16"]);
    fail(&format!("{} --dtype i8 --format text", verify(&raw)), 2, &["--dtype = i8: is for raw files only"]);
    fail(&verify(&folder.path().join("missing.npy")), 2, &["missing.npy", ABSENT]);
    fail(&verify(folder.path()), 2, &FOLDER);
}

/// Files of other programs are named, and nothing of them is shown.
#[test]
fn other_files_say_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let passwords = "root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:secret:/usr/sbin:/bin/sh\n";
    for (name, content, words) in [
        ("array.json", &b"{\"samples\": [1, -5, 1]}"[..], &["is JSON", "jq"][..]),
        ("list", b"[1, -5, 1]\n", &["is JSON"]),
        ("x.db", b"SQLite format 3\0\x10\0", &["SQLite"]),
        ("x.gz", b"\x1f\x8b\x08\0\0", &["gzip", "decompress"]),
        ("x.pkl", b"\x80\x04\x95\x10", &["pickle", "np.save"]),
        ("x.parquet", b"PAR1\x15\x04", &["Parquet"]),
        ("utf16.txt", b"\xff\xfe1\0\n\0", &["UTF-16"]),
        ("text.npy", b"[1]", &["is JSON"]),
        ("passwords", passwords.as_bytes(), &["line 2: expected an integer"]),
        ("passwords.txt", passwords.as_bytes(), &["line 2: expected an integer"]),
        ("log.csv", b"root,secret\nsecret,root\n", &["it has 2 columns: choose one by --column"]),
        ("one.txt", b"root:x:0:0", &["line 1: expected an integer"]),
        ("hex.txt", b"0x1f\n0x20\n", &["line 1: \"0x1f\" is not an integer"]),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        let (code, out, err) = run(&format!("verify {} {LAW}", path.display()));
        assert_eq!((code, out.as_str()), (Some(2), ""), "{name}: {err}");
        assert!(
            words.iter().all(|part| err.contains(part)) && !err.contains("root") && !err.contains("secret"),
            "{err}"
        );
    }
    // As NumPy writes it, with the directory at the end.
    let record = |name: &str| [b"PK\x01\x02", &[0; 24][..], &[name.len() as u8, 0], &[0; 16], name.as_bytes()].concat();
    let npz = folder.path().join("two.npz");
    let content =
        [b"PK\x03\x04".to_vec(), vec![7; 200_000], record("noise.npy"), record("secret.npy"), b"PK\x05\x06".to_vec()];
    fs::write(&npz, content.concat()).unwrap();
    fail(&format!("verify {} {LAW}", npz.display()), 2, &["2 arrays: noise, secret;", "np.load(FILE)[\"noise\"]"]);
}

/// Columns between any separators are never read as one stream.
#[test]
fn columns_between_any_separators() {
    let folder = tempfile::tempdir().unwrap();
    let noise: Vec<i64> = {
        let text = String::from_utf8(sampled(folder.path(), "x.txt", 2000, "")).unwrap();
        text.lines().map(|line| line.parse().unwrap()).collect()
    };
    let written = |name: &str, separator: &str, header: &str| {
        let rows: String = noise.iter().enumerate().map(|(i, x)| format!("{i}{separator}{x}\n")).collect();
        let path = folder.path().join(name);
        fs::write(&path, format!("{header}{rows}")).unwrap();
        path.display().to_string()
    };
    for (name, separator, header) in [
        ("a.tsv", "\t", ""),
        ("b.txt", " ", ""),
        ("c", "   ", "id noise\n"),
        ("d.csv", ";", "\"id\";\"noise\"\n"),
        ("e.txt", ";", ""),
        ("f.dat", ", ", "# written by hand\nid, noise\n"),
        ("g.csv", " ", ""),
        ("h.txt", "\t", "id\tnoise\n"),
    ] {
        let file = written(name, separator, header);
        let (code, out, err) = run(&format!("verify {file} {LAW}"));
        assert_eq!((code, out.as_str()), (Some(2), ""), "{name}: {err}");
        assert!(err.contains("it has 2 columns") && err.contains("choose one by --column"), "{name}: {err}");
        succeed(&format!("verify {file} {LAW} --column 2"));
        assert_eq!(run(&format!("verify {file} {LAW} --column 1")).0, Some(1), "{name}");
        if header.contains("noise") {
            succeed(&format!("verify {file} {LAW} --column noise"));
        }
        fail(&format!("plot {file} {LAW}"), 2, &["it has 2 columns"]);
        succeed(&format!("plot {file} {LAW} --column 2"));
    }
    // One stream, in lines of any length; and if the user says so.
    let lines: String = noise
        .chunks(7)
        .enumerate()
        .map(|(i, part)| {
            let part: Vec<String> = part[..part.len() - i % 2].iter().map(i64::to_string).collect();
            part.join(" ") + "\n"
        })
        .collect();
    let path = folder.path().join("lines.txt");
    fs::write(&path, &lines[lines.find('\n').unwrap() + 1..]).unwrap();
    fail(&format!("verify {} {LAW}", path.display()), 2, &["it has 6 columns", "--format text"]);
    succeed(&format!("verify {} {LAW} --format text", path.display()));
    fail(&format!("verify {} {LAW} --format text --column 2", path.display()), 2, &["remove one of them"]);
    let wide = folder.path().join("one-line.txt");
    fs::write(&wide, noise.iter().map(|x| format!("{x} ")).collect::<String>()).unwrap();
    succeed(&format!("verify {} {LAW}", wide.display()));
    // Other numbers of cells, later.
    let ragged = folder.path().join("ragged.txt");
    fs::write(&ragged, "0 1\n1 2\n3\n").unwrap();
    fail(
        &format!("verify {} {LAW} --column 2", ragged.display()),
        2,
        &["line 3: a row of 1 cells, where the first has 2"],
    );
    // A header above one column; no CSV by name.
    let headed = folder.path().join("headed.txt");
    fs::write(&headed, noise.iter().fold("noise\n".into(), |text: String, x| text + &format!("{x}\n"))).unwrap();
    succeed(&format!("verify {} {LAW}", headed.display()));
    succeed(&format!("verify {} {LAW} --column noise", headed.display()));
}

/// The torus modulo 2^64 and 2^32, in all its spellings.
#[test]
fn residues_of_64_bits() {
    let folder = tempfile::tempdir().unwrap();
    let text = String::from_utf8(sampled(folder.path(), "x.txt", 2000, "")).unwrap();
    let noise: Vec<i64> = text.lines().map(|line| line.parse().unwrap()).collect();
    let words: Vec<u8> = noise.iter().flat_map(|x| x.to_le_bytes()).collect();
    let header = |kind: &str| {
        let text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': (2000,), }}");
        [&b"\x93NUMPY\x01\x00"[..], &(text.len() as u16).to_le_bytes(), text.as_bytes()].concat()
    };
    let lines = |residue: &dyn Fn(i64) -> String| noise.iter().map(|x| residue(*x) + "\n").collect::<String>();
    let (full, prime) = (1_i128 << 64, (1_i128 << 64) - (1 << 32) + 1);
    let of = |q: i128| lines(&move |x| i128::from(x).rem_euclid(q).to_string());
    for (name, content, q, more) in [
        ("u8.npy", [header("<u8"), words.clone()].concat(), full, ""),
        ("i8.npy", [header("<i8"), words.clone()].concat(), full, ""),
        ("u64.txt", of(full).into_bytes(), full, ""),
        ("u64.csv", format!("x\n{}", of(full)).into_bytes(), full, ""),
        ("i64.txt", text.clone().into_bytes(), full, ""),
        ("x.raw", words, full, "--dtype i64"),
        ("prime.txt", of(prime).into_bytes(), prime, ""),
        ("u32.txt", of(1 << 32).into_bytes(), 1 << 32, ""),
        ("u63.txt", of(1 << 63).into_bytes(), 1 << 63, ""),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        let line = format!("verify {} --modulus {q} {more}", path.display());
        let out = succeed(&format!("{line} {LAW}"));
        assert!(out.contains(&format!("modulo {q}")) && out.contains("consistent"), "{name}: {out}");
        assert_eq!(run(&format!("{line} --sigma 4")).0, Some(1), "{name}");
    }
    let path = folder.path().join("u64.txt");
    fail(&format!("verify {} {LAW}", path.display()), 2, &["is not an integer of 64 bits"]);
    let q = prime;
    fail(
        &format!("verify {} {LAW} --modulus {q}", path.display()),
        2,
        &["is not a residue, from 0 to 18446744069414584320"],
    );
}

/// Laws beyond 64 bits: the low bits, the shape and the width are judged.
#[test]
fn integers_beyond_64_bits() {
    let folder = tempfile::tempdir().unwrap();
    for (sigma, other) in
        [("1152921504606846976", "1.2e18"), ("340282366920938463463374607431768211456", "3.6e38"), ("1e60", "1.1e60")]
    {
        let path = folder.path().join("big.txt");
        succeed(&format!("sample --sigma {sigma} --center 5 --count 20000 --seed 9 --quiet --out {}", path.display()));
        let out = succeed(&format!("verify {} --sigma {sigma} --center 5", path.display()));
        assert!(out.contains("D_Z(sigma = 1") || out.contains("D_Z(sigma = 3"), "{out}");
        assert_eq!(run(&format!("verify {} --sigma {other}", path.display())).0, Some(1), "{sigma}");
        let even = fs::read_to_string(&path).unwrap();
        let even: String = even
            .lines()
            .map(|x| {
                let (head, last) = x.split_at(x.len() - 1);
                format!("{head}{}\n", "0022446688".as_bytes()[usize::from(last.as_bytes()[0] - b'0')] as char)
            })
            .collect();
        fs::write(&path, even).unwrap();
        let (code, out, _) = run(&format!("verify {} --sigma {sigma}", path.display()));
        assert!(
            code == Some(1) && out.lines().any(|line| line.starts_with("parity") && line.ends_with("reject")),
            "{out}"
        );
        fail(
            &format!("verify {} --sigma {sigma} --clip 3", path.display()),
            2,
            &["--clip = 3: applies to sigma up to 2^57"],
        );
    }
}

/// Values that a wide law repeats too often.
#[test]
fn values_from_few_points() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("few.npy");
    let (sigma, count) = ("17592186044416", 300_000_usize);
    succeed(&format!("sample --sigma {sigma} --count {count} --seed 2 --quiet --out {}", path.display()));
    let (line, bytes) = (format!("verify {} --sigma {sigma}", path.display()), fs::read(&path).unwrap());
    succeed(&line);
    // Each hundredth value comes once more, at a place of its own.
    let mut copied = bytes.clone();
    for i in 0..1000 {
        let (from, to) = (128 + 8 * (i * 100), 128 + 8 * (150_000 + (i * 7919) % 149_000));
        let word: [u8; 8] = bytes[from..from + 8].try_into().unwrap();
        copied[to..to + 8].copy_from_slice(&word);
    }
    fs::write(&path, copied).unwrap();
    let (code, out, _) = run(&line);
    let rejects: Vec<&str> = out.lines().filter(|line| line.ends_with("reject")).collect();
    assert!(code == Some(1) && rejects.len() == 1 && rejects[0].starts_with("birthdays"), "{out}");
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
    fail(&format!("verify {} {LAW} --column x", npy.display()), 2, &["--column is for text in columns only"]);
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
