//! `samplez round`.

use crate::common::{FOLDER, SEED, fail, names, outcome, samplez, succeed};
use samplez::{BigGaussian, BitReader, FixedPoint, RoundMethod, Rounder, Rounding, Seed, Source, Stream};
use samplez_core::samplers::{KarneyRounder, StripRounder};
use samplez_sources::ChaCha20;
use std::fs;
use std::io::Write;
use std::process::Stdio;

const CENTERS: [&str; 6] = ["0", "1/3", "-7/2", "12345.678", "1e6", " -0.001\t"];

fn integers(text: &str) -> Vec<i64> {
    text.lines().map(|line| line.parse().expect("an integer")).collect()
}

/// A file with this content, in a folder that lives as long as the first value.
fn file(content: &[u8]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("centers.txt");
    fs::write(&path, content).unwrap();
    let path = path.display().to_string();
    (folder, path)
}

#[test]
fn the_integers_are_the_rounders() {
    let (_folder, path) = file(CENTERS.join("\r\n").as_bytes());
    let centers = || CENTERS.map(|text| text.trim().parse().unwrap());
    let reader = || BitReader::new(ChaCha20::new(&SEED.parse::<Seed>().unwrap()));

    let (rounder, mut bits) = (KarneyRounder::new("3.2".parse().unwrap()).unwrap(), reader());
    let expected: Vec<i64> = centers()
        .iter()
        .flat_map(|c| [rounder.center(*c).unwrap(); 3])
        .map(|center| rounder.round(center, &mut bits))
        .collect();
    assert_eq!(
        integers(&succeed(&format!("round {path} --sigma 3.2 --method karney --count 3 --seed {SEED}"))),
        expected
    );

    let (rounder, mut bits) = (StripRounder::of_sigma("215".parse().unwrap()).unwrap(), reader());
    let width = rounder.width("215".parse().unwrap()).unwrap();
    let expected: Vec<i64> =
        centers().iter().map(|center| rounder.round((FixedPoint::new(*center).unwrap(), width), &mut bits)).collect();
    for method in ["", "--method auto", "--method strips"] {
        assert_eq!(integers(&succeed(&format!("round {path} --sigma 215 {method} --seed {SEED}"))), expected);
    }

    let (rounder, mut bits) = (KarneyRounder::new("0.9".parse().unwrap()).unwrap(), reader());
    let expected: Vec<i64> =
        centers().iter().map(|center| rounder.round(rounder.center(*center).unwrap(), &mut bits)).collect();
    assert_eq!(integers(&succeed(&format!("round {path} --sigma 0.9 --seed {SEED}"))), expected);
}

#[test]
fn the_law_is_that_of_each_centre() {
    let (folder, path) = file(b"7/3\n");
    let out = folder.path().join("x.txt").display().to_string();
    for method in ["karney", "strips"] {
        let seed = format!("--seed {SEED}");
        let (code, shown, err) =
            crate::common::run(&format!("round {path} --sigma 3.2 --method {method} --count 2e5 {seed} --out {out}"));
        assert_eq!((code, shown.as_str(), err.contains("is replaced")), (Some(0), "", method != "karney"), "{err}");
        succeed(&format!("verify {out} --sigma 3.2 --center 7/3"));
        fail_to_verify(&out, "--sigma 3.2 --center 2.4");
    }
}

/// An npy file of float64.
fn doubles(descr: &str, shape: &str, values: &[f64]) -> Vec<u8> {
    let dictionary = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((dictionary.len() as u16).to_le_bytes());
    bytes.extend(dictionary.as_bytes());
    let big = descr.starts_with('>');
    bytes.extend(values.iter().flat_map(|x| if big { x.to_be_bytes() } else { x.to_le_bytes() }));
    bytes
}

