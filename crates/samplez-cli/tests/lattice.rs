//! `samplez lattice`.

use crate::common::{SEED, fail, run, succeed};
use samplez::{Seed, Source};
use samplez_lattice::{Form, Matrix};
use std::fs;

/// A file with this content, in a folder that lives as long as the first value.
fn file(content: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("basis.txt");
    fs::write(&path, content).unwrap();
    let path = path.display().to_string();
    (folder, path)
}

#[test]
fn every_form_of_a_basis_gives_the_library_s_vectors() {
    let basis = Matrix::new(&[[2, 1, 0], [0, 3, 1], [1, 0, 4]]).unwrap();
    let form = Form::basis(&basis, "20".parse().unwrap()).unwrap();
    let mut all = vec![0; 3 * 400];
    form.fill(Source::ChaCha20, &SEED.parse::<Seed>().unwrap(), 0, &mut all).unwrap();
    let lines: Vec<String> = all.chunks(3).map(|v| format!("{} {} {}", v[0], v[1], v[2])).collect();
    for text in [
        "[[2 1 0]\n[0 3 1]\n[1 0 4]]",
        "[2 1 0]\n[0 3 1]\n[1 0 4]\n",
        "[[2, 1, 0], [0, 3, 1], [1, 0, 4]]",
        "2 1 0\n0 3 1\n1 0 4\n",
    ] {
        let (folder, path) = file(text);
        let line = format!("lattice --basis {path} --sigma 20 --count 400 --seed {SEED} --quiet");
        assert_eq!(succeed(&line).lines().collect::<Vec<_>>(), lines, "{text}");
        let out = folder.path().join("v.npy");
        succeed(&format!("{line} --out {}", out.display()));
        let bytes = fs::read(out).unwrap();
        assert!(String::from_utf8_lossy(&bytes[..128]).contains("'<i8', 'fortran_order': False, 'shape': (400, 3)"));
        let words: Vec<i64> = bytes[128..].chunks_exact(8).map(|b| i64::from_le_bytes(b.try_into().unwrap())).collect();
        assert_eq!(words, all);
    }
}

#[test]
fn bad_inputs_are_refused() {
    for (text, options, message) in [
        (
            "1 2\n2 4",
            "--sigma 3",
            "--basis = 2 rows: expected linearly independent rows; row 2 depends on the rows before it",
        ),
        ("1 2\n3", "--sigma 3", "row 2 = 1 entries: expected 2, as row 1 has"),
        ("", "--sigma 3", "matrix = empty: expected at least one row and one column"),
        ("1 x", "--sigma 3", "line 1 = x: expected a number"),
        ("1 0\n0 1", "--sigma 0", "--sigma = 0: expected a number above 0"),
        ("1000 0\n0 1", "--sigma 1", "use a larger --sigma"),
        ("10 3\n0 10", "--sigma 1/2", "where the bound is 2^-71; use a larger --sigma"),
        ("1 0\n0 1", "--sigma 3 --center 1", "--center = 1 entries: expected 2, one for each column"),
        ("1 0\n0 1", "--sigma 3 --center 1,y", "--center \"y\""),
        ("8 3\n0 8", "--sigma 3/4 --center 5,5", "--center = 5,5: expected an acceptance probability"),
        ("8 3\n0 8", "--sigma 3/4 --center 5,5", "use a larger --sigma"),
        ("1 0\n0 1", "--sigma 3 --modulus 7", "--modulus"),
    ] {
        let (_folder, path) = file(text);
        fail(&format!("lattice --basis {path} {options} --count 3"), 2, &[message]);
    }
    let (_folder, path) = file("1 2\n2 1");
    fail(&format!("lattice --gram {path} --sigma 3 --count 3"), 2, &["expected a positive definite matrix"]);
    fail("lattice --basis /no/such/file --sigma 3 --count 3", 2, &["cannot open"]);
    fail("lattice --sigma 3 --count 3", 2, &["--basis"]);
    let (_folder, path) = file("1 0\n0 1");
    fail(&format!("lattice --basis {path} --sigma 3 --count 0"), 2, &["--count", "whole numbers from 1"]);
}

#[test]
fn a_kernel_requires_an_integer_matrix_and_a_modulus() {
    let (_folder, path) = file("1 5 8");
    let line = format!("lattice --kernel {path} --sigma 10 --count 3");
    for q in ["0", "1", "-5", "7.5", "x"] {
        fail(&format!("{line} --modulus {q}"), 2, &["--modulus", q, "expected a whole number from 2"]);
    }
    fail(&line, 2, &["--modulus"]);
    fail("lattice --modulus 7 --sigma 10 --count 3", 2, &["--kernel"]);
    let (_folder, path) = file("1/2 5 8");
    let line = format!("lattice --kernel {path} --modulus 13 --sigma 10 --count 3");
    let (_, _, err) = run(&line);
    assert!(err.contains("--kernel = entries over 2: expected integers") && !err.contains("multiply"), "{err}");
}

/// The vectors that the command prints.
fn vectors(line: &str) -> Vec<Vec<i64>> {
    let row = |line: &str| line.split(' ').map(|x| x.parse().unwrap()).collect();
    succeed(&format!("{line} --seed {SEED} --quiet")).lines().map(row).collect()
}

