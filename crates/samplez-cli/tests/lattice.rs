//! `samplez lattice`.

mod common;

use common::{SEED, fail, succeed};
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
        let line = format!("lattice --basis {path} --sigma 20 --count 400 --seed {SEED}");
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
        ("10 3\n0 10", "--sigma 1/2", "the bound here is 2^-71; use a larger --sigma"),
        ("1 0\n0 1", "--sigma 3 --center 1", "--center = 1 entries: expected 2, one for each column"),
        ("1 0\n0 1", "--sigma 3 --center 1,y", "--center \"y\""),
    ] {
        let (_folder, path) = file(text);
        fail(&format!("lattice --basis {path} {options} --count 3"), 2, &[message]);
    }
    let (_folder, path) = file("1 2\n2 1");
    fail(&format!("lattice --gram {path} --sigma 3 --count 3"), 2, &["expected a positive definite matrix"]);
    fail("lattice --basis /no/such/file --sigma 3 --count 3", 2, &["cannot open"]);
    fail("lattice --sigma 3 --count 3", 2, &["--basis"]);
}