/// Those of the same numbers as text: of the shortest decimals for karney, of the doubles themselves for the others.
#[test]
fn an_npy_file_of_doubles_is_read() {
    let values = [0.1, -2.5, 1e6 + 0.3, -1e-3, 4611686018427387000.0, 0.0];
    let decimals: String = values.iter().map(|x| format!("{x}\n")).collect();
    for (descr, shape) in [("<f8", "(6,)"), (">f8", "(6,)"), ("=f8", "(2, 3)")] {
        let (_folder, npy) = file(&doubles(descr, shape, &values));
        let (_folder_of_text, text) = file(decimals.as_bytes());
        for method in ["--sigma 3.2 --method karney", "--sigma 0.9"] {
            let more = format!("{method} --count 40 --seed {SEED}");
            assert_eq!(succeed(&format!("round {npy} {more}")), succeed(&format!("round {text} {more}")), "{descr}");
        }
        let more = format!("--sigma 3.2 --count 40 --seed {SEED}");

        let mut bits = BitReader::new(ChaCha20::new(&SEED.parse::<Seed>().unwrap()));
        let rounder = StripRounder::of_sigma("3.2".parse().unwrap()).unwrap();
        let width = rounder.width("3.2".parse().unwrap()).unwrap();
        let centers = values.iter().flat_map(|x| [FixedPoint::from_f64(*x).unwrap(); 40]);
        let expected: Vec<i64> = centers.map(|center| rounder.round((center, width), &mut bits)).collect();
        for method in ["", "--method strips"] {
            assert_eq!(integers(&succeed(&format!("round {npy} {more} {method}"))), expected, "{descr}");
        }
    }
    let bad = |content: &[u8], more: &str, words: &[&str]| {
        let (_folder, path) = file(content);
        fail(&format!("round {path} --sigma 3.2 --seed 1 {more}"), 2, words);
    };
    for center in [f64::NAN, f64::INFINITY, 1e19] {
        let content = doubles("<f8", "(2,)", &[1.0, center]);
        bad(&content, "--method strips", &["element 1: ", "expected a number between -2^62 and 2^62"]);
        bad(&content, "--method karney", &["element 1: ", "center = "]);
    }
    bad(
        &doubles("<f8", "(3,)", &[1.0, 2.0]),
        "",
        &["truncated: the header promises 3 numbers of 8 bytes, the file holds 2"],
    );
    bad(&doubles("<f8", "(1,)", &[1.0, 2.0]), "", &["trailing bytes after the 1 numbers"]);
    bad(&doubles("<f8", "(0,)", &[]), "", &["holds no centers"]);
    bad(&doubles("<f4", "(1,)", &[1.0]), "", &["descr '<f4'", "expected float64"]);
    bad(&doubles("<f8", "(1,)", &[1.0]), "--column 1", &["--column", "has no columns"]);
}

fn fail_to_verify(path: &str, law: &str) {
    let (code, out, _) = crate::common::run(&format!("verify {path} {law}"));
    assert_eq!(code, Some(1), "{law}\n{out}");
}