#[test]
fn a_kernel_s_vectors_are_zero_modulo_q() {
    let (_folder, path) = file("[[1, 5, 8, 2], [0, 3, 1, 12]]");
    let all = vectors(&format!("lattice --kernel {path} --modulus 13 --sigma 10 --count 500"));
    assert_eq!(all.len(), 500);
    for v in &all {
        assert_eq!((v[0] + 5 * v[1] + 8 * v[2] + 2 * v[3]) % 13, 0, "{v:?}");
        assert_eq!((3 * v[1] + v[2] + 12 * v[3]) % 13, 0, "{v:?}");
    }
    // The mean square of an entry is σ², with a standard error of 0.032 of it.
    let square: i64 = all.iter().flatten().map(|x| x * x).sum();
    assert!((85.0..115.0).contains(&(square as f64 / 2000.0)), "{square}");
}

#[test]
fn a_gram_matrix_and_a_centre_give_their_moments() {
    // The covariance is 100·G⁻¹ = 100·[[2, -1], [-1, 2]]/3.
    let (_folder, path) = file("2 1\n1 2");
    let all = vectors(&format!("lattice --gram {path} --sigma 10 --center 1001/2,-300.25 --count 4000"));
    let n = all.len() as f64;
    let mean = [0, 1].map(|k| all.iter().map(|v| v[k] as f64).sum::<f64>() / n);
    // Six standard errors.
    assert!((mean[0] - 500.5).abs() < 0.78 && (mean[1] + 300.25).abs() < 0.78, "{mean:?}");
    let product =
        |i: usize, j: usize| all.iter().map(|v| (v[i] as f64 - mean[i]) * (v[j] as f64 - mean[j])).sum::<f64>() / n;
    assert!((product(0, 0) - 66.7).abs() < 9.0 && (product(1, 1) - 66.7).abs() < 9.0, "{}", product(0, 0));
    assert!((product(0, 1) + 33.3).abs() < 7.1, "{}", product(0, 1));
}

#[test]
fn every_format_has_the_same_vectors_and_every_count_a_prefix_of_them() {
    let (folder, path) = file("2 1 0\n0 3 1");
    let line = format!("lattice --basis {path} --sigma 20");
    // More than one part of 2^14 integers.
    let all = vectors(&format!("{line} --count 6000"));
    assert_eq!(all.len(), 6000);
    for count in [1, 255, 257, 5700] {
        assert_eq!(vectors(&format!("{line} --count {count}")), all[..count]);
    }
    let line = format!("{line} --count 6000 --seed {SEED} --quiet --out {}/v", folder.path().display());
    for extension in ["csv", "raw", "npy", "txt"] {
        succeed(&format!("{line}.{extension}"));
    }
    let read = |extension: &str| fs::read(folder.path().join(format!("v.{extension}"))).unwrap();
    let joined = |separator: &str| {
        all.iter().map(|v| v.iter().map(i64::to_string).collect::<Vec<_>>().join(separator) + "\n").collect::<String>()
    };
    assert_eq!(String::from_utf8(read("csv")).unwrap(), format!("x1,x2,x3\n{}", joined(",")));
    assert_eq!(String::from_utf8(read("txt")).unwrap(), joined(" "));
    let raw: Vec<u8> = all.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    assert!(read("raw") == raw && read("npy")[128..] == raw);
    assert!(String::from_utf8_lossy(&read("npy")[..128]).contains("'shape': (6000, 3)"));
}

/// The command's own vectors pass in each format that holds them, and one of another lattice is found.
#[test]
fn vectors_are_tested() {
    let (folder, path) = file("2 1 0\n0 3 1\n1 0 4");
    let line = format!("lattice --basis {path} --sigma 2 --center 1/3,0,-7.5");
    let out = |extension: &str| format!("{}/v.{extension}", folder.path().display());
    for extension in ["npy", "txt", "raw"] {
        succeed(&format!("{line} --count 3000 --seed {SEED} --quiet --out {}", out(extension)));
        let told = succeed(&format!("{line} --verify {}", out(extension)));
        assert!(told.starts_with("3,000 vectors of ") && told.contains("consistent: "), "{told}");
        for family in ["lattice", "vectors", "norms", "mean", "covariance", "coordinates"] {
            assert!(told.lines().any(|line| line.starts_with(family) && line.ends_with("pass")), "{family} {told}");
        }
    }
    let wider = format!("lattice --basis {path} --sigma 2.2 --center 1/3,0,-7.5 --verify {}", out("npy"));
    let (code, told, _) = run(&wider);
    assert!(code == Some(1) && told.contains("REJECTED: "), "{told}");
    let text = fs::read_to_string(out("txt")).unwrap();
    fs::write(out("txt"), text.replacen(' ', "1 ", 1)).unwrap();
    let (code, told, _) = run(&format!("{line} --verify {}", out("txt")));
    let row = told.lines().find(|line| line.starts_with("lattice")).unwrap();
    assert!(code == Some(1) && row.ends_with("reject"), "{told}");
    fail(&format!("{line} --verify {}.csv", out("v")), 2, &["--verify", "expected text, npy or raw, not csv"]);
    fs::write(out("txt"), "1 2 3 4").unwrap();
    fail(&format!("{line} --verify {}", out("txt")), 2, &["number of integers = 4: expected a multiple of 3"]);
    fail(&format!("{line} --verify {} --count 3", out("txt")), 2, &["--verify", "--count"]);
    fail(&line, 2, &["--count"]);
}

#[test]
fn the_help_states_the_timing() {
    assert!(succeed("lattice --help").contains("timing: variable"));
}