#[test]
fn standard_input_is_read() {
    let mut command = samplez();
    command.args(["round", "-", "--sigma", "1/1000"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"5\n-3\n1000001/1000000\n").unwrap();
    let (code, out, err) = outcome(child.wait_with_output().unwrap());
    assert_eq!((code, out.as_str(), err.as_str()), (Some(0), "5\n-3\n1\n", ""));
}

#[test]
fn without_a_seed_they_differ() {
    let (_folder, path) = file(b"0\n0.5\n");
    let draw = |rest: &str| succeed(&format!("round {path} --sigma 1e6 --count 5 {rest}"));
    assert_ne!(draw(""), draw(""));
    assert_eq!(draw("--source os").lines().count(), 10);
}

#[test]
fn bad_lines_are_named() {
    let allowed = "such as 3.2, 16/5";
    for (content, words) in [
        ("1\n2.5.1\n3\n", ["line 2", "\"2.5.1\"", allowed]),
        ("1\n\n3\n", ["line 2", "\"\"", allowed]),
        ("one", ["line 1", "\"one\"", allowed]),
        ("1 2\n", ["line 1", "\"1 2\"", allowed]),
        ("nan\n", ["line 1", "\"nan\"", allowed]),
        ("0\n0\n1/0\n", ["line 3", "\"1/0\"", "denominator is zero"]),
    ] {
        let (folder, path) = file(content.as_bytes());
        let out = folder.path().join("out.txt");
        fail(&format!("round {path} --sigma 3.2 --out {}", out.display()), 2, &[&[&*path][..], &words].concat());
        fail(&format!("round {path} --sigma 3.2"), 2, &words);
        fail(&format!("round {path} --sigma 3.2 --method strips"), 2, &words[..2]);
        assert_eq!(names(folder.path()), ["centers.txt"]);
    }
    let (_folder, path) = file(b"0\n9223372036854775807\n");
    for method in ["strips", "karney"] {
        let line = format!("round {path} --sigma 3.2 --method {method}");
        fail(&line, 2, &["line 2", "center = 9223372036854775807"]);
    }
    let (_folder, path) = file(&[b"1\n".as_slice(), &[b'0'; 100_000]].concat());
    fail(&format!("round {path} --sigma 3.2"), 2, &["line 2", "longer than 400 bytes"]);
    let (_folder, path) = file(b"1\n\xff\n");
    fail(&format!("round {path} --sigma 3.2"), 2, &["line 2", allowed]);
}

/// Centres of more than 64 bits and beyond 2^62, among others: the samples of `BigGaussian`.
#[test]
fn centres_of_any_size() {
    let centers = ["5e-324", "2.5", "1e30", "9223372036854775807", "-4611686018427387905", "1.2345678901234567e-10"];
    let (_folder, path) = file(centers.join("\n").as_bytes());
    for (sigma, shown) in [("3.2", "3.2"), ("0.5", "1/2")] {
        let rounding = Rounding::new(RoundMethod::Auto, sigma.parse().unwrap()).unwrap();
        let mut stream = Stream::new(Source::ChaCha20.open(&SEED.parse().unwrap()).unwrap());
        let mut expected = String::new();
        for center in centers {
            let law = BigGaussian::from_pairs([("sigma", sigma), ("center", center)]).unwrap();
            if center == "2.5" {
                let center = rounding.center("5/2".parse().unwrap()).unwrap();
                (0..5).for_each(|_| expected += &format!("{}\n", stream.round(&rounding, center).unwrap()));
                continue;
            }
            let drawn = law.draw(&mut stream, 5).unwrap();
            drawn.chunks(law.limbs()).for_each(|sample| expected += &(law.decimal(sample) + "\n"));
        }
        assert_eq!(succeed(&format!("round {path} --sigma {shown} --count 5 --seed {SEED}")), expected);
    }
    // The law.
    let (folder, tiny) = file(b"-5e-324");
    let out = folder.path().join("x.txt").display().to_string();
    succeed(&format!("round {tiny} --sigma 3.2 --count 2e5 --seed 1 --out {out}"));
    succeed(&format!("verify {out} --sigma 3.2"));
    fail_to_verify(&out, "--sigma 3.2 --center 0.1");
    // A double is its exact value, and for small sigma the shortest decimal.
    let npy = |center: f64, sigma: &str| {
        let (_folder, path) = file(&doubles("<f8", "(1,)", &[center]));
        succeed(&format!("round {path} --sigma {sigma} --seed 1"))
    };
    let text = |center: &str, sigma: &str| {
        let (_folder, path) = file(center.as_bytes());
        succeed(&format!("round {path} --sigma {sigma} --seed 1"))
    };
    assert_eq!(npy(1e23, "3.2"), text("99999999999999991611392", "3.2"));
    assert_eq!(npy(-4e19, "1e6"), text("-4e19", "1e6"));
    assert_eq!(npy(1e23, "0.5"), text("1e23", "0.5"));
    assert_eq!(npy(5e-324, "0.5"), text("5e-324", "0.5"));
    // Named methods and binary formats do not have them all.
    for method in ["strips", "karney"] {
        fail(&format!("round {path} --sigma 3.2 --method {method}"), 2, &["line 1: center = \"5e-324\": not repr"]);
    }
    fail(
        &format!("round {path} --sigma 3.2 --format raw"),
        2,
        &["line 3: has integers beyond 64 bits", "--format text"],
    );
    let x = text("1e-30", "3.2 --format raw --dtype i8");
    assert_eq!(x.len(), 1);
}

#[test]
fn bad_files_and_widths() {
    let (folder, path) = file(b"");
    fail(&format!("round {path} --sigma 3.2"), 2, &[&path, "holds no centers"]);
    fail("round - --sigma 3.2", 2, &["standard input", "holds no centers"]);
    fail(&format!("round {} --sigma 3.2", folder.path().display()), 2, &FOLDER);
    fail("round no-such-file --sigma 3.2", 2, &["no-such-file", "cannot open"]);
    fail(&format!("round {path} --sigma 0"), 2, &["sigma = 0", "greater than 0"]);
    fail(&format!("round {path} --sigma -1"), 2, &["sigma = -1", "greater than 0"]);
    fail(&format!("round {path} --sigma 1e15"), 2, &["sigma = 1000000000000000", "2^47"]);
    fail(&format!("round {path} --sigma nan"), 2, &["--sigma", "nan", "3.2, 16/5"]);
    for sigma in ["0.99", "0", "-1", "67108865"] {
        let line = format!("round {path} --sigma {sigma} --method strips");
        fail(&line, 2, &["sigma = ", "method strips", "1 <= sigma <= 2^26"]);
    }
    fail(&format!("round {path}"), 2, &["--sigma"]);
    fail("round --sigma 3", 2, &["FILE"]);
    fail(&format!("round {path} --sigma 3 --count 0"), 2, &["--count", "whole numbers"]);
    fail(&format!("round {path} --sigma 3 --method cdt"), 2, &["--method", "auto", "karney", "strips"]);
    fail(&format!("round {path} --sigma 3 --method isochronous"), 2, &["--method", "auto", "karney", "strips"]);
    fail(&format!("round {path} --sigma 3 --source os --seed {SEED}"), 2, &["os", "takes no seed"]);
}

/// One seed, the same integers in every format, as `sample` writes them.
#[test]
fn every_format_and_type() {
    let (folder, path) = file(CENTERS[..5].join("\n").as_bytes());
    let round = |name: &str, more: &str| {
        let out = folder.path().join(name);
        let line = format!("round {path} --sigma 3.2 --count 1000 --seed {SEED} --out {} {more}", out.display());
        assert_eq!(succeed(&line), "");
        fs::read(out).unwrap()
    };
    let text = round("x.txt", "");
    let values = integers(str::from_utf8(&text).unwrap());
    assert_eq!(values.len(), 5000);
    assert_eq!(succeed(&format!("round {path} --sigma 3.2 --count 1000 --seed {SEED}")).into_bytes(), text);
    assert_eq!(round("x.csv", ""), [b"x\n", &text[..]].concat());
    for (dtype, size) in [("", 8), ("i32", 4), ("i64", 8)] {
        let more = if dtype.is_empty() { String::new() } else { format!("--dtype {dtype}") };
        let expected: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()[..size].to_vec()).collect();
        let name = |extension: &str| format!("x{dtype}.{extension}");
        assert!(round(&name("bin"), &more) == expected, "{dtype}");
        let npy = round(&name("npy"), &more);
        let descr = format!("{{'descr': '<i{size}', 'fortran_order': False, 'shape': (5000,), }}");
        assert!(str::from_utf8(&npy[10..128]).unwrap().starts_with(&descr), "{dtype}");
        assert!(npy[128..] == expected, "{dtype}");
    }
    let (code, _, err) = crate::common::run(&format!("round {path} --sigma 3.2 --format npy"));
    assert!(code == Some(2) && err.contains("known at the end") && err.contains("--out"), "{err}");
    // Five columns of i16 would not hold the fourth centre's integers; they stay untold.
    let out = folder.path().join("narrow.raw");
    fail(
        &format!("round {path} --sigma 3.2 --dtype i8 --seed {SEED} --out {}", out.display()),
        2,
        &["line 4: --dtype i8 is too narrow for an integer of this center"],
    );
    assert!(!out.exists());
}

#[test]
fn centres_in_a_column_and_behind_comments() {
    let expected = |centers: &str| {
        let (_folder, path) = file(centers.as_bytes());
        succeed(&format!("round {path} --sigma 3.2 --seed {SEED}"))
    };
    let plain = expected("1/3\n-2.5\n");
    assert_eq!(expected("# two centres\n1/3\n # and\n-2.5\n"), plain);
    assert_eq!(expected("\u{feff}1/3\r\n-2.5"), plain);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frame.csv");
    for (content, column) in [
        ("center\n1/3\n-2.5\n", ""),
        ("1/3\n-2.5\n", ""),
        (",c\n0,1/3\n1,-2.5\n", ""),
        ("id,\"a, b\"\n7, 1/3 \n8,-2.5\n", "--column 2"),
        ("id,c\n7,1/3\n8,-2.5\n", "--column c"),
    ] {
        fs::write(&path, content).unwrap();
        let line = format!("round {} --sigma 3.2 --seed {SEED} {column}", path.display());
        assert_eq!(succeed(&line), plain, "{content}");
    }
    fs::write(&path, "id,c\n7,1/3\n8,one\n").unwrap();
    fail(&format!("round {} --sigma 3.2 --column c", path.display()), 2, &["frame.csv", "line 3", "\"one\""]);
}
